// Objects and journal entries as Values, exactly: what export writes, import and replication read.
#pragma once

#include "base/result.h"
#include "model/object.h"
#include "model/value.h"

namespace holdfast {

// {kind, id, revision, state, created_at, updated_at, label, body}. The body stands as JSON; one
// that would not come back byte for byte stands as `body_text`. Number and position are the store's
// own and are left out.
Value encode_object_exactly(const Object& object);
// kInvalidArgument says which member is missing or wrong.
Result<Object> decode_object_exactly(const Value& value);

// {position, change, at, principal, surface, action, kind, id, revision, message, request_id,
// label}
Value encode_entry_exactly(const JournalEntry& entry);
Result<JournalEntry> decode_entry_exactly(const Value& value);

}  // namespace holdfast
