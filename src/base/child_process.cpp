#include "base/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

namespace holdfast {
namespace {

Error failure(const char* what) {
  return Error{.code = ErrorCode::kUnavailable,
               .message = "A helper program could not be run.",
               .detail = std::string(what) + ": " + std::generic_category().message(errno)};
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
    return true;
  }
};

// posix_spawn's lists, freed in every case.
class SpawnSetup {
 public:
  SpawnSetup(int input, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  int spawn(pid_t& pid, const std::vector<std::string>& command) const {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return ::posix_spawnp(&pid, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// A child that is killed and reaped when this goes, unless it was waited for.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void limit(size_t memory_bytes, std::chrono::milliseconds timeout) const {
    const rlimit memory{memory_bytes, memory_bytes};
    ::prlimit(pid_, RLIMIT_AS, &memory, nullptr);
    // Also ends it when this process dies and leaves it busy.
    const auto seconds = static_cast<rlim_t>(timeout.count() / 1000 + 2);
    const rlimit processor{seconds, seconds};
    ::prlimit(pid_, RLIMIT_CPU, &processor, nullptr);
  }

  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t pid_;
};

// Feeds and drains a child without ever waiting on one side only.
class Talk {
 public:
  Talk(const ChildOrder& order, Descriptor& to, Descriptor& from)
      : order_(order), to_(to), from_(from) {
    ::fcntl(to_.number(), F_SETFL, O_NONBLOCK);
    ::fcntl(from_.number(), F_SETFL, O_NONBLOCK);
  }

  Result<std::string> run() {
    const auto end = std::chrono::steady_clock::now() + order_.timeout;
    while (from_.is_open()) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0) return late();
      std::array<pollfd, 2> waits = {{{from_.number(), POLLIN, 0}, {to_.number(), POLLOUT, 0}}};
      const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(left.count()));
      if (ready < 0 && errno != EINTR) return failure("poll");
      if (ready <= 0) continue;
      if (waits[1].revents != 0) feed();
      if (waits[0].revents != 0) drain();
      if (output_.size() > order_.max_output_bytes) return too_much();
    }
    return std::move(output_);
  }

 private:
  void feed() {
    if (sent_ < order_.input.size()) {
      const ssize_t count =
          ::write(to_.number(), order_.input.data() + sent_, order_.input.size() - sent_);
      if (count > 0) sent_ += static_cast<size_t>(count);
      if (count < 0 && errno != EAGAIN && errno != EINTR) to_.close();  // it reads no more
    }
    if (to_.is_open() && sent_ == order_.input.size()) to_.close();
  }

  void drain() {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from_.number(), buffer.data(), buffer.size());
    if (count > 0) {
      output_.append(buffer.data(), static_cast<size_t>(count));
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      from_.close();
    }
  }

  Error late() const {
    return Error{.code = ErrorCode::kDeadlineExceeded,
                 .message = "A helper program took too long.",
                 .detail = order_.command[0]};
  }
  Error too_much() const {
    return Error{.code = ErrorCode::kTooLarge,
                 .message = "A helper program gave too much.",
                 .detail = order_.command[0]};
  }

  const ChildOrder& order_;
  Descriptor& to_;
  Descriptor& from_;
  size_t sent_ = 0;
  std::string output_ = {};
};

// A child that stops reading must not end us with SIGPIPE. Masked for this thread only; a signal
// that arrived meanwhile is taken away.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    const timespec now{};
    while (sigtimedwait(&pipe_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

}  // namespace

Result<ChildOutcome> run_child(const ChildOrder& order) {
  Pipe input;
  Pipe output;
  if (!input.open() || !output.open()) return failure("pipe");
  pid_t pid = 0;
  const SpawnSetup setup(input.read_end.number(), output.write_end.number());
  if (const int error = setup.spawn(pid, order.command); error != 0) {
    if (error == ENOENT) return not_found("program", order.command[0]);
    errno = error;
    return failure("posix_spawnp");
  }
  Child child(pid);
  child.limit(order.max_memory_bytes, order.timeout);
  input.read_end.close();
  output.write_end.close();
  const NoBrokenPipe no_signal;
  HOLDFAST_TRY(auto text, Talk(order, input.write_end, output.read_end).run());
  return ChildOutcome{.exit_code = child.wait(), .output = std::move(text)};
}

}  // namespace holdfast
