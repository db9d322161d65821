#include "service/chat/plain_words.h"

#include "base/utf8.h"

namespace holdfast::service::chat {

bool is_word_byte(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || is_digit(c) || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

std::string plain_text(std::string_view text) {
  constexpr std::string_view kCurly = "’";
  const std::string folded = fold_case(text);
  std::string out;
  for (size_t at = 0; at < folded.size();) {
    const size_t next = std::min(folded.find(kCurly, at), folded.size());
    out.append(folded, at, next - at);
    if (next < folded.size()) out += '\'';
    at = next + kCurly.size();
  }
  return out;
}

std::vector<std::string> plain_words(std::string_view text) {
  std::vector<std::string> words;
  const std::string folded = plain_text(text);
  for (size_t at = 0; at < folded.size();) {
    size_t end = at;
    while (end < folded.size() && is_word_byte(folded[end])) ++end;
    if (end > at) words.push_back(folded.substr(at, end - at));
    at = end + (end == at ? 1 : 0);
  }
  return words;
}

std::string padded_words(const std::vector<std::string>& words) {
  std::string out = " ";
  for (const std::string& word : words) {
    out += word;
    out += ' ';
  }
  return out;
}

}  // namespace holdfast::service::chat
