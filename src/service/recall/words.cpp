#include "service/recall/words.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/utf8.h"
#include "text/characters.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kLongestNothing = 80;
constexpr size_t kAlike = 5;  // letters with which words that begin alike begin
constexpr size_t kMostLonger = 3;
constexpr size_t kUsualWord = 5;  // bytes with the blank behind it, an estimate

const std::set<std::string_view>& glue() {
  static const std::set<std::string_view> words = {
      // Stop words.
      "a", "an", "the", "am", "is", "are", "was", "were", "be", "been", "being", "have", "has",
      "had", "having", "do", "does", "did", "doing", "done", "can", "could", "will", "would",
      "shall", "should", "may", "might", "must", "i", "me", "my", "mine", "we", "us", "our", "ours",
      "you", "your", "yours", "he", "him", "his", "she", "her", "hers", "it", "its", "they", "them",
      "their", "theirs", "this", "that", "these", "those", "there", "here", "in", "on", "at", "by",
      "for", "from", "to", "of", "off", "with", "without", "into", "onto", "over", "under", "about",
      "after", "before", "between", "through", "during", "up", "down", "out", "as", "and", "or",
      "but", "nor", "so", "if", "then", "than", "because", "while", "until", "since", "not", "no",
      "yes", "all", "any", "some", "each", "every", "both", "few", "more", "most", "much", "many",
      "other", "another", "such", "only", "own", "same", "too", "very", "just", "also", "what",
      "which", "who", "whom", "whose", "when", "where", "why", "how", "s", "t", "d", "ll", "ve",
      "re", "m", "don", "didn", "isn", "doesn", "won", "versus",
      // Scaffolding.
      "choose", "chose", "chosen", "decide", "decided", "decision", "decisions", "pick", "picked",
      "remember", "remind", "recall", "tell", "told", "say", "said", "know", "mention", "mentioned",
      "discuss", "discussed", "talk", "talked", "conclude", "concluded", "conclusion", "find",
      "found", "think", "thought", "earlier", "previously", "prior", "again", "already", "ago",
      "please", "thanks", "want", "like", "let", "get", "got", "go", "going", "show", "give",
      "explain", "help", "question", "answer", "ask", "asked", "today", "now", "currently",
      "recently", "lately", "use", "used", "using", "make", "made", "thing", "things", "something",
      "anything"};
  return words;
}

const std::set<std::string_view>& phatic() {
  static const std::set<std::string_view> words = {
      "hi",      "hello",   "hey",      "yo",      "thanks", "thank",      "you",     "thx",
      "ty",      "ok",      "okay",     "k",       "yes",    "yep",        "yeah",    "no",
      "nope",    "sure",    "cool",     "great",   "nice",   "good",       "morning", "afternoon",
      "evening", "night",   "bye",      "goodbye", "cheers", "lol",        "haha",    "welcome",
      "perfect", "awesome", "got",      "it",      "sounds", "understood", "done",    "continue",
      "please",  "there",   "everyone", "all"};
  return words;
}

constexpr std::array<std::string_view, 6> kSmallTalk = {"how are you",     "who are you",
                                                        "what can you do", "are you there",
                                                        "can you help me", "nice to meet you"};

constexpr std::array<std::string_view, 8> kNothingToSay = {
    "task complete",           "task is complete",       "nothing new to report",
    "no response requested",   "no response needed",     "no chat message needed",
    "no email message needed", "no slack message needed"};

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return word.ends_with(end); });
}

bool is_phatic(const std::vector<Word>& words) {
  return words.size() <= 6 &&
         std::ranges::all_of(words, [](const Word& w) { return phatic().contains(w.text); });
}

// The word without its plural ending, the shortest way.
std::string base_of(const std::string& word) {
  std::string best = word;
  for (const std::string& variant : variants_of(word)) {
    if (variant.size() < best.size()) best = variant;
  }
  return best;
}

// Han and Kana: each character is a word. Not all that the index takes apart: Hangul, Thai and
// others are read as runs of letters here.
bool stands_alone(int32_t point) {
  struct Range {
    int32_t first;
    int32_t last;
  };
  static constexpr std::array<Range, 11> kHanAndKana = {{
      {0x2e80, 0x2fdf},    // radicals
      {0x3005, 0x3007},    // iteration mark, zero
      {0x3021, 0x3029},    // Hangzhou numerals
      {0x3038, 0x303b},    // more of both
      {0x3041, 0x30ff},    // Hiragana, Katakana
      {0x31f0, 0x31ff},    // Katakana extension
      {0x3400, 0x4dbf},    // Han extension A
      {0x4e00, 0x9fff},    // Han
      {0xf900, 0xfaff},    // compatibility ideographs
      {0x1aff0, 0x1b16f},  // Kana extensions
      {0x20000, 0x3ffff},  // Han extensions
  }};
  if (point < kHanAndKana.front().first) return false;
  return std::ranges::any_of(
      kHanAndKana, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

// Reads a text word by word: use(begin of the word in `letters`, specific, capitalised). Words are
// folded and lie in `letters` one behind the other.
template <typename Use>
class WordReader {
 public:
  WordReader(std::string& letters, const Use& use)
      : letters_(letters), use_(use), begin_(letters.size()) {}

  void read(std::string_view source) {
    for (size_t at = 0; at < source.size();) {
      const char c = source[at];
      if (static_cast<unsigned char>(c) < 0x80) {
        add_plain(c);
        ++at;
        continue;
      }
      const text::FoldedChars chars = text::fold_char_at(source, at);
      add(chars);
      at += static_cast<size_t>(std::max(1, chars.source_bytes));
    }
    end_word();
  }

 private:
  // Plain letters need no tables.
  void add_plain(char c) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool digit = c >= '0' && c <= '9';
    if (!upper && !digit && (c < 'a' || c > 'z')) return end_word();
    capitals_ += upper ? 1 : 0;
    specific_ = specific_ || digit;
    letters_ += upper ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  void add(const text::FoldedChars& chars) {
    capitals_ += chars.upper_case ? 1 : 0;
    for (int i = 0; i < chars.count; ++i) {
      const int32_t point = chars.points.at(static_cast<size_t>(i));
      const text::CharClass kind = text::class_of(point);
      const bool letter = kind == text::CharClass::kLetter || kind == text::CharClass::kIdeograph;
      const bool alone = letter && stands_alone(point);
      if (!letter || alone) end_word();
      if (letter) text::append_utf8(letters_, point);
      if (point >= '0' && point <= '9') specific_ = true;
      if (alone) end_word();
    }
  }
  void end_word() {
    if (letters_.size() > begin_) use_(begin_, specific_ || capitals_ >= 2, capitals_ > 0);
    begin_ = letters_.size();
    specific_ = false;
    capitals_ = 0;
  }

  std::string& letters_;
  const Use& use_;
  size_t begin_;
  bool specific_ = false;
  size_t capitals_ = 0;
};

// Calls use(what to keep of the word's beginning, what follows it) for each singular that it may be
// the plural of.
template <typename Use>
void for_each_variant(std::string_view word, const Use& use) {
  if (word.size() <= 4 || word.back() != 's') return;
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!std::ranges::all_of(word, ascii)) return;
  const bool sibilant = ends_with_any(word, {"ses", "xes", "zes"});
  if (word.ends_with("ies")) use(word.substr(0, word.size() - 3), "y");
  if (word.size() > 5 && word.ends_with("es") && !sibilant)
    use(word.substr(0, word.size() - 2), "");
  if (!sibilant && !ends_with_any(word, {"ss", "us", "is"}))
    use(word.substr(0, word.size() - 1), "");
}

}  // namespace

std::vector<Word> words_of(std::string_view source) {
  std::string letters;
  std::vector<Word> out;
  const auto keep = [&](size_t begin, bool specific, bool capitalised) {
    out.push_back(
        {.text = letters.substr(begin), .specific = specific, .capitalised = capitalised});
  };
  WordReader(letters, keep).read(source);
  return out;
}

std::vector<std::string> variants_of(std::string_view word) {
  std::vector<std::string> out;
  for_each_variant(word, [&](std::string_view beginning, std::string_view end) {
    out.push_back(std::string(beginning).append(end));
  });
  return out;
}

bool is_glue(std::string_view word) { return glue().contains(word); }

std::vector<std::string> content_words(std::string_view text) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Word& word : words_of(text)) {
    if (!is_glue(word.text) && seen.insert(base_of(word.text)).second) out.push_back(word.text);
  }
  return out;
}

std::string normalised(std::string_view text) {
  std::string out;
  const auto part = [&](size_t begin, bool, bool) {
    if (begin > 0) out.insert(begin, 1, ' ');
  };
  out.reserve(text.size());
  WordReader(out, part).read(text);
  return out;
}

WordSet::WordSet(std::string_view text) {
  letters_.reserve(text.size() + text.size() / 2);
  words_.reserve(text.size() / kUsualWord);
  const auto keep = [&](size_t begin, bool, bool) {
    words_.emplace_back(static_cast<uint32_t>(begin),
                        static_cast<uint32_t>(letters_.size() - begin));
    if (letters_.back() != 's') return;               // no plural
    const std::string word = letters_.substr(begin);  // the letters will move
    for_each_variant(word, [&](std::string_view beginning, std::string_view end) {
      words_.emplace_back(static_cast<uint32_t>(letters_.size()),
                          static_cast<uint32_t>(beginning.size() + end.size()));
      letters_.append(beginning).append(end);
    });
  };
  WordReader(letters_, keep).read(text);
}

bool WordSet::has(std::string_view word) const {
  return std::ranges::any_of(words_, [&](const auto& one) { return view(one) == word; });
}

double WordSet::match(std::string_view word) const {
  if (has(word)) return 1;
  for (const std::string& variant : variants_of(word)) {
    if (has(variant)) return 1;
  }
  // Letters, not bytes: a letter of most scripts has several.
  const size_t length = count_code_points(word);
  if (length < kAlike) return 0;
  const std::string_view start = prefix_code_points(word, kAlike);
  const bool alike = std::ranges::any_of(words_, [&](const auto& one) {
    if (!view(one).starts_with(start)) return false;
    const size_t other = count_code_points(view(one));
    return std::max(other, length) - std::min(other, length) <= kMostLonger;
  });
  return alike ? 0.8 : 0;
}

namespace {

size_t shared_count(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::set<std::string> bases;
  for (const std::string& word : a) bases.insert(base_of(word));
  size_t shared = 0;
  for (const std::string& word : b) shared += bases.contains(base_of(word)) ? 1 : 0;
  return shared;
}

}  // namespace

double overlap_of(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const size_t least = std::min(a.size(), b.size());
  return least == 0 ? 0 : static_cast<double>(shared_count(a, b)) / static_cast<double>(least);
}

double jaccard_of(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const size_t shared = shared_count(a, b);
  const size_t all = a.size() + b.size() - shared;
  return a.empty() || b.empty() ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

bool is_low_value_query(std::string_view text, bool resumed) {
  const std::vector<Word> words = words_of(text);
  const std::string joined = normalised(text);
  const bool go_on = std::ranges::any_of(words, [](const Word& w) { return w.text == "continue"; });
  if (resumed && go_on) return false;
  if (count_code_points(joined) < 3 || is_phatic(words)) return true;
  return words.size() <= 7 && std::ranges::any_of(kSmallTalk, [&](std::string_view talk) {
           return joined == talk || joined.starts_with(std::string(talk) + " ");
         });
}

bool is_low_value_text(std::string_view text) {
  size_t sentences = 0;
  for (size_t at = 0; at < text.size();) {
    // What says nothing says it shortly.
    const std::string_view beginning = text.substr(at, kLongestNothing + 1);
    const size_t end = at + std::min(beginning.find_first_of(".!?\n"), beginning.size());
    if (end - at > kLongestNothing) return false;
    const std::string sentence = normalised(text.substr(at, end - at));
    at = end + 1;
    if (sentence.empty()) continue;
    ++sentences;
    const bool nothing = std::ranges::find(kNothingToSay, sentence) != kNothingToSay.end() ||
                         (sentence.starts_with("no ") && sentence.ends_with(" needed"));
    if (!nothing && !is_phatic(words_of(sentence))) return false;
  }
  return true;
}

}  // namespace holdfast::service::recall
