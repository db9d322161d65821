#include "text/markdown_lines.h"

#include <algorithm>

namespace holdfast::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kTabStop = 4;
constexpr int kCodeIndent = 4;  // so far from its container a line is code or goes on with text

bool is_space(char c) { return c == ' ' || c == '\t'; }

// A place in a line. Columns matter, because a tab may belong to a container in part.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : rest_(line) {}

  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::string_view rest() const { return rest_; }

  void advance(int columns) {
    for (; columns > 0 && !rest_.empty(); --columns) {
      const bool within_tab = rest_.front() == '\t' && (column_ + 1) % kTabStop != 0;
      ++column_;
      if (!within_tab) rest_.remove_prefix(1);
    }
  }

  // Moves to what is no white space and returns the columns between.
  int skip_spaces() {
    const int before = column_;
    while (is_space(next())) advance(1);
    return column_ - before;
  }

 private:
  std::string_view rest_;
  int column_ = 0;
};

bool enter_quote(Cursor& cursor) {
  Cursor ahead = cursor;
  if (ahead.skip_spaces() >= kCodeIndent || ahead.next() != '>') return false;
  ahead.advance(1);
  if (is_space(ahead.next())) ahead.advance(1);
  cursor = ahead;
  return true;
}

bool enter_item(Cursor& cursor, const MarkdownContainer& item, int line) {
  if (line != item.first_line) {
    Cursor ahead = cursor;
    if (ahead.skip_spaces() < item.width && !ahead.rest().empty()) return false;
  }
  cursor.advance(item.width);
  return true;
}

// A line within as many containers as its marks and indentation allow.
Cursor enter(std::string_view text, std::span<const MarkdownContainer> around, int line) {
  Cursor cursor(text);
  for (const MarkdownContainer& container : around) {
    const bool inside =
        container.is_quote ? enter_quote(cursor) : enter_item(cursor, container, line);
    if (!inside) break;
  }
  return cursor;
}

// From the first line of an item: `- ` and `12. ` with the white space around them, of which there
// is one column where the item begins with code or with nothing.
int item_width(Cursor cursor) {
  const int indent = cursor.skip_spaces();
  const std::string_view text = cursor.rest();
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const int mark = static_cast<int>(digits) + 1;
  cursor.advance(mark);
  const int gap = cursor.skip_spaces();
  const bool one = gap < 1 || gap > kCodeIndent || cursor.rest().empty();
  return indent + mark + (one ? 1 : gap);
}

}  // namespace

MarkdownLines::MarkdownLines(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    lines_.push_back(text.substr(0, end));
    text.remove_prefix(end);
    const size_t line_end = text.starts_with("\r\n") ? 2 : 1;
    text.remove_prefix(std::min(line_end, text.size()));
  }
}

void MarkdownLines::measure(std::span<MarkdownContainer> around) const {
  for (size_t at = 0; at < around.size(); ++at) {
    MarkdownContainer& item = around[at];
    if (item.is_quote || item.width != 0) continue;
    item.width = item_width(enter(line_at(item.first_line), around.first(at), item.first_line));
  }
}

std::string_view MarkdownLines::within(std::span<const MarkdownContainer> around, int line) const {
  Cursor cursor = enter(line_at(line), around, line);
  cursor.skip_spaces();
  const std::string_view rest = cursor.rest();
  return rest.substr(0, rest.find_last_not_of(" \t") + 1);
}

std::string_view MarkdownLines::line_at(int line) const {
  const auto index = static_cast<size_t>(line) - 1;
  return index < lines_.size() ? lines_[index] : std::string_view();
}

}  // namespace holdfast::text
