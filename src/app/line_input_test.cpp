#include "app/line_input.h"

#include <functional>
#include <semaphore>
#include <sys/socket.h>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace holdfast::app {
namespace {

// Both ends of something that carries bytes.
struct Ends {
  int from = -1;
  int to = -1;
};

Ends make_pipe() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  return {ends[0], ends[1]};
}

Ends make_sockets() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {ends[0], ends[1]};
}

// A file that is empty at first; nothing tells when it grows.
Ends make_file() {
  char path[] = "/tmp/line_input_XXXXXX";
  const int to = mkstemp(path);
  const int from = open(path, O_RDONLY | O_CLOEXEC);
  unlink(path);
  return {from, to};
}

// Lines of a descriptor, taken by threads as `holdfast mcp` does. "long" waits for "free", which
// is done at once; anything else is noted.
class Reader {
 public:
  explicit Reader(Ends ends, int signals = -1) : ends_(ends), signals_(signals) {}
  ~Reader() {
    close(ends_.from);
    if (ends_.to >= 0) close(ends_.to);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void write_text(std::string_view text) const {
    ASSERT_EQ(write(ends_.to, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void end() { close(std::exchange(ends_.to, -1)); }
  void set_free() { free_.release(); }
  // `at_end`: when the lines have ended, calls may still be under way.
  void run(const std::function<void()>& at_end = [] {}) {
    LineInput input({.input = ends_.from,
                     .signals = signals_,
                     .max_bytes = 100,
                     .is_gone = [this] { return gone.load(); },
                     .take = [this](const LineInput::Line& line) { return take(line); }});
    Turns turns(8, input);
    turns.run();
    at_end();
  }

  std::atomic<bool> gone = false;
  std::atomic<bool> in_long = false;
  std::counting_semaphore<1000> answered{0};
  std::atomic<int> long_ones = 0;
  std::string noted;  // when run() has returned

 private:
  Turns::Work take(const LineInput::Line& line) {
    if (line.text == "free") return set_free(), Turns::Work();
    if (line.text != "long" && line.text != "call") {
      noted += line.too_long ? "(too long)" : line.text;
      return answered.release(), Turns::Work();
    }
    return [this, is_long = line.text == "long"]() -> Turns::Last {
      in_long = is_long;
      if (is_long) free_.acquire(), ++long_ones;
      return [this] { answered.release(); };
    };
  }

  Ends ends_;
  const int signals_;
  std::counting_semaphore<1000> free_{0};
};

void expect_calls_run_while_lines_are_read(Ends ends) {
  Reader reader(ends);
  std::jthread thread([&] { reader.run(); });
  for (int i = 0; i < 20; ++i) {
    reader.write_text("call\n");
    reader.answered.acquire();
    reader.write_text("long\n");
    reader.write_text("long\nnote\n");
    reader.answered.acquire();  // the note, although two are under way
    reader.write_text("free\n");
    reader.write_text("free\n");
    reader.answered.acquire();
    reader.answered.acquire();
  }
  reader.end();
  thread.join();
  EXPECT_EQ(reader.long_ones.load(), 40);
  EXPECT_EQ(reader.noted.size(), 20 * std::string_view("note").size());
}

TEST(LineInputTest, CallsRunWhileLinesAreReadFromAPipe) {
  expect_calls_run_while_lines_are_read(make_pipe());
}

TEST(LineInputTest, CallsRunWhileLinesAreReadFromASocket) {
  expect_calls_run_while_lines_are_read(make_sockets());
}

TEST(LineInputTest, AFileIsReadToItsEnd) {
  Reader reader(make_file());
  reader.write_text("a\nlong\ncall\nb\nlong\nfree\nfree\nc");
  reader.run();
  EXPECT_EQ(reader.noted, "abc");
  EXPECT_EQ(reader.long_ones.load(), 2);
}

TEST(LineInputTest, LinesKeepTheirOrder) {
  Reader reader(make_pipe());
  reader.write_text("1\n2\ncall\n3\n" + std::string(101, 'x') + "\r\n4\r\n5");
  reader.end();
  reader.run();
  EXPECT_EQ(reader.noted, "123(too long)45");
}

void expect_end_during_a_call(const std::function<void(Reader&)>& end_it, int signals) {
  Reader reader(make_pipe(), signals);
  std::jthread thread([&] {
    reader.write_text("call\n");
    reader.answered.acquire();
    reader.write_text("long\n");
    while (!reader.in_long.load()) std::this_thread::yield();
    end_it(reader);
  });
  reader.run([&] { reader.set_free(); });
  EXPECT_EQ(reader.long_ones.load(), 1);
}

TEST(LineInputTest, TheEndIsSeenWhileACallIsUnderWay) {
  expect_end_during_a_call([](Reader& reader) { reader.end(); }, -1);
}

TEST(LineInputTest, ASignalEndsItWhileACallIsUnderWay) {
  const Ends signals = make_pipe();
  expect_end_during_a_call([&](Reader&) { EXPECT_EQ(write(signals.to, "!", 1), 1); }, signals.from);
  close(signals.from);
  close(signals.to);
}

TEST(LineInputTest, ItEndsWhenTheOtherSideHasGoneWhileACallIsUnderWay) {
  expect_end_during_a_call([](Reader& reader) { reader.gone = true; }, -1);
}

}  // namespace
}  // namespace holdfast::app
