#include "service/chat/distiller.h"

#include <algorithm>

#include "base/utf8.h"
#include "service/chat/budget.h"
#include "service/chat/distill_words.h"
#include "service/chat/plain_words.h"
#include "service/chat/words.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

constexpr int kNeededScore = 3;
constexpr size_t kShortestClause = 40;

// How many bytes a leading phrase takes with the punctuation after it; 0 if it is not there. A
// phrase must be followed by something that ends a word.
size_t leading(std::string_view text, std::string_view phrase) {
  constexpr std::string_view kCurly = "’";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  size_t at = 0;
  for (const char wanted : phrase) {
    const bool curly = wanted == '\'' && text.substr(at).starts_with(kCurly);
    if (!curly && (at == text.size() || lower(text[at]) != wanted)) return 0;
    at += curly ? kCurly.size() : 1;
  }
  if (at < text.size() && is_word_byte(text[at])) return 0;
  while (at < text.size() && (text[at] == ',' || text[at] == ':' || text[at] == ' ' ||
                              text[at] == '!' || text[at] == '-'))
    ++at;
  return at;
}

struct Sentence {
  std::string text = {};  // without what was stripped
  std::string_view message_id = {};
  size_t entry = 0;
  size_t place = 0;
  bool saved = false;     // had a save phrase
  bool corrects = false;  // opened with a correction
  int score = 0;
};

bool opens_with_correction(std::string_view text) {
  for (const std::string_view marker : kCorrections) {
    const size_t size = leading(text, marker);
    if (size == 0) continue;
    // "No" alone is an answer; "No, ..." corrects.
    if (marker != "no" || text.substr(marker.size()).starts_with(',')) return true;
  }
  return false;
}

// Takes save phrases and fillers off the beginning, whatever their order.
void strip(Sentence& sentence) {
  std::string_view text = sentence.text;
  for (bool found = true; found && !text.empty();) {
    found = false;
    const auto take = [&](std::string_view phrase, bool save) {
      const size_t size = leading(text, phrase);
      if (size == 0) return;
      // A filler needs punctuation behind it: "no sugar for me" is no correction.
      const bool punctuated = size > phrase.size() && text[phrase.size()] != ' ';
      if (!save && !punctuated) return;
      text.remove_prefix(size);
      found = true;
      sentence.saved = sentence.saved || save;
    };
    for (const std::string_view phrase : kSavePhrases) take(phrase, true);
    for (const std::string_view phrase : kMoreSavePhrases) take(phrase, true);
    for (const std::string_view phrase : kFillers) take(phrase, false);
  }
  sentence.text = std::string(text);
}

bool is_assertion(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& next = i + 1 < words.size() ? words[i + 1] : words[i];
    if (words[i] == "i'm" || words[i] == "i've" || words[i] == "our") return true;
    if (words[i] == "i" && is_one_of(kAssertingVerbs, next)) return true;
    if ((words[i] == "we" && next == "decided") || (words[i] == "call" && next == "me"))
      return true;
    if (words[i] == "my") {
      for (size_t k = i + 1; k < words.size(); ++k) {
        if (words[k] == "is" || words[k] == "are" || words[k] == "was" || words[k].ends_with("'s"))
          return true;
      }
    }
  }
  return false;
}

// Begins like a question. "What I need is ..." and "Will is my brother" do not ask.
bool opens_as_question(const std::vector<std::string>& words) {
  const std::string padded = padded_words(words);
  const bool clause = is_one_of(kClauseOpeners, words[0]);
  if (clause && (is_one_of(kSubjects, words[1]) || padded.starts_with(" which is why ")))
    return false;
  if (!clause && is_one_of(kVerbsOfNames, words[1])) return false;
  return std::ranges::any_of(kInterrogatives, [&](std::string_view phrase) {
    return padded.starts_with(" " + std::string(phrase) + " ");
  });
}

bool is_reaction_word(const Word& word) { return is_one_of(kReactionWords, word.text); }

// A reaction, and nothing more of its own behind it.
bool is_reaction(std::string_view text) {
  return std::ranges::any_of(kReactions, [&](std::string_view phrase) {
    const size_t size = leading(text, phrase);
    return size > 0 && std::ranges::all_of(content_words(text.substr(size)), is_reaction_word);
  });
}

bool is_rejected(const Sentence& sentence, const std::vector<std::string>& words) {
  if (words.size() < 3 || text::ends_as_question(sentence.text)) return true;
  if (opens_as_question(words) || is_reaction(sentence.text)) return true;
  const std::string padded = padded_words(words);
  for (const std::string_view phrase : kHypotheticals) {
    if (has_phrase(padded, phrase)) return true;
  }
  const bool asks = is_one_of(kImperatives, words.front());
  if (asks && !sentence.saved && !is_assertion({words.begin(), words.begin() + 2})) return true;
  const bool stated = sentence.saved || is_assertion(words);
  return !stated && std::ranges::all_of(content_words(sentence.text), is_reaction_word);
}

// A number, a time, an address, or a name that does not begin the sentence.
bool is_specific(std::string_view text) {
  if (std::ranges::any_of(text, is_digit) || text.find('@') != std::string_view::npos) return true;
  for (size_t at = 1; at < text.size(); ++at) {
    const bool begins = text[at - 1] == ' ' && text[at] >= 'A' && text[at] <= 'Z';
    const bool just_i = begins && text[at] == 'I' &&
                        (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\'');
    if (begins && !just_i) return true;
  }
  return false;
}

std::vector<Sentence> candidates(const std::vector<WindowEntry>& window,
                                 const std::string& trigger) {
  std::vector<Sentence> found;
  const size_t newest = window.size() - (window.size() + 2) / 3;
  for (size_t i = 0; i < window.size(); ++i) {
    if (window[i].role != Role::kUser) continue;
    size_t place = 0;
    for (const std::string_view raw : text::split_sentences(window[i].content)) {
      Sentence sentence{.text = text::collapse_space(raw),
                        .message_id = window[i].message_id,
                        .entry = i,
                        .place = place++};
      sentence.corrects = opens_with_correction(sentence.text);
      strip(sentence);
      const std::vector<std::string> words = plain_words(sentence.text);
      if (is_rejected(sentence, words)) continue;
      sentence.score = (sentence.saved ? 4 : 0) + (is_assertion(words) ? 3 : 0) +
                       (is_specific(sentence.text) ? 2 : 0) +
                       (window[i].message_id == trigger ? 2 : 0) + (i >= newest ? 1 : 0);
      found.push_back(std::move(sentence));
    }
  }
  return found;
}

bool share_a_word(std::string_view a, std::string_view b) {
  return count_matched(content_words(a), content_words(b)) > 0;
}

const Sentence* choose(const std::vector<Sentence>& sentences) {
  const Sentence* best = nullptr;
  for (const Sentence& one : sentences) {
    if (one.score < kNeededScore) continue;
    const bool better = best == nullptr || one.score > best->score ||
                        (one.score == best->score && one.entry > best->entry);
    if (better) best = &one;
  }
  if (best == nullptr) return nullptr;
  const auto place = [](const Sentence& one) { return std::pair(one.entry, one.place); };
  const auto corrects = [&](const Sentence& one) {
    return one.corrects && place(one) > place(*best) && share_a_word(one.text, best->text);
  };
  const auto last = std::find_if(sentences.rbegin(), sentences.rend(), corrects);
  return last != sentences.rend() ? &*last : best;
}

bool ends_in_negation(std::string_view text) {
  const std::vector<std::string> words = plain_words(text);
  return !words.empty() && is_negation(words.back());
}

std::string_view without_trailing_marks(std::string_view text) {
  while (!text.empty() && (text.back() == ',' || text.back() == ';' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

// The whole sentence, else up to a clause, else up to a word.
std::string fit(const std::string& text) {
  if (count_code_points(text) <= kFactLength) return std::string(without_trailing_marks(text));
  const std::string_view room = prefix_code_points(text, kFactLength);
  for (size_t end = room.size(); end > 0; --end) {
    const std::string_view rest = std::string_view(text).substr(end);
    const bool boundary = rest.starts_with(',') || rest.starts_with(';') ||
                          rest.starts_with(" and ") || rest.starts_with(" but ");
    const std::string_view kept = room.substr(0, end);
    if (!boundary || ends_in_negation(kept)) continue;
    if (count_code_points(kept) >= kShortestClause)
      return std::string(without_trailing_marks(kept));
  }
  return std::string(without_trailing_marks(fit_code_points(text, kFactLength)));
}

// If the client sent the newest first, in the order they were said.
void put_in_order(std::vector<WindowEntry>& window) {
  bool descending = window.size() > 1;
  for (size_t i = 1; i < window.size(); ++i)
    descending = descending && window[i].created_at < window[i - 1].created_at;
  if (descending) std::ranges::reverse(window);
}

}  // namespace

std::optional<std::string> distill(std::vector<WindowEntry> window,
                                   const std::string& trigger_message_id) {
  put_in_order(window);
  const std::vector<Sentence> sentences = candidates(window, trigger_message_id);
  const Sentence* best = choose(sentences);
  if (best == nullptr) return std::nullopt;
  return fit(best->text);
}

std::string mood_of(std::string_view fact) {
  const std::vector<Word> words = all_words(fact);
  std::vector<std::string_view> moods;
  for (const MoodWords& mood : kMoods) {
    const bool has = std::ranges::any_of(words, [&](const Word& word) {
      return std::ranges::find(mood.words, word.text) != mood.words.end();
    });
    if (has) moods.push_back(mood.mood);
  }
  if (moods.empty()) return "standard_fact";
  return std::string(moods.size() == 1 ? moods.front() : std::string_view("insight"));
}

}  // namespace holdfast::service::chat
