#include "base/time_text.h"

#include <array>

#include <fmt/format.h>

namespace holdfast {
namespace {

using std::chrono::days;
using std::chrono::floor;

struct Civil {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::microseconds> time;
};

Civil civil(Timestamp at) {
  const auto day = floor<days>(at);
  return {std::chrono::year_month_day(day),
          std::chrono::hh_mm_ss<std::chrono::microseconds>(at - day)};
}

// A text under way. Every object that is written has times in it, so they are put together here
// and become a string once.
class TimeText {
 public:
  explicit TimeText(const Civil& c) {
    const int year = static_cast<int>(c.date.year());
    if (year >= 0 && year <= 9999) {
      put_digits<4>(year);
    } else {
      end_ = fmt::format_to(end_, "{:04}", year);
    }
    put('-', static_cast<unsigned>(c.date.month()));
    put('-', static_cast<unsigned>(c.date.day()));
    put('T', c.time.hours().count());
    put(':', c.time.minutes().count());
    put(':', c.time.seconds().count());
  }

  template <size_t kDigits = 2>
  void put(char before, int64_t number) {
    *end_++ = before;
    put_digits<kDigits>(number);
  }
  std::string text() { return {text_.data(), end_}; }
  std::string text_with_zone() {
    *end_++ = 'Z';
    return text();
  }

 private:
  // Zeros in front.
  template <size_t kDigits>
  void put_digits(int64_t number) {
    auto rest = static_cast<uint32_t>(number);
    for (size_t i = kDigits; i-- > 0; rest /= 10) end_[i] = static_cast<char>('0' + rest % 10);
    end_ += kDigits;
  }

  std::array<char, 40> text_;  // also of years with five digits and a sign
  char* end_ = text_.data();
};

// Takes exactly `width` digits from the front of `text`.
bool take_digits(std::string_view& text, size_t width, int& out) {
  if (text.size() < width) return false;
  out = 0;
  for (size_t i = 0; i < width; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(width);
  return true;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// ".123456789" → microseconds. Nothing if the digits are none or too many.
bool take_fraction(std::string_view& text, int64_t& micros) {
  micros = 0;
  if (!take(text, '.')) return true;
  int64_t scale = 100'000;
  size_t digits = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    micros += (text.front() - '0') * scale;
    scale /= 10;
    ++digits;
    text.remove_prefix(1);
  }
  return digits >= 1 && digits <= 9;
}

bool take_offset(std::string_view& text, std::chrono::minutes& offset) {
  offset = {};
  if (take(text, 'Z')) return true;
  const int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
  int hours = 0;
  int minutes = 0;
  if (sign == 0 || !take_digits(text, 2, hours) || !take(text, ':') ||
      !take_digits(text, 2, minutes))
    return false;
  if (hours > 23 || minutes > 59) return false;
  offset = std::chrono::minutes(sign * (hours * 60 + minutes));
  return true;
}

}  // namespace

std::string format_seconds(Timestamp at) { return TimeText(civil(at)).text_with_zone(); }

std::string format_millis(Timestamp at) {
  const Civil c = civil(at);
  TimeText out(c);
  out.put<3>('.', c.time.subseconds().count() / 1000);
  return out.text_with_zone();
}

std::string format_micros(Timestamp at) {
  // What is stored has these, and whatever one write makes has the same.
  thread_local Timestamp last = {};
  thread_local std::string text;
  if (at == last && !text.empty()) return text;
  const Civil c = civil(at);
  TimeText out(c);
  out.put<6>('.', c.time.subseconds().count());
  text = out.text_with_zone();
  last = at;
  return text;
}

std::string format_date(Timestamp at) { return TimeText(civil(at)).text().substr(0, 10); }

std::optional<Timestamp> parse_time(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!take_digits(text, 4, year) || !take(text, '-') || !take_digits(text, 2, month) ||
      !take(text, '-') || !take_digits(text, 2, day)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  const Timestamp midnight = std::chrono::sys_days(date);
  if (text.empty()) return midnight;

  int hour = 0;
  int minute = 0;
  int second = 0;
  int64_t micros = 0;
  std::chrono::minutes offset{};
  if (!take(text, 'T') || !take_digits(text, 2, hour) || !take(text, ':') ||
      !take_digits(text, 2, minute) || !take(text, ':') || !take_digits(text, 2, second) ||
      !take_fraction(text, micros) || !take_offset(text, offset) || !text.empty()) {
    return std::nullopt;
  }
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return midnight + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + std::chrono::microseconds(micros) - offset;
}

}  // namespace holdfast
