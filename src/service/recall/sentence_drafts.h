// What one sentence states, by the tables of cues.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/recall/extract.h"
#include "service/recall/prepare.h"

namespace holdfast::service::recall {

// What an item of its kind may state (section 6.0 of the published contract, as one row).
struct Allowed {
  bool decisions = false;
  bool decision_phrases = false;
  bool outcomes = false;
  bool outcome_phrases = false;
  bool constraints = false;
  bool facts = false;
  bool own_facts = false;  // in the first person
};

// `sentences[at]`; the one after it may give the reason.
std::optional<Draft> decision_of(const Item& item, const Allowed& allowed,
                                 const std::vector<Sentence>& sentences, size_t at);
std::optional<Draft> outcome_of(const Item& item, const Allowed& allowed,
                                const std::string& sentence);
std::optional<Draft> constraint_of(const Item& item, const std::string& sentence);
// The whole item, to the letter.
Draft note_of(const Item& item);

}  // namespace holdfast::service::recall
