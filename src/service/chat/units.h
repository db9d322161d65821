// Sentences that an extractive answer may quote, with where they come from and how well they answer
// the message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/chat/chat_types.h"
#include "service/chat/words.h"

namespace holdfast::service::chat {

struct Unit {
  std::string text = {};
  std::string_view label = {};  // what stands before the quotation
  double weight = 0;
  int64_t recency = 0;  // among equals of one weight, the higher first
  double score = 0;
};

struct UnitList {
  std::vector<Unit> units = {};
  bool guarded = false;  // some named a topic to be avoided and were left out
};

// All of them, in the order of listing, near-duplicates once.
UnitList all_units(const Material& material);
// Those that answer the question well enough, best first.
std::vector<Unit> answering_units(const std::vector<Unit>& units, const std::vector<Word>& query);
// What a summary is made of: decisions, next steps, the capsule, the newest words of the user.
UnitList summary_units(const Material& material);

}  // namespace holdfast::service::chat
