// Markdown prepared for a parser that knows HTML, so that it sees none: every `<` that could only
// begin a tag is replaced by another punctuation mark that the text does not use, and put back when
// the result is read. Links in angle brackets keep theirs, and so does what a backslash escapes.
// So is the `&` of a numeric reference that is too long for CommonMark, but not for the parser.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

class MarkdownSource {
 public:
  explicit MarkdownSource(std::string_view markdown);

  const std::string& text() const { return text_; }
  // A piece of the parsed text with its `<` and `&` again. nullptr is empty.
  std::string restored(const char* piece) const;
  std::string restored(std::string_view piece) const;

 private:
  void choose_marks(std::string_view markdown);

  std::string_view less_;       // stands for `<`; one of a constant table
  std::string_view ampersand_;  // stands for `&`, or empty if the text leaves none free
  std::string text_;
};

}  // namespace holdfast::text
