// Options that several requests share.
#include <algorithm>

#include "base/utf8.h"
#include "surface/observations/observation_schemas.h"

namespace holdfast::surface::observations::field {
namespace {

using wire::FieldOption;
using wire::length;
using wire::no_controls;
using wire::no_echo;
using wire::Reading;

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool stays_in_markdown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 ? byte != 0x7f : (c == '\n' || c == '\t' || c == '\0');
}

}  // namespace

FieldOption id() {
  return FieldOption([](wire::FieldParts& parts) {
    length(1, 80).apply(parts);
    no_controls().apply(parts);
  });
}

FieldOption no_line_break() {
  return wire::rule_of([](const Value& value, Reading& reading) {
    const auto* text = value.if_string();
    if (text == nullptr) return;
    const bool broken = text->find("\xE2\x80\xA8") != std::string::npos ||
                        text->find("\xE2\x80\xA9") != std::string::npos;
    if (broken) reading.add(wire::rule::kFormat, {{"expected", "one line"}});
  });
}

FieldOption title() {
  return FieldOption([](wire::FieldParts& parts) {
    wire::trimmed().apply(parts);
    no_controls().apply(parts);
    no_line_break().apply(parts);
    no_echo().apply(parts);
  });
}

FieldOption markdown() {
  return wire::adjusted([](Value& value) {
    const auto* text = value.if_string();
    if (text == nullptr || std::ranges::all_of(*text, stays_in_markdown)) return;
    std::string out;
    out.reserve(text->size());
    for (size_t i = 0; i < text->size(); ++i) {
      const char c = (*text)[i];
      if (c == '\r') {
        if (i + 1 == text->size() || (*text)[i + 1] != '\n') out += '\n';
      } else if (stays_in_markdown(c)) {
        out += c;
      }
    }
    value = Value(std::move(out));
  });
}

// The shortest is counted without white space around it, the longest as it is stored.
FieldOption markdown_length(size_t min, size_t max) {
  return wire::rule_of(
      [min, max](const Value& value, Reading& reading) {
        const auto* text = value.if_string();
        if (text == nullptr) return;
        if (text->find('\0') != std::string::npos)
          reading.add(wire::rule::kFormat, {{"expected", "without U+0000"}});
        if (count_code_points(trim_space(*text)) < min)
          reading.add(wire::rule::kLengthMin, {{"min", std::to_string(min)}});
        if (count_code_points(*text) > max)
          reading.add(wire::rule::kLengthMax, {{"max", std::to_string(max)}});
      },
      [min, max](Value& schema) {
        schema.set("minLength", min);
        schema.set("maxLength", max);
      });
}

bool is_repository(std::string_view name) {
  return name.empty() || all_segments(name, [](std::string_view segment) {
           return !segment.empty() && std::ranges::all_of(segment, [](char c) {
             return is_alnum(c) || c == '.' || c == '_' || c == '-';
           });
         });
}

bool is_slug(std::string_view slug) {
  const auto lower = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !slug.empty() && lower(slug.front()) &&
         std::ranges::all_of(slug, [&](char c) { return lower(c) || c == '-'; });
}

bool all_segments(std::string_view path, bool (*good)(std::string_view)) {
  while (true) {
    const size_t slash = path.find('/');
    if (!good(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace holdfast::surface::observations::field
