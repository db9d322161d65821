// The vocabulary of distillation. Lower case, straight apostrophes.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace holdfast::service::chat {

// Longest first: the first that fits is taken off.
inline constexpr std::array<std::string_view, 14> kSavePhrases = {"please remember that",
                                                                  "please remember",
                                                                  "remember that",
                                                                  "remember this",
                                                                  "remember",
                                                                  "please note that",
                                                                  "note that",
                                                                  "save this",
                                                                  "for the record",
                                                                  "please don't forget that",
                                                                  "don't forget that",
                                                                  "don't forget",
                                                                  "do not forget",
                                                                  "keep in mind that"};

inline constexpr std::array<std::string_view, 2> kMoreSavePhrases = {"keep in mind",
                                                                     "note to self"};

inline constexpr std::array<std::string_view, 15> kFillers = {
    "so",        "well", "okay",  "ok",  "actually", "no", "yes",       "thanks",
    "thank you", "hi",   "hello", "hey", "oh",       "um", "correction"};

inline constexpr std::array<std::string_view, 3> kCorrections = {"actually", "correction", "no"};

inline constexpr std::array<std::string_view, 6> kHypotheticals = {
    "if i", "what if", "suppose", "imagine", "let's say", "hypothetically"};

inline constexpr std::array<std::string_view, 20> kReactions = {
    "that's great", "that is great", "sounds good",  "looks good",   "makes sense",
    "that's fine",  "that is fine",  "got it",       "i see",        "i agree",
    "i understand", "i like it",     "i love it",    "nice one",     "i think so",
    "i guess so",   "i hope so",     "i don't know", "i'm not sure", "i am not sure"};

// A sentence that asserts nothing and has no other words reacts to what was said.
inline constexpr std::array<std::string_view, 63> kReactionWords = {
    "great",   "good",      "nice",       "cool",       "awesome",   "amazing",    "perfect",
    "lovely",  "wonderful", "excellent",  "brilliant",  "fantastic", "fine",       "funny",
    "wow",     "haha",      "lol",        "yay",        "hmm",       "oh",         "ok",
    "okay",    "yes",       "yeah",       "yep",        "sure",      "right",      "true",
    "exactly", "totally",   "absolutely", "definitely", "indeed",    "agreed",     "interesting",
    "sounds",  "sound",     "looks",      "look",       "makes",     "make",       "sense",
    "works",   "work",      "idea",       "point",      "job",       "problem",    "worries",
    "much",    "lot",       "lots",       "help",       "helpful",   "appreciate", "appreciated",
    "again",   "really",    "quite",      "pretty",     "well",      "done",       "one"};

// A sentence that begins so asks the assistant for something.
inline constexpr std::array<std::string_view, 46> kImperatives = {
    "tell",   "give",     "show",      "write",     "make",    "send",     "find",   "explain",
    "help",   "list",     "summarize", "summarise", "create",  "draft",    "check",  "look",
    "open",   "play",     "search",    "set",       "add",     "delete",   "remove", "please",
    "let",    "book",     "order",     "buy",       "call",    "email",    "text",   "schedule",
    "read",   "fix",      "run",       "build",     "compare", "generate", "stop",   "go",
    "remind", "describe", "suggest",   "translate", "cancel",  "post"};

inline constexpr std::array<std::string_view, 27> kInterrogatives = {
    "what", "which", "who",    "whom",     "whose", "when", "where", "why",   "how",
    "is",   "are",   "was",    "were",     "do",    "does", "did",   "can",   "could",
    "will", "would", "should", "have you", "has",   "am i", "may i", "shall", "did you"};

// "When I travel", "where we live" begin a clause; "when do I travel" asks.
inline constexpr std::array<std::string_view, 9> kClauseOpeners = {
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how"};
inline constexpr std::array<std::string_view, 5> kSubjects = {"i", "we", "my", "our", "i'm"};
// Behind "will" they make it a name: an auxiliary that asks has its subject there.
inline constexpr std::array<std::string_view, 3> kVerbsOfNames = {"is", "was", "has"};

// After "I".
inline constexpr std::array<std::string_view, 26> kAssertingVerbs = {
    "am",    "have",   "like",  "prefer", "hate", "love",  "live", "work", "need",
    "can't", "cannot", "never", "always", "use",  "was",   "want", "own",  "dislike",
    "speak", "study",  "drive", "take",   "eat",  "drink", "keep", "play"};

inline constexpr std::array<std::string_view, 12> kNegations = {
    "not",     "no",    "never",  "none",  "nobody", "nothing",
    "without", "can't", "cannot", "don't", "won't",  "neither"};

inline bool is_negation(std::string_view word) {
  return word.ends_with("n't") || std::ranges::find(kNegations, word) != kNegations.end();
}

struct MoodWords {
  std::string_view mood;
  std::array<std::string_view, 10> words;
};
inline constexpr std::array<MoodWords, 3> kMoods = {
    {{"breakthrough",
      {"joy", "happy", "thrilled", "excited", "amazing", "delighted", "awe", "wonderful", "proud",
       "ecstatic"}},
     {"resolve",
      {"determined", "confident", "committed", "decided", "resolve", "promise", "certain", "ready",
       "goal", "achieve"}},
     {"nostalgia",
      {"miss", "nostalgic", "childhood", "love", "fond", "cherish", "longing", "warmth", "dear",
       "grandmother"}}}};

}  // namespace holdfast::service::chat
