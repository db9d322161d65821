// memory_remember: governed writes. Each call is one patch, decided on the state it changes; a call
// that is sent again with the same idempotency key is answered, not repeated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/substrate/objects.h"
#include "service/substrate/patch.h"
#include "service/substrate/soft_duplicates.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// What every new object must say.
struct Declared {
  std::string kind = {};
  std::string title = {};
  std::string summary = {};
  std::string reason = {};
  std::string memory_source = {};
  std::vector<std::string> scope_refs = {};
  std::optional<Value> actor = std::nullopt;
};

struct RememberKnowledge {
  Declared declared = {};
  std::vector<std::string> subject_refs = {};
  std::vector<EvidenceRef> evidence_refs = {};
  Value payload = Value::object();  // subject, predicate, value, object, metadata
  std::optional<std::string> status = std::nullopt;
  double confidence = 0;
  std::optional<std::string> valid_from = std::nullopt;
  std::optional<std::string> valid_until = std::nullopt;
  std::optional<std::string> last_verified_at = std::nullopt;
  bool allow_duplicate = false;
  std::optional<std::string> source_text = std::nullopt;
  std::optional<std::string> source_title = std::nullopt;
  std::optional<std::string> lifecycle_state = std::nullopt;
  std::optional<std::string> expires_at = std::nullopt;
};

struct RememberActivity {
  Declared declared = {};
  Activity activity = {};  // references, status and times as given
};

struct RememberWorkItem {
  Declared declared = {};
  WorkItem work_item = {};
};

struct ChangeWorkItemStatus {
  std::string work_item_id = {};
  std::string status = {};
  std::string reason = {};
  std::string memory_source = {};
  std::optional<Value> actor = std::nullopt;
  std::optional<std::string> resolution = std::nullopt;
};

struct JudgeKnowledge {
  std::string knowledge_id = {};
  std::optional<Value> actor = std::nullopt;
  std::optional<std::string> reason = std::nullopt;
};

struct SupersedeKnowledge {
  std::string old_knowledge_id = {};
  std::string new_knowledge_id = {};
  std::optional<Value> actor = std::nullopt;
  std::optional<std::string> reason = std::nullopt;
};

// Where the evidence of new knowledge comes from.
struct EvidenceContract {
  std::string provenance = {};
  std::optional<std::string> generated_source_id = std::nullopt;
  int64_t evidence_ref_count = 0;
  bool requires_review = false;
};

struct GraphSync {
  std::string backend = {};
  int64_t synced_objects = 0;
  int64_t synced_relations = 0;
};

struct Remembered {
  std::string object_type = {};
  std::string object_id = {};
  std::string status = {};
  std::string patch_id = {};
  std::vector<std::string> audit_event_ids = {};
  std::vector<PossibleDuplicate> possible_duplicates = {};
  std::optional<EvidenceContract> evidence_contract = std::nullopt;
  std::optional<std::string> old_status = std::nullopt;
  std::optional<std::string> old_knowledge_id = std::nullopt;
  std::optional<GraphSync> graph_sync = std::nullopt;
  int64_t projection_count = 0;
};

// How a call is made, beside what it says.
struct RememberOptions {
  std::optional<std::string> graph_backend = std::nullopt;
  // The part of a call that makes several writes: keeps their idempotency keys apart.
  std::string part = {};
};

// Thread-safe. Errors: kInvalidArgument with the contract's sentence.
class RememberService {
 public:
  RememberService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                  const search::Index& index)
      : store_(store), gatekeeper_(gatekeeper), index_(index) {}

  Result<Remembered> knowledge(const CallContext& call, const RememberKnowledge& request,
                               const RememberOptions& options = {});
  Result<Remembered> activity(const CallContext& call, const RememberActivity& request,
                              const RememberOptions& options = {});
  Result<Remembered> work_item(const CallContext& call, const RememberWorkItem& request,
                               const RememberOptions& options = {});
  Result<Remembered> work_item_status(const CallContext& call, const ChangeWorkItemStatus& request,
                                      const RememberOptions& options = {});
  Result<Remembered> promote(const CallContext& call, const JudgeKnowledge& request,
                             const RememberOptions& options = {});
  Result<Remembered> contest(const CallContext& call, const JudgeKnowledge& request,
                             const RememberOptions& options = {});
  Result<Remembered> supersede(const CallContext& call, const SupersedeKnowledge& request,
                               const RememberOptions& options = {});

 private:
  // What one write does, once the transaction is open: the patch, and the answer but for what
  // applying it adds.
  struct Decision {
    Patch patch = {};
    Remembered answer = {};
  };
  using Decide = std::function<Result<Decision>(storage::WriteTxn&, const access::SpaceAccess&)>;
  Result<Remembered> write(const CallContext& call, const RememberOptions& options,
                           const Decide& decide);
  // A creation of one object whose document is complete but for its times.
  template <typename T>
  Result<Remembered> create_one(const CallContext& call, const RememberOptions& options,
                                const Declared& declared, ObjectType type, T value);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
};

// user_declared and human_curated: a person stands for it.
bool is_curated(std::string_view memory_source);

}  // namespace holdfast::service::substrate
