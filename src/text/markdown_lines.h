// Lines of Markdown as they are within quotes and lists: without the marks and the indentation that
// belong to those. A parser keeps the positions of blocks, but of the lines in them only the first.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::text {

// A quote, or an item of a list.
struct MarkdownContainer {
  bool is_quote = false;
  int first_line = 0;  // counted from 1
  int width = 0;       // columns up to the content of an item; 0 is not yet known
};

class MarkdownLines {
 public:
  // `text` must outlive the lines and what they return.
  explicit MarkdownLines(std::string_view text);

  // Finds the widths that are not yet known. The outermost container comes first; the parser must
  // have found them, one within the other.
  void measure(std::span<MarkdownContainer> around) const;

  // A line from where it is within containers that were measured, without white space at both ends.
  // A line that goes on with a paragraph without the marks of all containers is text from there.
  std::string_view within(std::span<const MarkdownContainer> around, int line) const;

 private:
  std::string_view line_at(int line) const;

  std::vector<std::string_view> lines_;
};

}  // namespace holdfast::text
