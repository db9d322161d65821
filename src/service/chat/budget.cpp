#include "service/chat/budget.h"

#include "base/utf8.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string_view fit_bytes(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  size_t end = bytes;
  while (end > 0 && is_continuation(text[end])) --end;
  size_t word_end = end;
  while (word_end > 0 && !is_space(text[word_end])) --word_end;
  std::string_view cut = text.substr(0, word_end > 0 ? word_end : end);
  while (!cut.empty() && is_space(cut.back())) cut.remove_suffix(1);
  return cut;
}

std::string_view fit_code_points(std::string_view text, size_t count) {
  const std::string_view prefix = prefix_code_points(text, count);
  return prefix.size() == text.size() ? text : fit_bytes(text, prefix.size());
}

std::string summarise(std::string_view text, size_t max_code_points) {
  std::string folded = text::collapse_space(text);
  if (count_code_points(folded) <= max_code_points) return folded;
  size_t end = 0;
  for (const std::string_view sentence : text::split_sentences(folded)) {
    const auto sentence_end =
        static_cast<size_t>(sentence.data() - folded.data()) + sentence.size();
    if (count_code_points(std::string_view(folded).substr(0, sentence_end)) > max_code_points)
      break;
    end = sentence_end;
  }
  if (end > 0) return folded.substr(0, end);
  return std::string(fit_code_points(folded, max_code_points));
}

}  // namespace holdfast::service::chat
