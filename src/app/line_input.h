// The lines of a descriptor, for threads that take turns at them (base/turns.h): until it ends, a
// signal comes or whoever reads the answers has gone. Anything that can be read will do: a pipe, a
// socket, a terminal, a file.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "base/turns.h"
#include "mcp/lines.h"

namespace holdfast::app {

class LineInput : public Turns::Source {
 public:
  struct Line {
    std::string text = {};
    bool too_long = false;  // and not kept
  };
  struct Options {
    int input;
    int signals;  // readable when a signal has come; -1: none does
    size_t max_bytes;
    std::function<bool()> is_gone;  // asked now and then
    // Called with one line after the other; what may take long is returned.
    std::function<Turns::Work(const Line& line)> take;
  };

  explicit LineInput(Options options);
  ~LineInput() override;
  LineInput(const LineInput&) = delete;
  LineInput& operator=(const LineInput&) = delete;

  Turns::Step next() override;
  void stand_by() override;
  void alert() override;
  void relax() override;
  void wake() override;

 private:
  void read_more();

  const Options options_;
  bool over_ = false;
  std::string chunk_;
  std::deque<Line> waiting_;
  mcp::LineReader lines_;
  // Of who stands by: the input, where the system can watch it (it watches no files), and the bell.
  const int epoll_;
  const int bell_;
  bool can_watch_ = false;
};

}  // namespace holdfast::app
