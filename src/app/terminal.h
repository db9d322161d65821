// What people see in a terminal: tables and progress. Programs use --json and get neither.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::app {

// A table with columns as wide as their content; the last column is cut to the terminal's width.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : head_(std::move(head)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // `width` 0: do not cut.
  std::string text(size_t width) const;

 private:
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
};

// The width of standard output if it is a terminal, else 0.
size_t terminal_width();

// A bar on standard error while something long is under way, if that is a terminal; otherwise one
// line at the start and one at the end. Not thread-safe.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `share` from 0 to 1; `note` stands behind the bar.
  void update(double share, std::string_view note = {});
  void done(std::string_view note = {});

 private:
  void draw(double share, std::string_view note);

  std::string what_;
  bool terminal_;
  bool finished_ = false;
  std::chrono::steady_clock::time_point drawn_ = {};
};

// Texts as cells: one line, without control characters (which a terminal would obey).
std::string one_line(std::string_view text);

}  // namespace holdfast::app
