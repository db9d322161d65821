// Reminders, tasks, peers and coordination artefacts: documents of the contract with the facets by
// which they are found.
#pragma once

#include <string>

#include "model/noun.h"

namespace holdfast::service::continuity {

struct Document {
  Value body = {};
};

const Noun<Document>& reminder_noun();
const Noun<Document>& task_noun();
const Noun<Document>& peer_noun();
const Noun<Document>& handoff_noun();
const Noun<Document>& shared_noun();
const Noun<Document>& reconciliation_noun();

namespace facet {
inline constexpr const char* kStatus = "work_status";
inline constexpr const char* kReminderSubject = "reminder_subject";  // kind:id
inline constexpr const char* kIdempotency = "reminder_key";
inline constexpr const char* kItem = "work_item";  // the id itself, for sorting
inline constexpr const char* kOwnerPeer = "owner_peer";
inline constexpr const char* kPeer = "with_peer";  // collaborator, participant, recipient, claimant
inline constexpr const char* kSender = "sender_peer";
inline constexpr const char* kClass = "classification";
inline constexpr const char* kWorkUpdated = "work_updated";
}  // namespace facet

}  // namespace holdfast::service::continuity
