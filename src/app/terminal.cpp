#include "app/terminal.h"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>

#include <fmt/format.h>
#include <unistd.h>

#include "base/utf8.h"

namespace holdfast::app {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kBarWidth = 30;
constexpr std::chrono::milliseconds kRedraw{100};

std::string padded(const std::string& text, size_t width) {
  const size_t points = count_code_points(text);
  return text + std::string(width > points ? width - points : 0, ' ');
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

std::string Table::text(size_t width) const {
  std::vector<size_t> widths;
  for (const auto& name : head_) widths.push_back(count_code_points(name));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], count_code_points(row[i]));
  }
  size_t used = 0;
  for (size_t i = 0; i + 1 < widths.size(); ++i) used += widths[i] + kGap;
  const size_t room = width > used + 20 ? width - used : 0;

  std::string out;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      const bool last = i + 1 == cells.size();
      const bool cut = last && room > 0 && count_code_points(cells[i]) > room;
      if (cut) {
        out += std::string(prefix_code_points(cells[i], room - 1)) + "…";
      } else {
        out += last ? cells[i] : padded(cells[i], widths[i] + kGap);
      }
    }
    out += '\n';
  };
  add_line(head_);
  for (const auto& row : rows_) add_line(row);
  return out;
}

size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

Progress::Progress(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0) {
  if (!terminal_) std::fputs(fmt::format("{} ...\n", what_).c_str(), stderr);
}

Progress::~Progress() {
  if (!finished_ && terminal_) std::fputs("\n", stderr);
}

void Progress::update(double share, std::string_view note) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - drawn_ < kRedraw) return;
  drawn_ = now;
  draw(share, note);
}

void Progress::draw(double share, std::string_view note) {
  const auto filled = static_cast<size_t>(std::clamp(share, 0.0, 1.0) * kBarWidth);
  std::fputs(
      fmt::format("\r\x1b[K{} [{}{}] {:3.0f}% {}", what_, std::string(filled, '#'),
                  std::string(kBarWidth - filled, '.'), std::clamp(share, 0.0, 1.0) * 100, note)
          .c_str(),
      stderr);
  std::fflush(stderr);
}

void Progress::done(std::string_view note) {
  finished_ = true;
  if (terminal_) {
    draw(1, note);
    std::fputs("\n", stderr);
  } else {
    std::fputs(fmt::format("{}: done {}\n", what_, note).c_str(), stderr);
  }
}

}  // namespace holdfast::app
