// What a reminder's payload must be. Errors are structured details {code, field, message}.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "model/value.h"

namespace holdfast::service::continuity {

Error schedule_error(ErrorCode code, const char* name, const std::string& field,
                     const std::string& message);
// Creation: every member present (null where it may be), texts trimmed.
Result<Value> read_reminder(const Value& sent);
// A patch: only what was sent, trimmed. `expected_version` is left out.
Result<Value> read_reminder_patch(const Value& sent);
// Of the reminder that a call is about. Routes always have it; tools may lack it.
Result<std::string> read_schedule_id(const Value& sent);
Status check_nudge(const Value& reminder);
Result<int64_t> read_version(const Value& sent);
Status refuse_unknown(const Value& sent, std::initializer_list<std::string_view> known);

// due_at must be later than now.
Status require_future(const Value& reminder, Timestamp now);
Status check_body(const Value& body);

}  // namespace holdfast::service::continuity
