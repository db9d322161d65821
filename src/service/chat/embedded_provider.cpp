#include "service/chat/embedded_provider.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "service/chat/budget.h"
#include "service/chat/linter.h"
#include "service/chat/phrases.h"
#include "service/chat/units.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

using WordSet = std::unordered_set<std::string_view>;

constexpr size_t kQuotedUnits = 3;
constexpr size_t kEchoedWords = 12;
constexpr int64_t kSmallestBudget = 8;

// An answer before it is fitted: fixed sentences around quotations.
struct Draft {
  std::vector<std::string> before = {};
  std::vector<Unit> units = {};  // best first
  std::vector<std::string> after = {};
  std::string_view shortest = {};  // all there is room for in the smallest budgets
};

// A quotation inside a quotation would end it, curly or straight: the linter sees no difference.
std::string quoted(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kMarks = {"\"", "“", "”", "„"};
  std::string out = "\"";
  while (!text.empty()) {
    const auto* mark =
        std::ranges::find_if(kMarks, [&](std::string_view one) { return text.starts_with(one); });
    const bool plain = mark == kMarks.end();
    out += plain ? text.front() : '\'';
    text.remove_prefix(plain ? 1 : mark->size());
  }
  return out + "\"";
}

std::string render(const Draft& draft) {
  std::string out;
  const auto add = [&](std::string_view piece) {
    if (!out.empty()) out += ' ';
    out += piece;
  };
  for (const std::string& sentence : draft.before) add(sentence);
  for (const Unit& unit : draft.units)
    add((unit.label.empty() ? std::string() : std::string(unit.label) + " ") + quoted(unit.text));
  for (const std::string& sentence : draft.after) add(sentence);
  return out;
}

// Leaves out what can have no room, so that a long list is not rendered again and again.
void drop_far_units(std::vector<Unit>& units, size_t bytes) {
  size_t total = 0;
  const auto over = std::ranges::find_if(units, [&](const Unit& unit) {
    total += unit.text.size();
    return total > bytes;
  });
  if (over != units.end()) units.erase(std::next(over), units.end());
}

// Drops the last units first, then cuts the first one inside its quotes, then the sentences.
std::string fitted(Draft draft, int64_t max_tokens) {
  if (max_tokens < kSmallestBudget) return std::string(fit_tokens(draft.shortest, max_tokens));
  drop_far_units(draft.units, static_cast<size_t>(max_tokens) * kTokenBytes);
  const auto too_long = [&] { return count_tokens(render(draft)) > max_tokens; };
  while (too_long() && draft.units.size() > 1) draft.units.pop_back();
  while (too_long() && !draft.after.empty()) draft.after.pop_back();
  if (too_long() && !draft.units.empty()) {
    Unit& unit = draft.units.front();
    const size_t over = render(draft).size() - static_cast<size_t>(max_tokens) * kTokenBytes;
    unit.text =
        std::string(over < unit.text.size() ? fit_bytes(unit.text, unit.text.size() - over) : "");
    if (unit.text.empty()) draft.units.clear();
  }
  while (too_long() && draft.before.size() > 1) draft.before.pop_back();
  const std::string text = render(draft);
  return count_tokens(text) <= max_tokens && !text.empty()
             ? text
             : std::string(fit_tokens(draft.shortest, max_tokens));
}

// The first word that is asked for, past "please" and "could you".
std::string leading_word(const std::vector<Word>& words, size_t* at = nullptr) {
  static const WordSet kPolite = {"please", "can", "could", "would",  "will", "you",
                                  "hey",    "hi",  "hello", "kindly", "just", "now"};
  size_t i = 0;
  while (i < words.size() && kPolite.contains(words[i].text)) ++i;
  if (at != nullptr) *at = i;
  return i < words.size() ? words[i].text : std::string();
}

bool asks_to_remember(const std::string& text, const std::vector<Word>& words) {
  static const Phrases kReminders = {"don't forget", "do not forget", "keep in mind that"};
  const std::string first = leading_word(words);
  return first == "remember" || first == "remind" || first == "save" || kReminders.occur_in(text);
}

bool asks_for_action(const std::vector<Word>& words) {
  static const WordSet kActions = {"send",     "email", "text",  "call", "book",
                                   "schedule", "buy",   "order", "post"};
  size_t at = 0;
  const std::string first = leading_word(words, &at);
  if (!kActions.contains(first)) return false;
  // "Call me Ana" gives a name, it asks for no call.
  return !(first == "call" && at + 1 < words.size() && words[at + 1].text == "me");
}

bool asks_for_summary(const std::string& text, const std::vector<Word>& words) {
  static const WordSet kSummary = {"summarize", "summarise", "summary", "recap"};
  static const Phrases kAsked = {"what is decided",    "what was decided", "what have we decided",
                                 "what did we decide", "what's decided",   "give me a summary",
                                 "give me a recap"};
  return kSummary.contains(leading_word(words)) || kAsked.occur_in(text);
}

bool is_question(const std::string& text, const std::vector<Word>& words) {
  static const WordSet kAsking = {"what", "which", "who", "whom",  "whose", "when",  "where",
                                  "why",  "how",   "is",  "are",   "was",   "were",  "do",
                                  "does", "did",   "can", "could", "will",  "would", "should",
                                  "have", "has",   "had", "may",   "shall", "am"};
  return text::ends_as_question(text) || (!words.empty() && kAsking.contains(words.front().text));
}

// What nothing answers, as the user wrote it: the pieces between blanks, without marks around them.
std::string missing_words(const std::string& text) {
  std::string list;
  std::vector<Word> known;
  for (size_t at = 0; at < text.size() && known.size() < kQueryWords;) {
    const size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    const std::string_view piece = std::string_view(text).substr(at, end - at);
    at = end + 1;
    bool news = false;
    for (Word& word : content_words(piece)) {
      if (count_matched({word}, known) > 0) continue;
      known.push_back(std::move(word));
      news = true;
    }
    if (news) list.append(list.empty() ? "" : ", ").append(without_marks_around(piece));
  }
  return list;
}

Draft cannot_answer(const std::string& text) {
  Draft draft{.before = {std::string(phrase::kNoAnswer)}, .shortest = phrase::kAsk};
  const std::string missing = missing_words(text);
  if (!missing.empty()) draft.before.push_back(std::string(phrase::kMissing) + " " + missing + ".");
  draft.after = {std::string(phrase::kAsk)};
  return draft;
}

std::string first_words(const std::string& text) {
  size_t end = 0;
  size_t words = 0;
  const std::string plain = text::collapse_space(text);
  while (end < plain.size() && words < kEchoedWords) {
    end = std::min(plain.find(' ', end + 1), plain.size());
    ++words;
  }
  return plain.substr(0, end);
}

Draft hold_for_user(std::string_view fixed, std::string_view lead, const std::string& text,
                    std::string_view end) {
  return {.before = {std::string(fixed)},
          .units = {{.text = text::collapse_space(text), .label = lead}},
          .after = {std::string(end)},
          .shortest = fixed};
}

Draft write(const ProviderInput& input, std::vector<std::string>& flags) {
  const std::string& text = input.material.input_text;
  const std::vector<Word> words = all_words(text);
  if (input.sentinel.urgent)
    return {.before = {std::string(phrase::kEmergency)}, .shortest = phrase::kEmergency};
  if (is_greeting(text)) {
    return {.before = {std::string(phrase::kHello), std::string(phrase::kHowToHelp)},
            .shortest = phrase::kHello};
  }
  if (asks_to_remember(text, words))
    return hold_for_user(phrase::kNothingSaved, phrase::kReadyToSave, text, phrase::kUseSave);
  if (asks_for_action(words))
    return hold_for_user(phrase::kNoAction, phrase::kDraft, text, phrase::kSteps);

  const auto guarded = [&](UnitList list) {
    if (list.guarded) flags.emplace_back("scope_guard");
    return std::move(list.units);
  };
  if (asks_for_summary(text, words)) {
    std::vector<Unit> units = guarded(summary_units(input.material));
    if (units.empty()) return cannot_answer(text);
    return {.units = std::move(units), .shortest = phrase::kFound};
  }
  std::vector<Unit> found =
      answering_units(guarded(all_units(input.material)), content_words(text, kQueryWords));
  if (is_question(text, words)) {
    if (found.empty()) return cannot_answer(text);
    if (found.size() > kQuotedUnits) found.resize(kQuotedUnits);
    Draft draft{.units = std::move(found), .shortest = phrase::kFound};
    if (input.mode.high_rigor()) draft.after.emplace_back(phrase::kUnverified);
    return draft;
  }
  Draft draft{.units = {{.text = first_words(text), .label = phrase::kNoted}},
              .after = {std::string(phrase::kNothingSaved)},
              .shortest = phrase::kNothingSaved};
  if (!found.empty()) draft.units.push_back(found.front());
  return draft;
}

// Without what may not be said, but for quotations; something is left to say in any case.
void obey(Draft& draft, const Demands& demands) {
  const auto banned = [&](std::string_view sentence) { return !demands.allow(sentence); };
  std::erase_if(draft.before, banned);
  std::erase_if(draft.after, banned);
  for (Unit& unit : draft.units) {
    if (banned(unit.label)) unit.label = {};
  }
  if (!banned(draft.shortest)) return;
  for (const std::string_view other : {phrase::kNothingSaved, phrase::kNoAction, phrase::kHello}) {
    if (banned(other)) continue;
    draft.shortest = other;  // it is true of every answer
    return;
  }
}

class EmbeddedProvider : public Provider {
 public:
  std::string name() const override { return "embedded"; }

  Result<ProviderAnswer> answer(const ProviderInput& input, Deadline) override {
    ProviderAnswer answer{.model = std::string(kEmbeddedModel)};
    const Demands demands = demands_of(input.violations);
    Draft draft = write(input, answer.flags);
    obey(draft, demands);
    std::string last_line;
    for (const std::string& phrase : demands.required) last_line += "\n" + phrase;
    const int64_t room = input.max_output_tokens - count_tokens(last_line);
    answer.text = fitted(std::move(draft), std::max<int64_t>(room, 1)) + last_line;
    return answer;
  }
};

}  // namespace

std::unique_ptr<Provider> make_embedded_provider() { return std::make_unique<EmbeddedProvider>(); }

}  // namespace holdfast::service::chat
