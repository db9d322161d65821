// Storing one memory or one piece of evidence.
#pragma once

#include <optional>
#include <string>

#include "access/gatekeeper.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/native/record.h"
#include "service/native/sensitivity_names.h"
#include "storage/store.h"

namespace holdfast::service {

namespace reason {
inline constexpr std::string_view kEvidenceNeverChanges = "evidence_never_changes";
inline constexpr std::string_view kKeyReused = "idempotency_key_reused";
inline constexpr std::string_view kForgotten = "forgotten";
}  // namespace reason

enum class RecordKind : uint8_t { kMemory, kEvidence };

// Who may read a record: everyone in the space, whoever reads its container, or only the one who
// stores it.
enum class Audience : uint8_t { kPublic, kContainer, kPrivate };

struct RememberRequest {
  RecordKind kind = RecordKind::kMemory;
  std::string id = {};  // empty: a new one is made
  std::string text = {};
  std::string title = {};
  std::vector<std::string> tags = {};
  Scope scope = {};
  std::string speaker = {};
  std::string source = {};
  std::optional<Timestamp> occurred_at = std::nullopt;  // nothing: now, or as it was
  std::optional<Timestamp> valid_from = std::nullopt;
  std::optional<Timestamp> valid_until = std::nullopt;
  std::optional<Timestamp> due_at = std::nullopt;
  WorkState work_state = WorkState::kNone;
  std::vector<DeclaredLink> links = {};
  Value metadata = {};
  Audience visibility = Audience::kPublic;
  Sensitivity sensitivity = Sensitivity::kNormal;
  std::optional<Revision> expected_revision =
      std::nullopt;         // a correction: the revision it was read at
  std::string reason = {};  // why, for the history
};

struct RememberResponse {
  SpaceId space = {};
  Object object = {};
  bool created = false;
  bool replayed =
      false;  // the idempotency key had been used for the same request: nothing was stored again
};

// Thread-safe.
class MemoryService {
 public:
  MemoryService(storage::Store& store, const access::Gatekeeper& gatekeeper, UlidGenerator& ids)
      : store_(store), gatekeeper_(gatekeeper), ids_(ids) {}

  // Creates, or replaces the memory of that id. Errors: kConflict with kRevisionConflict,
  // kEvidenceNeverChanges or kKeyReused; kGone with kForgotten when the key's object was erased
  // since; kNotFound for an id that is another's.
  Result<RememberResponse> remember(const CallContext& call, const RememberRequest& request);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  UlidGenerator& ids_;
};

}  // namespace holdfast::service

namespace holdfast {

template <>
struct EnumNames<service::RecordKind> {
  static constexpr std::array<std::pair<service::RecordKind, std::string_view>, 2> kNames = {
      {{service::RecordKind::kMemory, "memory"}, {service::RecordKind::kEvidence, "evidence"}}};
};

template <>
struct EnumNames<service::Audience> {
  static constexpr std::array<std::pair<service::Audience, std::string_view>, 3> kNames = {
      {{service::Audience::kPublic, "public"},
       {service::Audience::kContainer, "container"},
       {service::Audience::kPrivate, "private"}}};
};

}  // namespace holdfast
