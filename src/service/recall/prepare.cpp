#include "service/recall/prepare.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/recall/words.h"
#include "text/sentences.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kLongest = 400;
constexpr size_t kExcerpt = 160;

constexpr std::array<std::string_view, 22> kInterrogatives = {
    "what",  "which", "why",  "how", "when", "where", "who", "should", "shall", "can",  "could",
    "would", "do",    "does", "did", "is",   "are",   "was", "were",   "will",  "have", "has"};

bool asks(std::string_view sentence) {
  if (text::ends_as_question(sentence)) return true;
  const std::vector<Word> words = words_of(sentence);
  if (words.empty()) return false;
  if (words[0].text == "do" && words.size() > 1 && words[1].text == "not") return false;
  return std::ranges::find(kInterrogatives, words[0].text) != kInterrogatives.end();
}

void drop_marker(std::string_view& line) {
  size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  if (digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
      line[digits + 1] == ' ') {
    line = trim_space(line.substr(digits + 1));
    return;
  }
  for (const std::string_view mark : {"- ", "* ", "+ ", "• "}) {
    if (line.starts_with(mark)) {
      line = trim_space(line.substr(mark.size()));
      return;
    }
  }
}

std::optional<bool> drop_box(std::string_view& line) {
  if (line.size() < 3 || line[0] != '[' || line[2] != ']') return std::nullopt;
  const char mark = line[1];
  if (mark != ' ' && mark != 'x' && mark != 'X') return std::nullopt;
  line = trim_space(line.substr(3));
  return mark != ' ';
}

void drop_marks(std::string_view& line) {
  while (line.starts_with('#')) line.remove_prefix(1);
  line = trim_space(line);
  for (const std::string_view mark : {"**", "__", "`"}) {
    if (line.size() > 2 * mark.size() && line.starts_with(mark) && line.ends_with(mark)) {
      line.remove_prefix(mark.size());
      line.remove_suffix(mark.size());
    }
  }
}

std::string shortened(std::string_view sentence) {
  if (count_code_points(sentence) <= kLongest) return std::string(sentence);
  std::string_view head = prefix_code_points(sentence, kLongest);
  const size_t blank = head.find_last_of(' ');
  if (blank != std::string_view::npos) head = head.substr(0, blank);
  return std::string(head) + "…";
}

std::string without_comments(std::string_view content) {
  std::string out;
  for (size_t at = 0; at < content.size();) {
    const size_t begin = std::min(content.find("<!--", at), content.size());
    out += content.substr(at, begin - at);
    if (begin == content.size()) break;
    const size_t end = content.find("-->", begin);
    at = end == std::string_view::npos ? content.size() : end + 3;
  }
  return out;
}

}  // namespace

std::string without_quotations(std::string_view content) {
  const std::string plain = without_comments(content);
  std::string out;
  bool fenced = false;
  for (size_t at = 0; at < plain.size();) {
    const size_t end = std::min(plain.find('\n', at), plain.size());
    const std::string_view line = std::string_view(plain).substr(at, end - at);
    const std::string_view trimmed = trim_space(line);
    at = end + 1;
    const bool fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
    if (fence) fenced = !fenced;
    if (!fence && !fenced && !trimmed.starts_with('>')) out += std::string(line) + "\n";
  }
  return out;
}

std::vector<Sentence> prepare(std::string_view content) {
  std::vector<Sentence> out;
  const std::string plain = without_quotations(content);
  for (size_t at = 0; at < plain.size();) {
    const size_t end = std::min(plain.find('\n', at), plain.size());
    std::string_view line = trim_space(std::string_view(plain).substr(at, end - at));
    at = end + 1;
    drop_marker(line);
    const std::optional<bool> checked = drop_box(line);
    drop_marks(line);
    for (const std::string_view sentence : text::split_sentences(line)) {
      const bool label = sentence.find(':') != std::string_view::npos;
      if (words_of(sentence).size() < 3 && !label && !checked) continue;
      out.push_back({.text = shortened(sentence), .checked = checked, .question = asks(sentence)});
    }
  }
  return out;
}

std::string without_stop(std::string_view text) {
  text = trim_space(text);
  while (!text.empty() && std::string_view(".!?;: ").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return std::string(trim_space(text));
}

std::string excerpt_of(std::string_view content) {
  std::string plain = text::collapse_space(content);
  if (count_code_points(plain) <= kExcerpt) return plain;
  return std::string(trim_space(prefix_code_points(plain, kExcerpt - 3))) + "...";
}

}  // namespace holdfast::service::recall
