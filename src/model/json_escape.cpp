#include "model/json_escape.h"

#include <array>

#include <fmt/format.h>

namespace holdfast::json_escape {
namespace {

// What stands behind the backslash, for each character; 0: a number does.
constexpr auto kShort = [] {
  std::array<char, 256> out = {};
  for (const char c : {'"', '\\'}) out[static_cast<unsigned char>(c)] = c;
  out['\n'] = 'n';
  out['\r'] = 'r';
  out['\t'] = 't';
  out['\b'] = 'b';
  out['\f'] = 'f';
  return out;
}();

}  // namespace

char* put_escape(char* to, char c) {
  const char behind = kShort[static_cast<unsigned char>(c)];
  to[0] = '\\';
  to[1] = behind;
  return behind != 0 ? to + 2 : fmt::format_to(to + 1, "u{:04x}", static_cast<unsigned>(c));
}

char* put_escaped(char* to, std::string_view text) {
#if defined(__SSE2__)
  // JSON within JSON has something to escape in most blocks. They are found once a block, and
  // behind each of them a whole block is written, of which the next escape is written over what is
  // too much. So another block has to follow.
  for (; text.size() >= 2 * Block::kSize; text.remove_prefix(Block::kSize)) {
    const char* from = text.data();
    const char* const end = from + Block::kSize;
    const Block block(from);
    block.copy_to(to);
    for (unsigned marks = block.marks(); marks != 0; marks &= marks - 1) {
      const char* const special = text.data() + std::countr_zero(marks);
      to = put_escape(to + (special - from), *special);
      from = special + 1;
      Block(from).copy_to(to);
    }
    to += end - from;
  }
#endif
  for (;;) {
    const size_t plain = put_plain(to, text);
    to += plain;
    if (plain == text.size()) return to;
    to = put_escape(to, text[plain]);
    text.remove_prefix(plain + 1);
  }
}

}  // namespace holdfast::json_escape
