// How candidates are measured, which way the query goes, and what is injected: the rules of the
// published contract as tables and small steps over one Run.
#pragma once

#include "service/recall/query_types.h"

namespace holdfast::service::recall {

// How many of the query's words the candidate has.
void measure(const std::vector<std::string>& content, Candidate& candidate);

// Why it is not returned, whatever its score; empty: it may be. Of evidence it is known before the
// intent is.
std::string_view exclusion_of(const Run& run, const Candidate& candidate);
// It shares enough with the query and is not excluded.
bool may_be_shown(const Run& run, const Candidate& candidate);

// From what was found to the answer: floor, lane, scores, results, injection.
void decide(Run& run, Timestamp now);

// How well each candidate is backed, whatever is asked.
void weigh_support(Run& run);
// Sets score and exclusion of every candidate for the intent and sorts them, best first.
void score_all(Run& run);
// Fills Run::results.
void choose_results(Run& run);
// Fills Run::blocks and Run::reason.
void choose_blocks(Run& run, Timestamp now);

// How well it fits the words of the query, or its vector.
double quality_of(const Run& run, const Candidate& candidate);
bool in_thread(const Run& run, const Candidate& candidate);
// A piece of evidence beside a checkpoint: of its thread or its work.
bool adjacent(const Candidate& checkpoint, const Candidate& source);
// Without those that say what a better one says; Run::deduplicated gets them.
std::vector<const Candidate*> without_repetitions(Run& run,
                                                  const std::vector<const Candidate*>& eligible);
bool is_substantive(const Candidate& candidate);
int64_t checkpoint_usefulness(const Memory& checkpoint);
int64_t source_usefulness(const Item& item);
inline constexpr int64_t kSupported = 60;
inline constexpr int64_t kStrong = 110;

namespace excluded {
inline constexpr std::string_view kEcho = "current_query_source_echo";
inline constexpr std::string_view kLowValue = "low_value_meta_text";
inline constexpr std::string_view kWeakSummary = "weak_summary";
}  // namespace excluded

}  // namespace holdfast::service::recall
