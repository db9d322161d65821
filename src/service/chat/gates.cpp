#include "service/chat/gates.h"

#include <algorithm>
#include <unordered_set>

#include "service/chat/words.h"

namespace holdfast::service::chat {
namespace {

// Words that match with plural, -ed and -ing, and with nothing else that has their stem: a
// contraction is no contract.
class Words {
 public:
  Words(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) add_forms(std::string(word));
  }
  bool occur_among(const std::vector<Word>& given) const {
    return std::ranges::any_of(given, [&](const Word& word) { return forms_.contains(word.text); });
  }

 private:
  void add_forms(const std::string& word) {
    const std::string shorter = word.substr(0, word.size() - 1);
    for (const char* ending : {"", "s", "es", "ed", "ing"}) forms_.insert(word + ending);
    for (const char* ending : {"ed", "ing"}) forms_.insert(word + word.back() + ending);
    if (word.ends_with('e')) forms_.insert({shorter + "ed", shorter + "ing"});
    if (word.ends_with('y')) forms_.insert({shorter + "ies", shorter + "ied"});
    if (word.ends_with("is")) forms_.insert(word.substr(0, word.size() - 2) + "es");
  }

  std::unordered_set<std::string> forms_ = {};
};

// A reason for care and what gives it; phrases match as they stand.
struct RiskRule {
  Risk risk;
  bool urgent;
  std::string_view reason;
  Words words;
  Phrases phrases;
};

const std::vector<RiskRule>& risk_rules() {
  static const std::vector<RiskRule> rules = {
      {Risk::kHigh,
       true,
       "SELF_HARM",
       {"suicide", "suicidal"},
       {"kill myself", "killing myself", "hurt myself", "hurting myself", "harm myself",
        "harmed myself", "harming myself", "self harm", "self harmed", "self harming",
        "end my life", "ending my life", "take my own life", "taking my own life", "want to die",
        "wanted to die"}},
      {Risk::kHigh,
       true,
       "VIOLENCE",
       {"kill", "killing", "murder", "attack", "weapon", "bomb", "bombing", "shoot", "shooting",
        "stab", "stabbing"},
       {"hurt him",         "hurt her",         "hurt them",      "hurt someone",
        "hurt somebody",    "hurt people",      "hurts him",      "hurts her",
        "hurts them",       "hurts someone",    "hurts somebody", "hurts people",
        "hurting him",      "hurting her",      "hurting them",   "hurting someone",
        "hurting somebody", "hurting people",   "hurt you",       "hurt others",
        "hurt everyone",    "hurt anyone",      "hurting my",     "hurting his",
        "hurting their",    "hurting our",      "hurting your",   "hurting you",
        "hurting others",   "hurting everyone", "hurting anyone", "hurting another",
        "hurting a"}},
      {Risk::kHigh,
       false,
       "FINANCE",
       {"invest", "investment", "investor", "stock", "crypto", "cryptocurrency", "bitcoin", "loan",
        "mortgage", "tax"},
       {}},
      {Risk::kHigh,
       false,
       "LEGAL",
       {"lawsuit", "contract", "sue", "suing", "lawyer", "attorney"},
       {"legal advice", "legal action", "legal review"}},
      {Risk::kHigh,
       false,
       "MEDICAL",
       {"diagnosis", "diagnose", "treatment", "medication", "medicine", "doctor", "symptom",
        "allergy", "allergic", "anaphylaxis", "epipen", "autoinjector"},
       {"auto injector", "auto injectors", "epi pen", "epi pens"}},
      {Risk::kMedium,
       false,
       "PRIVACY_SECURITY",
       {"password", "hack", "hacker", "breach", "confidential"},
       {}},
      {Risk::kMedium,
       false,
       "RELATIONSHIP_INTIMACY",
       {"intimacy", "intimate", "affair", "divorce", "breakup"},
       {"break up with"}},
      {Risk::kMedium, false, "FAMILY", {"custody", "estranged"}, {"family conflict"}},
      {Risk::kMedium, false, "EXTREMISM", {"extremist", "extremism", "terrorist", "terrorism"}, {}},
      {Risk::kMedium, false, "MINORS", {"underage"}, {"minor child", "minor children"}}};
  return rules;
}

struct ModeRule {
  std::string_view label;
  std::string_view persona;
  std::string_view flag;
  double confidence;
  bool checkpoint;
  Phrases words;  // exactly these, not their inflections
};

const std::vector<ModeRule>& mode_rules() {
  static const std::vector<ModeRule> rules = {
      {"System-mode",
       "cassandra",
       "high-rigor",
       1.0,
       true,
       {"finance", "tax", "legal", "contract", "architecture", "adr", "security"}},
      {"Sole",
       "sole",
       "relationship",
       0.8,
       false,
       {"feel", "worried", "anxious", "relationship", "family"}}};
  return rules;
}

struct IntentRule {
  std::string_view intent;
  Words words;
};

const std::vector<IntentRule>& intent_rules() {
  static const std::vector<IntentRule> rules = {
      {"summarize", {"summarize", "summarise", "summary", "recap", "tldr"}},
      {"draft", {"draft", "write", "compose", "rewrite", "email", "letter"}},
      {"decision", {"decide", "decision", "choose", "should"}},
      {"research", {"research", "compare", "investigate", "find"}},
      {"code", {"code", "function", "bug", "compile", "script", "debug"}},
      {"plan", {"plan", "schedule", "roadmap", "organize", "steps"}},
      {"support", {"feel", "worried", "anxious", "help", "stressed", "sad"}}};
  return rules;
}

constexpr size_t kMostReasons = 5;

bool greets(const Word& word) {
  static const std::unordered_set<std::string_view> kGreeting = {
      "hi",      "hello",     "hey",    "there",  "good", "morning", "afternoon",
      "evening", "night",     "thanks", "thank",  "you",  "so",      "much",
      "very",    "greetings", "howdy",  "cheers", "bye",  "goodbye", "again"};
  return kGreeting.contains(word.text);
}

}  // namespace

std::string_view risk_name(Risk risk) {
  switch (risk) {
    case Risk::kLow: return "low";
    case Risk::kMedium: return "med";
    case Risk::kHigh: return "high";
  }
  return {};
}

Sentinel judge_risk(std::string_view text) {
  Sentinel sentinel;
  const std::vector<Word> words = all_words(text);
  for (const RiskRule& rule : risk_rules()) {
    if (!rule.words.occur_among(words) && !rule.phrases.occur_in(text)) continue;
    sentinel.risk = std::max(sentinel.risk, rule.risk);
    sentinel.urgent = sentinel.urgent || rule.urgent;
    if (sentinel.reasons.size() < kMostReasons) sentinel.reasons.emplace_back(rule.reason);
  }
  return sentinel;
}

Mode choose_mode(std::string_view text) {
  for (const ModeRule& rule : mode_rules()) {
    if (!rule.words.occur_in(text)) continue;
    return {.label = std::string(rule.label),
            .persona = std::string(rule.persona),
            .domain_flags = {std::string(rule.flag)},
            .confidence = rule.confidence,
            .checkpoint_needed = rule.checkpoint,
            .reasons = {"matched_" + std::string(rule.flag)}};
  }
  return {.reasons = {"default"}};
}

std::string_view judge_intent(std::string_view text) {
  const std::vector<Word> words = all_words(text);
  for (const IntentRule& rule : intent_rules()) {
    if (rule.words.occur_among(words)) return rule.intent;
  }
  return "unknown";
}

std::string_view judge_modality(std::string_view text) {
  if (text.find("```") != std::string_view::npos) return "code";
  if (text.find("http://") != std::string_view::npos ||
      text.find("https://") != std::string_view::npos)
    return "link";
  if (text.find("\n- ") != std::string_view::npos) return "list";
  return "text";
}

std::vector<std::string> rigor_gates(const Mode& mode, const Sentinel& sentinel) {
  std::vector<std::string> gates = {"sentinel", "post_linter"};
  if (mode.high_rigor()) gates.insert(gates.end(), {"high_rigor", "missing_facts"});
  if (sentinel.urgent) gates.emplace_back("urgent_safety");
  return gates;
}

bool is_greeting(std::string_view text) {
  const std::vector<Word> words = all_words(text);
  return !words.empty() && std::ranges::all_of(words, greets);
}

bool is_pleasantry(std::string_view text) {
  static const std::unordered_set<std::string_view> kAgreeing = {
      "ok", "okay", "cool", "great", "yes", "yep", "sure", "nice", "perfect"};
  return std::ranges::all_of(all_words(text), [](const Word& word) {
    return greets(word) || kAgreeing.contains(word.text);
  });
}

std::string_view judge_breakpoint(std::string_view text, const std::vector<std::string>& signals) {
  static const std::unordered_set<std::string_view> kMust = {"decision_made", "scope_changed",
                                                             "pivot", "answer_provided"};
  if (std::ranges::any_of(signals, [](const std::string& kind) { return kMust.contains(kind); }))
    return "must";
  if (signals.empty() && is_pleasantry(text)) return "skip";
  return "should";
}

}  // namespace holdfast::service::chat
