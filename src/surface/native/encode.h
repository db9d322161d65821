// How native answers show the things that several operations return.
#pragma once

#include "model/object.h"
#include "model/principal.h"
#include "model/value.h"
#include "service/native/object_service.h"

namespace holdfast::surface::native {

// {kind, id, revision, state, created_at, updated_at, position, visibility, ..., body}
Value encode_object(const Object& object);
Value encode_key(const ObjectKey& key);
// {position, change, at, principal, surface, action, kind, id, revision, message, request_id}
Value encode_entry(const JournalEntry& entry);
Value encode_revision(const storage::RevisionRecord& revision);
Value encode_label(const Label& label);

// A body that cannot be read is shown as null: one damaged object must not hide the others.
Value body_value(const std::string& body);

}  // namespace holdfast::surface::native
