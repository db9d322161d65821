// Facts that a sentence states, by the tables of cues.h.
#pragma once

#include <optional>
#include <string>

#include "service/recall/extract.h"

namespace holdfast::service::recall {

// By what name facts call whoever speaks.
std::string speaker_of(const Item& item);
// `first_person`: the speaker may speak of themselves.
std::optional<Draft> fact_of(const Item& item, const std::string& sentence, bool first_person);

}  // namespace holdfast::service::recall
