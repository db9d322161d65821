#include "service/continuity/letters.h"

#include <array>

#include <fmt/format.h>
#include <utf8proc.h>

#include "base/utf8.h"

namespace holdfast::service::continuity {
namespace {

// Calls `visit` with every code point and its bytes; bytes that are none are given as they are.
template <typename Visit>
void for_each_point(std::string_view text, Visit&& visit) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t point = -1;
    utf8proc_ssize_t size = utf8proc_iterate(at, left, &point);
    if (size <= 0) size = 1;
    visit(point, std::string_view(reinterpret_cast<const char*>(at), static_cast<size_t>(size)));
    at += size;
    left -= size;
  }
}

bool is_printable(utf8proc_int32_t point) {
  if (point == ' ') return true;
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: return true;
  }
}

std::string escaped(utf8proc_int32_t point) {
  if (point == '\n') return "\\n";
  if (point == '\t') return "\\t";
  if (point == '\r') return "\\r";
  const auto number = static_cast<uint32_t>(point);
  if (number < 0x100) return fmt::format("\\x{:02x}", number);
  return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out;
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view bytes) {
    const utf8proc_int32_t lower = point < 0 ? point : utf8proc_tolower(point);
    if (lower == point) {
      out += bytes;
      return;
    }
    std::array<utf8proc_uint8_t, 4> buffer{};
    const auto size = utf8proc_encode_char(lower, buffer.data());
    out.append(reinterpret_cast<const char*>(buffer.data()), static_cast<size_t>(size));
  });
  return out;
}

bool has_control(std::string_view text) {
  bool found = false;
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view) {
    found = found || utf8proc_category(point) == UTF8PROC_CATEGORY_CC;
  });
  return found;
}

bool has_more_than_blanks(std::string_view text) {
  bool found = false;
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view bytes) {
    const bool control = utf8proc_category(point) == UTF8PROC_CATEGORY_CC;
    found = found || (!control && !trim_space(bytes).empty());
  });
  return found;
}

std::string quoted_literal(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for_each_point(text, [&](utf8proc_int32_t point, std::string_view bytes) {
    if (point == '\\' || point == quote) {
      out += '\\';
      out += bytes;
    } else if (point >= 0 && !is_printable(point)) {
      out += escaped(point);
    } else {
      out += bytes;
    }
  });
  out += quote;
  return out;
}

}  // namespace holdfast::service::continuity
