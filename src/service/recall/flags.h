// What was said against a memory.
#pragma once

#include "service/recall/memory.h"

namespace holdfast::service::recall {

// Keeps the flag; false if it was known already. Of many only the newest are kept, but one of each
// source before several of one, so that who else spoke against it is not forgotten.
bool add_flag(Memory& memory, Flag flag);
// All there ever were.
int64_t flag_count(const Memory& memory);
// Distinct sources of the last 30 days.
int64_t flag_sources(const Memory& memory, Timestamp now);
// Whether it is to be suppressed, by the flag or by all there are.
bool is_refuted(const Memory& memory, const Flag& newest, Timestamp now);

}  // namespace holdfast::service::recall
