#include "model/json_escape.h"

#include <fmt/format.h>

namespace holdfast::json_escape {

char* put_escape(char* to, char c) {
  *to++ = '\\';
  switch (c) {
    case '"': *to++ = '"'; return to;
    case '\\': *to++ = '\\'; return to;
    case '\n': *to++ = 'n'; return to;
    case '\r': *to++ = 'r'; return to;
    case '\t': *to++ = 't'; return to;
    case '\b': *to++ = 'b'; return to;
    case '\f': *to++ = 'f'; return to;
    default: return fmt::format_to(to, "u{:04x}", static_cast<unsigned>(c));
  }
}

char* put_escaped(char* to, std::string_view text) {
  for (;;) {
    const size_t plain = put_plain(to, text);
    to += plain;
    if (plain == text.size()) return to;
    to = put_escape(to, text[plain]);
    text.remove_prefix(plain + 1);
  }
}

}  // namespace holdfast::json_escape
