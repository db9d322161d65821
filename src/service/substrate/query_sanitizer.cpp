// Agents sometimes pass a whole prompt as the query; the question in it is what they mean.
#include <array>
#include <optional>

#include "base/utf8.h"
#include "service/substrate/query_plan.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kMaxQuery = 400;  // code points

constexpr std::array<std::string_view, 7> kLabels = {"user question", "question", "query", "task",
                                                     "用户问题",      "问题",     "任务"};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The text after a label and its colon.
std::optional<std::string> labelled(std::string_view line) {
  const std::string_view trimmed = trim_space(line);
  const std::string folded = lower(trimmed);
  for (const std::string_view label : kLabels) {
    if (!folded.starts_with(label)) continue;
    std::string_view rest = trim_space(trimmed.substr(label.size()));
    for (const std::string_view colon : {":", "："}) {
      if (!rest.starts_with(colon)) continue;
      const std::string_view text = trim_space(rest.substr(colon.size()));
      if (!text.empty()) return std::string(text);
    }
  }
  return std::nullopt;
}

std::optional<std::string> labelled_line(std::string_view text) {
  const auto lines = lines_of(text);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (auto found = labelled(*line)) return found;
  }
  return std::nullopt;
}

bool ends_sentence(int32_t point) {
  return point == 0x3002 || point == 0xff01 || point == 0xff1f || point == '!' || point == '?' ||
         point == '\n';
}

// Sentences keep the mark that ends them.
std::optional<std::string> question(std::string_view text) {
  const auto points = code_points(text);
  std::optional<std::string> last;
  size_t begin = 0;
  for (size_t i = 0; i <= points.size(); ++i) {
    if (i < points.size() && !ends_sentence(points[i])) continue;
    const size_t end = std::min(i + 1, points.size());
    const std::string sentence(trim_space(text_of(points, begin, end)));
    const bool asks =
        sentence.find('?') != std::string::npos || sentence.find("？") != std::string::npos;
    if (asks && count_code_points(sentence) >= 3) last = sentence;
    begin = end;
  }
  return last;
}

std::string tail(std::string_view text) {
  const auto points = code_points(text);
  return text_of(points, points.size() - std::min(points.size(), kMaxQuery), points.size());
}

}  // namespace

SanitizedQuery sanitize_query(std::string_view given) {
  const std::string_view trimmed = trim_space(given);
  SanitizedQuery out{.original_length = static_cast<int64_t>(count_code_points(given))};
  if (count_code_points(trimmed) <= kMaxQuery) {
    out.method = "passthrough";
    out.text = squeeze(trimmed);
  } else {
    std::string picked;
    if (auto line = labelled_line(trimmed)) {
      out.method = "labeled_line";
      picked = std::move(*line);
    } else if (auto sentence = question(trimmed)) {
      out.method = "question_sentence";
      picked = std::move(*sentence);
    } else {
      out.method = "tail_truncation";
      picked = tail(trimmed);
    }
    out.text = std::string(prefix_code_points(squeeze(picked), kMaxQuery));
  }
  out.clean_length = static_cast<int64_t>(count_code_points(out.text));
  out.was_sanitized = out.text != squeeze(given);
  return out;
}

}  // namespace holdfast::service::substrate
