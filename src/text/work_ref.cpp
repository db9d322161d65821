#include "text/work_ref.h"

#include "base/utf8.h"

namespace holdfast::text {

std::optional<std::string> normalise_work_ref(std::string_view text) {
  std::string_view rest = trim_space(text);
  const std::string folded = fold_case(rest);
  if (count_code_points(folded) > kMaxWorkRefCodePoints) return std::nullopt;
  std::string out;
  bool separated = false;
  for (rest = folded; !rest.empty();) {
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
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace holdfast::text
