// Options that several requests share.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "surface/observations/observation_schemas.h"
#include "wire/control_characters.h"

namespace holdfast::surface::observations::field {
namespace {

using wire::FieldOption;
using wire::length;
using wire::no_controls;
using wire::no_echo;
using wire::Reading;

bool is_lower(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); }

bool is_handle(std::string_view handle) {
  return !handle.empty() && is_lower(handle.front()) &&
         std::ranges::all_of(handle, [](char c) { return is_lower(c) || c == '_' || c == '-'; });
}

bool stays_in_markdown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 ? byte != 0x7f : (c == '\n' || c == '\t' || c == '\0');
}

bool has_more_than_markdown(std::string_view text) {
  size_t at = wire::find_control(text);
  while (at < text.size() && stays_in_markdown(text[at])) at = wire::find_control(text, at + 1);
  return at < text.size();
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
  return wire::adjusted([](const Value& value) -> std::optional<Value> {
    const auto* text = value.if_string();
    if (text == nullptr || !has_more_than_markdown(*text)) return std::nullopt;
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
    return Value(std::move(out));
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
        const std::string_view inner = wire::has_visible_ends(*text) ? *text : trim_space(*text);
        if (!wire::has_length(inner, min, SIZE_MAX))
          reading.add(wire::rule::kLengthMin, {{"min", std::to_string(min)}});
        if (!wire::has_length(*text, 0, max))
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
             return is_ascii_alnum(c) || c == '.' || c == '_' || c == '-';
           });
         });
}

bool is_slug(std::string_view slug) {
  return !slug.empty() && is_lower(slug.front()) &&
         std::ranges::all_of(slug, [](char c) { return is_lower(c) || c == '-'; });
}

FieldOption slug() {
  return FieldOption([](wire::FieldParts& parts) {
    length(3, 50).apply(parts);
    wire::matching("lower-case letters, digits and -", is_slug).apply(parts);
  });
}

FieldOption handle() {
  return FieldOption([](wire::FieldParts& parts) {
    length(3, 30).apply(parts);
    wire::matching("lower-case letters, digits, _ and -", is_handle).apply(parts);
  });
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
