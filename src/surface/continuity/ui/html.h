// Pieces of HTML. Texts and attribute values get in only through functions that escape them; names
// of tags and attributes are literals of this program.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::surface::continuity::ui {

class Html {
 public:
  Html() = default;
  Html(std::string_view text);    // NOLINT(google-explicit-constructor): texts are escaped
  Html(const std::string& text);  // NOLINT(google-explicit-constructor)
  Html(const char* text);         // NOLINT(google-explicit-constructor)

  Html& operator+=(const Html& other) {
    source_ += other.source_;
    return *this;
  }
  bool empty() const { return source_.empty(); }
  const std::string& source() const { return source_; }

 private:
  friend struct HtmlMaker;
  std::string source_ = {};
};

inline Html operator+(Html left, const Html& right) { return left += right; }

struct Attribute {
  const char* name;
  std::string value;
};

// <tag name="value">inner</tag>
Html element(const char* tag, const Html& inner = {}, const std::vector<Attribute>& with = {});
// Elements that have no inside: link, meta, input.
Html lone(const char* tag, const std::vector<Attribute>& with);
// A whole page in English.
std::string document(const Html& head, const Html& body);

// /ui/a/b: every step percent-encoded.
std::string address(std::initializer_list<std::string_view> steps);

}  // namespace holdfast::surface::continuity::ui
