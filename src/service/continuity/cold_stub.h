// What is kept at hand of an archive that went cold: a page of text with its identity and the
// beginnings of its lists.
#pragma once

#include <string>

#include "service/continuity/nouns.h"

namespace holdfast::service::continuity {

// Front matter and sections, as the published layout has them.
std::string cold_stub(const StoredCapsule& stored);
// What a stub says of its archive: when it went cold and in which phase it was. kInvalidArgument
// for a text that is none, or whose keys are in another order.
struct ColdStub {
  std::string cold_stored_at = {};
  std::string phase = {};
};
Result<ColdStub> read_cold_stub(std::string_view text);
// The archive's envelope: its canonical JSON is what cold storage holds.
Value archive_envelope(const StoredCapsule& stored);

}  // namespace holdfast::service::continuity
