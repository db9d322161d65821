#include "service/observation/left_out_titles.h"

#include <charconv>

#include "base/assert.h"

namespace holdfast::service::observation {
namespace {

constexpr char kMark = '\x1f';  // JSON text has none: the number of an item stands between two

}  // namespace

void leave_out_title(std::string& out, size_t item) {
  out += kMark;
  out += std::to_string(item);
  out += kMark;
}

std::string with_titles(std::string_view text, const TitleOf& title_of) {
  std::string out;
  out.reserve(2 * text.size());
  while (true) {
    const size_t begin = text.find(kMark);
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin + 1);
    size_t item = 0;
    const char* end = std::from_chars(text.data(), text.data() + text.size(), item).ptr;
    HOLDFAST_ASSERT(end != text.data() + text.size() && *end == kMark);
    out += title_of(item);
    text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  }
}

}  // namespace holdfast::service::observation
