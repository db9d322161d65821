#include "app/line_input.h"

#include <array>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "base/assert.h"

namespace holdfast::app {
namespace {

constexpr int kLookMillis = 500;
constexpr int kNapMillis = 1;
constexpr size_t kChunk = size_t{64} * 1024;

bool control(int epoll, int operation, int descriptor, uint32_t events) {
  epoll_event event{.events = events, .data = {.fd = descriptor}};
  return epoll_ctl(epoll, operation, descriptor, &event) == 0;
}

}  // namespace

LineInput::LineInput(Options options)
    : options_(std::move(options)),
      chunk_(kChunk, '\0'),
      lines_(options_.max_bytes, {.line =
                                      [this](std::string_view line) {
                                        waiting_.push_back({.text = std::string(line)});
                                      },
                                  .too_long = [this] { waiting_.push_back({.too_long = true}); }}),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  const bool can_ring = control(epoll_, EPOLL_CTL_ADD, bell_, EPOLLIN);
  HOLDFAST_ASSERT(can_ring);
  if (options_.signals >= 0) control(epoll_, EPOLL_CTL_ADD, options_.signals, EPOLLIN);
  can_watch_ = control(epoll_, EPOLL_CTL_ADD, options_.input, EPOLLONESHOT);
}

LineInput::~LineInput() {
  close(bell_);
  close(epoll_);
}

Turns::Step LineInput::next() {
  while (waiting_.empty() && !over_) read_more();
  if (waiting_.empty()) return {.ended = true};
  const Line line = std::move(waiting_.front());
  waiting_.pop_front();
  return {.work = options_.take(line), .more = over_ || !waiting_.empty()};
}

void LineInput::read_more() {
  std::array<pollfd, 2> sources = {{{.fd = options_.input, .events = POLLIN, .revents = 0},
                                    {.fd = options_.signals, .events = POLLIN, .revents = 0}}};
  const int ready = poll(sources.data(), sources.size(), kLookMillis);
  over_ = options_.is_gone() || (ready > 0 && sources[1].revents != 0);
  if (ready <= 0 || over_) return;
  const ssize_t count = ::read(options_.input, chunk_.data(), chunk_.size());
  if (count < 0 && errno == EINTR) return;
  over_ = count <= 0;
  if (over_) return lines_.finish();
  lines_.feed(std::string_view(chunk_).substr(0, static_cast<size_t>(count)));
}

void LineInput::stand_by() {
  epoll_event event;
  if (epoll_wait(epoll_, &event, 1, kLookMillis) <= 0) return;
  if (event.data.fd == bell_) {
    uint64_t rung = 0;
    static_cast<void>(!::read(bell_, &rung, sizeof rung));
  } else if (event.data.fd == options_.signals) {
    poll(nullptr, 0, kNapMillis);  // whoever asks for lines sees it too, and ends this
  }
}

// Watched once: what was told needs not be told again.
void LineInput::alert() {
  if (!can_watch_ || !control(epoll_, EPOLL_CTL_MOD, options_.input, EPOLLIN | EPOLLONESHOT))
    wake();
}

void LineInput::relax() {
  if (can_watch_) control(epoll_, EPOLL_CTL_MOD, options_.input, EPOLLONESHOT);
}

void LineInput::wake() {
  const uint64_t once = 1;
  static_cast<void>(!write(bell_, &once, sizeof once));
}

}  // namespace holdfast::app
