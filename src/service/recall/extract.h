// The embedded extractor: from one item to what it states, by the cues of cues.h. No model, no
// clock, no storage: the same text always gives the same drafts.
#pragma once

#include <string>
#include <vector>

#include "service/recall/item.h"
#include "service/recall/memory.h"

namespace holdfast::service::recall {

// A memory without what only the pipeline knows (id, times, supersession).
struct Draft {
  std::string type = {};
  Value payload = Value::object();
  std::string canonical_key = {};
  std::string slot = {};
  std::string subject = {};
  std::string sentence = {};               // the whole sentence it was read from
  Value provenance = {};                   // null: the rules
  std::vector<std::string> replaces = {};  // a decision: the words of what it takes the place of
};

std::vector<Draft> extract(const Item& item);
// Whether an item of its kind may state facts at all, and outcomes other than behind a label.
bool may_state_facts(const Item& item);
bool may_state_outcomes(const Item& item);

// The questions of a user's message that have enough words to be known again.
std::vector<std::string> questions_of(const Item& item);

struct Signal {
  std::string type = {};  // progress_update, blocker, next_step
  std::string text = {};  // without the prefix
};
std::vector<Signal> work_signals(const Item& item);

// Tickets, pull requests and incidents that a text names, normalised.
std::vector<std::string> work_refs_in(std::string_view content);

}  // namespace holdfast::service::recall
