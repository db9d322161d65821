// The phrases by which the embedded extractor knows what a sentence is, as tables.
//
// A pattern is words apart by blanks. `a|b` is either, `a_b` is two words, a trailing `?` may be
// absent, `*` stands for one to eight words, `%ing` for a word that ends so.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::service::recall {

enum class DecisionForm : uint8_t { kBody, kDoNot, kDoNotUse, kUse, kSwitch };

struct DecisionCue {
  std::string_view pattern;
  DecisionForm form;
  bool user_only = false;
};

inline constexpr std::array<std::string_view, 7> kDecisionLabels = {
    "decision", "decided", "final decision", "resolution", "agreed", "approved", "chosen approach"};

// From what to what; what is left behind is the last star.
inline constexpr std::string_view kSwitchedFrom =
    "we switched|migrated|moved|are_switching|are_moving from * to";
inline constexpr std::string_view kSwitchedIt =
    "we switched|migrated|moved|are_switching|are_moving * from * to";

// Tried in this order: the longer phrase first.
inline constexpr std::array<DecisionCue, 16> kDecisionCues = {{
    {"decided not_to", DecisionForm::kDoNot},
    {"decided against", DecisionForm::kDoNotUse},
    {"we|i|the_team|they|we've|i've|they've have|has? decided to|that|on?", DecisionForm::kBody},
    {"it was decided to|that", DecisionForm::kBody},
    {"the decision is to|that?", DecisionForm::kBody},
    {"we agreed to|on|that", DecisionForm::kBody},
    {"we chose|picked|selected|opted_for|settled_on|standardised_on|standardized_on",
     DecisionForm::kUse},
    {"we're|we_are going|go with", DecisionForm::kUse},
    {"let's go|going with", DecisionForm::kUse, true},
    {"we will use", DecisionForm::kUse},
    {"we'll use", DecisionForm::kUse},
    {"we will go_with", DecisionForm::kUse},
    {kSwitchedFrom, DecisionForm::kSwitch},
    {kSwitchedIt, DecisionForm::kSwitch},
    {"we switched|migrated|are_switching to", DecisionForm::kSwitch},
    {"we moved|are_moving to", DecisionForm::kSwitch},
}};

inline constexpr std::array<std::string_view, 13> kReasonConnectors = {
    " because ", " because of ",  " due to ",   " since we ",   " since it ", " since the ",
    " so that ", " in order to ", " to avoid ", " to prevent ", " as it ",    " — ",
    " – "};
inline constexpr std::array<std::string_view, 2> kReasonLabels = {"reason", "rationale"};
inline constexpr std::array<std::string_view, 7> kReasonStarts = {
    "because ",   "this avoids ", "this prevents ", "this lets ",
    "it avoids ", "it prevents ", "it lets "};

inline constexpr std::array<std::string_view, 22> kHedges = {
    "maybe",     "perhaps",   "might",     "may",        "could",          "possibly",
    "probably",  "should_we", "what_if",   "if_we",      "consider",       "considering",
    "propose",   "proposal",  "suggest",   "option",     "leaning_toward", "need_to_decide",
    "undecided", "not_sure",  "tentative", "tentatively"};
inline constexpr std::array<std::string_view, 9> kOutcomeHedges = {
    "suspect", "likely", "monitor", "watch", "risk", "recommend", "looks_like", "seems", "seem"};

struct OutcomeCue {
  std::string_view pattern;
  bool whole = false;  // the sentence as a whole is the outcome
};
inline constexpr std::array<std::string_view, 8> kOutcomeLabels = {
    "root cause", "finding", "findings", "outcome", "verdict", "conclusion", "result", "diagnosis"};
inline constexpr std::array<OutcomeCue, 12> kOutcomeCues = {{
    {"root cause is|was that?"},
    {"investigation|analysis found|showed|concluded that?"},
    {"we|i found out? that"},
    {"it? turns|turned out that?"},
    {"the problem|issue|bug|failure|outage|error is|was that"},
    {"the problem|issue|bug|failure|outage|error is|was caused_by|due_to", true},
    {"was|is|were caused by", true},
    {"here's the verdict"},
    {"the verdict|conclusion is that?"},
    {"confirmed that"},
    {"investigation|analysis confirmed that?"},
    {"we|i confirmed that"},
}};
inline constexpr std::array<std::string_view, 3> kOutcomeConnectors = {" caused by ", " due to ",
                                                                       " because "};
inline constexpr std::array<std::string_view, 5> kOutcomeSources = {
    "incident_note", "investigation_summary", "tool_summary", "assistant_artifact",
    "assistant_output"};

struct ConstraintCue {
  std::string_view pattern;
  std::string_view polarity;
  bool anywhere = false;  // not only where a command begins
};
inline constexpr std::array<std::string_view, 3> kConstraintLabels = {"constraint", "rule",
                                                                      "requirement"};
inline constexpr std::array<ConstraintCue, 28> kConstraintCues = {{
    {"never", "prohibit"},
    {"do not", "prohibit"},
    {"don't", "prohibit"},
    {"must not", "prohibit"},
    {"mustn't", "prohibit"},
    {"avoid", "prohibit"},
    {"no * allowed", "prohibit", true},
    {"is|are forbidden|prohibited|off-limits|not_allowed", "prohibit", true},
    {"must not", "prohibit", true},
    {"remember not to", "prohibit"},
    {"stop %ing", "prohibit"},
    {"from now on never|don't|do_not", "prohibit"},
    {"always", "require"},
    {"must stay on", "require", true},
    {"must", "require"},
    {"make sure to|you|that", "require"},
    {"only use", "require"},
    {"use only", "require"},
    {"from now on", "require"},
    {"remember to", "require"},
    {"is|are required", "require", true},
    {"needs|need to stay", "require", true},
    {"i prefer", "prefer"},
    {"prefer * over", "prefer"},
    {"i'd rather", "prefer"},
    {"i would rather", "prefer"},
    {"instead of * use", "prefer"},
    {"i * prefer * over", "prefer"},
}};
inline constexpr std::array<std::string_view, 10> kConstraintExceptions = {
    "never mind", "don't worry", "don't know",     "do not hesitate", "don't think",
    "don't have", "don't see",   "don't remember", "must be",         "must have_been"};
inline constexpr std::array<std::string_view, 5> kPassing = {
    "just for_now", "this time", "today only", "temporarily", "for now"};
// Words after which a command may begin.
inline constexpr std::array<std::string_view, 7> kCommandStarts = {
    "please", "and", "but", "remember", "we", "also", "so"};

struct FactCue {
  std::string_view pattern;
  std::string_view category;
  std::string_view predicate;
  std::string_view says;  // between the subject and the value
  bool single = false;
};
inline constexpr std::array<FactCue, 26> kFirstPersonFacts = {{
    {"my name is", "personal", "name", "'s name is", true},
    {"call me", "personal", "name", "'s name is", true},
    {"i live in", "personal", "lives_in", " lives in", true},
    {"i'm|i_am based in", "personal", "lives_in", " lives in", true},
    {"i moved to", "personal", "lives_in", " lives in", true},
    {"i work at|for", "personal", "works_at", " works at", true},
    {"i work as", "personal", "occupation", " works as", false},
    {"i'm|i_am a", "personal", "occupation", " is a", false},
    {"i'm|i_am an", "personal", "occupation", " is an", false},
    {"i prefer", "preference", "prefer", " prefers", false},
    {"i like", "preference", "like", " likes", false},
    {"i love", "preference", "love", " loves", false},
    {"i hate", "preference", "hate", " hates", false},
    {"i dislike", "preference", "dislike", " dislikes", false},
    {"i use", "preference", "use", " uses", false},
    {"i went to", "event", "went_to", " went to", false},
    {"i visited", "event", "visited", " visited", false},
    {"i finished", "activity", "finished", " finished", false},
    {"i completed", "activity", "completed", " completed", false},
    {"i bought", "event", "bought", " bought", false},
    {"i started", "activity", "started", " started", false},
    {"i joined", "event", "joined", " joined", false},
    {"i left", "event", "left", " left", false},
    {"i've moved to", "personal", "lives_in", " lives in", true},
    {"i've visited", "event", "visited", " visited", false},
    {"i've joined", "event", "joined", " joined", false},
}};
inline constexpr std::array<FactCue, 11> kThirdPersonFacts = {{
    {"lives in", "relationship", "lives_in", " lives in", true},
    {"works at", "relationship", "works_at", " works at", true},
    {"works for", "relationship", "works_at", " works for", true},
    {"moved to", "relationship", "lives_in", " moved to", true},
    {"manages", "relationship", "manages", " manages", false},
    {"owns", "relationship", "owns", " owns", false},
    {"reports to", "relationship", "reports_to", " reports to", false},
    {"uses", "technical", "uses", " uses", false},
    {"runs on", "technical", "runs_on", " runs on", true},
    {"depends on", "technical", "depends_on", " depends on", false},
    {"is responsible for", "relationship", "is_responsible_for", " is responsible for", false},
}};
inline constexpr std::array<std::string_view, 15> kRelatives = {
    "wife",   "husband", "partner", "son",    "daughter", "brother", "sister",   "mother",
    "father", "manager", "boss",    "friend", "dog",      "cat",     "colleague"};

struct SignalCue {
  std::string_view prefix;
  std::string_view signal;
  bool snapshot_only = false;  // in lists of things to do
};
inline constexpr std::array<SignalCue, 14> kSignalPrefixes = {{
    {"blocked", "blocker"},
    {"blocker", "blocker"},
    {"failed attempt", "blocker"},
    {"failure", "blocker"},
    {"next step", "next_step"},
    {"next steps", "next_step"},
    {"next", "next_step"},
    {"todo", "next_step"},
    {"progress", "progress_update"},
    {"partial progress", "progress_update"},
    {"partial finding", "progress_update"},
    {"status", "progress_update"},
    {"done", "progress_update", true},
    {"completed", "progress_update", true},
}};
// What a tool summary says without a prefix, tried in this order.
inline constexpr std::array<SignalCue, 22> kSignalWords = {{
    {"next step", "next_step"},
    {"do next", "next_step"},
    {"try next", "next_step"},
    {"follow-up", "next_step"},
    {"blocked", "blocker"},
    {"blocker", "blocker"},
    {"failure", "blocker"},
    {"failed", "blocker"},
    {"error", "blocker"},
    {"denied", "blocker"},
    {"401", "blocker"},
    {"403", "blocker"},
    {"timeout", "blocker"},
    {"progress", "progress_update"},
    {"partial", "progress_update"},
    {"done", "progress_update"},
    {"completed", "progress_update"},
    {"refreshed", "progress_update"},
    {"updated", "progress_update"},
    {"investigated", "progress_update"},
    {"passed", "progress_update"},
    {"merged", "progress_update"},
}};

}  // namespace holdfast::service::recall
