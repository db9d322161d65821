#include "text/code/python_docs.h"

#include "base/utf8.h"
#include "text/lines.h"

namespace holdfast::text::python {
namespace {

enum class Section { kText, kParameters, kReturns };

// The section a line opens; kText for an ordinary line.
Section opened_by(std::string_view line) {
  const std::string_view name = trim_space(line);
  if (name == "Args:" || name == "Arguments:" || name == "Parameters:") return Section::kParameters;
  if (name == "Returns:" || name == "Return:") return Section::kReturns;
  return Section::kText;
}

void append(std::string& to, std::string_view text, std::string_view between) {
  if (!to.empty()) to += between;
  to += text;
}

// `name: text` or `name (type): text` opens a parameter; the name without its stars.
std::string_view parameter_name(std::string_view line) {
  const size_t end = line.find_first_of(" :(");
  if (end == std::string_view::npos || line.find(':') == std::string_view::npos) return {};
  return line.substr(0, end);
}

class Reader {
 public:
  void line(std::string_view raw) {
    const std::string_view text = trim_space(raw);
    const size_t indent = raw.find_first_not_of(" \t");
    if (const Section opened = opened_by(raw); opened != Section::kText) {
      section_ = opened;
      header_indent_ = indent;
      entry_indent_ = std::string_view::npos;
      return;
    }
    // A line no deeper than the section's name ends it.
    if (section_ != Section::kText && !text.empty() && indent <= header_indent_)
      section_ = Section::kText;
    if (section_ == Section::kText) append(sections_.text, raw, "\n");
    if (text.empty() || section_ == Section::kText) return;
    if (section_ == Section::kReturns) return append(sections_.returns, text, " ");
    parameter(text, indent);
  }

  DocSections take() {
    sections_.text = trim_space(sections_.text);
    return std::move(sections_);
  }

 private:
  void parameter(std::string_view text, size_t indent) {
    if (entry_indent_ == std::string_view::npos) entry_indent_ = indent;
    const std::string_view name = indent <= entry_indent_ ? parameter_name(text) : "";
    if (name.empty()) {
      if (!current_.empty()) append(sections_.parameters[current_], text, " ");
      return;
    }
    current_ = name;
    sections_.parameters[current_] = trim_space(text.substr(text.find(':') + 1));
  }

  DocSections sections_ = {};
  Section section_ = Section::kText;
  size_t header_indent_ = 0;
  size_t entry_indent_ = std::string_view::npos;
  std::string current_ = {};
};

}  // namespace

DocSections split_doc(std::string_view doc) {
  Reader reader;
  for (const std::string_view line : split_lines(doc)) reader.line(line);
  return reader.take();
}

}  // namespace holdfast::text::python
