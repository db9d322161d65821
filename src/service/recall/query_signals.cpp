#include "service/recall/query_signals.h"

#include <algorithm>

#include "service/recall/cue_matcher.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr std::array<std::string_view, 24> kResumeCues = {"where were we",
                                                          "where did? we|i leave|left off",
                                                          "pick this|that|it back up",
                                                          "pick up where",
                                                          "continue where",
                                                          "what's next",
                                                          "what is next",
                                                          "next step",
                                                          "next steps",
                                                          "what should i|we do next",
                                                          "what was i working on",
                                                          "what were we working on",
                                                          "what's left",
                                                          "what is left",
                                                          "what's blocking|the_blocker",
                                                          "what is blocking|the_blocker",
                                                          "resume the? work",
                                                          "catch me up",
                                                          "current state of",
                                                          "status of",
                                                          "what's the status",
                                                          "where are we",
                                                          "where we left off",
                                                          "where i left off"};

// Words that ask for nothing but to go on.
constexpr std::array<std::string_view, 1> kGoOnCues = {"continue"};

constexpr std::array<std::string_view, 14> kEvidenceCues = {"evidence",
                                                            "quote",
                                                            "exact words|wording|finding|line",
                                                            "which message|source",
                                                            "source for",
                                                            "where did that|this come from",
                                                            "who said",
                                                            "cite",
                                                            "original message",
                                                            "prove",
                                                            "quotes",
                                                            "citation",
                                                            "verbatim",
                                                            "proof"};

// Marks the words of every cue that occurs.
template <typename Cues>
bool mark(const Cues& cues, const std::vector<WrittenWord>& words, std::vector<bool>& taken,
          std::string_view name, Signals& signals) {
  bool any = false;
  for (const std::string_view cue : cues) {
    const std::string_view first = cue.substr(0, cue.find(' '));
    const bool plain = first.find_first_of("|?*%_") == std::string_view::npos;
    for (size_t at = 0; at < words.size(); ++at) {
      if (plain && words[at].text != first) continue;  // nearly always
      const auto span = match_at(cue, words, at);
      if (!span) continue;
      any = true;
      for (size_t i = span->first; i < span->last; ++i) taken[i] = true;
      signals.derived_from.push_back(std::string(name) + ":" + std::string(cue));
    }
  }
  return any;
}

}  // namespace

void read_signals(Run& run) {
  const std::vector<WrittenWord> words = written_words(run.query.text);
  std::vector<bool> taken(words.size(), false);
  run.signals.resume = mark(kResumeCues, words, taken, "resume_cue", run.signals);
  run.signals.evidence = mark(kEvidenceCues, words, taken, "evidence_cue", run.signals);
  if (run.query.runtime.turn_kind == "resumed_session") {
    run.signals.resume = true;
    run.signals.derived_from.emplace_back("turn_kind:resumed_session");
  }
  if (run.query.runtime.evidence_request) {
    run.signals.evidence = true;
    run.signals.derived_from.emplace_back("runtime:evidence_request");
  }
  if (run.signals.resume) mark(kGoOnCues, words, taken, "resume_cue", run.signals);
  std::string rest;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!taken[i])
      rest += run.query.text.substr(words[i].begin, words[i].end - words[i].begin) + " ";
  }
  run.content = content_words(rest);
}

}  // namespace holdfast::service::recall
