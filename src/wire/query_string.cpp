#include "wire/query_string.h"

#include <utility>

#include "base/utf8.h"

namespace holdfast::wire {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
  return out;
}

QueryString QueryString::parse(std::string_view text) {
  QueryString query;
  while (!text.empty()) {
    const size_t end = text.find('&');
    const std::string_view piece = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (piece.empty()) continue;
    const size_t equals = piece.find('=');
    const std::string_view value_text =
        equals == std::string_view::npos ? std::string_view() : piece.substr(equals + 1);
    auto name = percent_decode(piece.substr(0, equals), true);
    auto value = percent_decode(value_text, true);
    const bool readable_name = name && is_valid_utf8(*name);
    if (readable_name && value && is_valid_utf8(*value)) {
      query.parameters_.push_back({std::move(*name), std::move(*value)});
    } else {
      query.broken_.push_back(readable_name ? std::move(*name)
                                            : percent_encode(piece.substr(0, equals)));
    }
  }
  return query;
}

const std::string* QueryString::find(std::string_view name) const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) return &parameter.value;
  }
  return nullptr;
}

std::vector<std::string> QueryString::values(std::string_view name) const {
  std::vector<std::string> found;
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) found.push_back(parameter.value);
  }
  return found;
}

}  // namespace holdfast::wire
