#include "text/work_ref.h"

#include "base/utf8.h"
#include "text/characters.h"

namespace holdfast::text {

namespace {

std::string joined_by_dashes(std::string_view folded) {
  std::string out;
  bool separated = false;
  for (std::string_view rest = folded; !rest.empty();) {
    const std::string_view point = prefix_code_points(rest, 1);
    rest.remove_prefix(point.size());
    if (point == "_" || point == "-" || trim_space(point).empty()) {
      separated = true;
      continue;
    }
    if (separated && !out.empty()) out += '-';
    separated = false;
    out += point;
  }
  return out;
}

bool is_letter_at(std::string_view text, size_t at) {
  const FoldedChars chars = fold_char_at(text, at);
  return chars.count > 0 && class_of(chars.points.front()) == CharClass::kLetter;
}

bool is_letter_before(std::string_view text, size_t at) {
  if (at == 0) return false;
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
  return is_letter_at(text, at);
}

}  // namespace

std::optional<std::string> normalise_work_ref(std::string_view text) {
  const std::string folded = fold_case(trim_space(text));
  if (count_code_points(folded) > kMaxWorkRefCodePoints) return std::nullopt;
  std::string out = joined_by_dashes(folded);
  if (out.empty()) return std::nullopt;
  return out;
}

std::string in_ref_spelling(std::string_view text) { return joined_by_dashes(fold_case(text)); }

bool mentions_ref(std::string_view spelled, std::string_view ref) {
  for (size_t at = spelled.find(ref); at != std::string_view::npos;
       at = spelled.find(ref, at + 1)) {
    const size_t end = at + ref.size();
    if (!is_letter_before(spelled, at) && (end == spelled.size() || !is_letter_at(spelled, end)))
      return true;
  }
  return false;
}

}  // namespace holdfast::text
