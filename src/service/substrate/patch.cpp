#include "service/substrate/patch.h"

#include <array>
#include <map>

#include <fmt/format.h>

#include "service/substrate/words.h"
#include "storage/typed.h"

namespace holdfast {

using service::substrate::PatchRecord;

template <>
const Codec<PatchRecord::Entry>& codec_of<PatchRecord::Entry>() {
  using Entry = PatchRecord::Entry;
  static const Codec<Entry> codec = Codec<Entry>()
                                        .field("audit_id", &Entry::audit_id)
                                        .field("op", &Entry::op)
                                        .field("object_type", &Entry::object_type)
                                        .field("object_id", &Entry::object_id)
                                        .field("before", &Entry::before)
                                        .field("after", &Entry::after)
                                        .field("has_reason", &Entry::has_reason);
  return codec;
}

template <>
const Codec<PatchRecord>& codec_of<PatchRecord>() {
  static const Codec<PatchRecord> codec = Codec<PatchRecord>()
                                              .field("id", &PatchRecord::id)
                                              .field("actor", &PatchRecord::actor)
                                              .field("operations", &PatchRecord::operations)
                                              .field("created_at", &PatchRecord::created_at);
  return codec;
}

namespace service::substrate {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;

struct OpWords {
  PatchOp op;
  std::string_view name;
  std::string_view refusal;  // of an object that is missing, or exists
};

constexpr std::array<OpWords, 5> kOps = {{
    {PatchOp::kCreate, "create_object", "Cannot create existing object"},
    {PatchOp::kUpdate, "update_object", "Cannot update missing object"},
    {PatchOp::kChangeStatus, "change_status", "Cannot change status of missing object"},
    {PatchOp::kArchive, "archive_object", "Cannot archive missing object"},
    {PatchOp::kDelete, "delete_object", "Cannot delete missing object"},
}};

const OpWords& op_words(PatchOp op) { return kOps[static_cast<size_t>(op)]; }

// An object while the operations of a patch are resolved: nothing is written before all are.
struct Draft {
  ObjectType type = ObjectType::kKnowledge;
  std::string id = {};
  bool existed = false;
  bool exists = false;
  Revision revision = 0;  // as stored; then as written
  Label label = {};
  Value json = Value::object();
  std::string_view last_op = {};
  std::string reason = {};
};

class Applying {
 public:
  Applying(WriteTxn& txn, const SpaceAccess& access)
      : txn_(txn), access_(access), now_(time_text(txn.now())) {}

  Result<AppliedPatch> run(const Patch& patch) {
    for (const Operation& operation : patch.operations) HOLDFAST_CHECK_OK(resolve(operation));
    PatchRecord record{.id = random_id("patch"), .actor = patch.actor, .created_at = now_};
    AppliedPatch applied{.patch_id = record.id};
    std::map<std::string, bool> written;
    for (const Operation& operation : patch.operations) {
      Draft& draft = drafts_.at(operation.id);
      PatchRecord::Entry entry{.audit_id = random_id("aud"),
                               .op = std::string(op_words(operation.op).name),
                               .object_type = std::string(type_name(operation.type)),
                               .object_id = operation.id,
                               .before = draft.existed ? draft.revision : 0,
                               .has_reason = operation.changes.find("reason") != nullptr};
      if (!written[operation.id]) {
        HOLDFAST_CHECK_OK(write(draft));
        applied.touched.push_back({std::string(type_name(draft.type)), draft.id});
        written[operation.id] = true;
      }
      entry.after = draft.exists ? draft.revision : 0;
      draft.existed = draft.exists;
      applied.audit_event_ids.push_back(entry.audit_id);
      record.operations.push_back(std::move(entry));
    }
    HOLDFAST_TRY(auto stored, txn_.put(access_, storage::put_of(patch_noun(), record.id, record,
                                                                owned_label())));
    return applied;
  }

 private:
  Label owned_label() const { return {.owner = access_.viewer().actor}; }

  Result<Draft*> draft_of(const Operation& operation) {
    const auto known = drafts_.find(operation.id);
    if (known != drafts_.end()) return &known->second;
    Draft draft{.type = operation.type, .id = operation.id, .label = owned_label()};
    auto object =
        txn_.get(access_, {.kind = std::string(type_name(operation.type)), .id = operation.id});
    if (!object && object.error().code != ErrorCode::kNotFound) return std::move(object).error();
    if (object) {
      HOLDFAST_TRY(Document document, storage::value_of(noun_of(operation.type), *object));
      draft.existed = draft.exists = true;
      draft.revision = object->revision;
      draft.label = object->label;
      draft.json = std::move(document.json);
    }
    return &drafts_.emplace(operation.id, std::move(draft)).first->second;
  }

  Status resolve(const Operation& operation) {
    HOLDFAST_TRY(Draft * draft, draft_of(operation));
    const bool creates = operation.op == PatchOp::kCreate;
    if (draft->exists == creates) {
      return invalid_argument(fmt::format("{}: {}:{}", op_words(operation.op).refusal,
                                          type_name(operation.type), operation.id));
    }
    draft->last_op = op_words(operation.op).name;
    draft->exists = operation.op != PatchOp::kDelete;
    if (creates) draft->json = Value::object({{"id", operation.id}});
    merge(*draft, operation);
    return {};
  }

  void merge(Draft& draft, const Operation& operation) {
    for (const auto& [name, value] : *operation.changes.if_object()) {
      if (name == "id") continue;
      if (name == "reason") {
        if (const auto* reason = value.if_string()) draft.reason = *reason;
      }
      draft.json.set(name, value);
    }
    if (operation.op == PatchOp::kArchive) {
      draft.json.set("status", "archived");
      if (draft.json.find("lifecycle_state") != nullptr) {
        draft.json.set("lifecycle_state", "archived");
      }
    }
    if (draft.json.find("created_at") == nullptr) draft.json.set("created_at", now_);
    draft.json.set("updated_at", now_);
  }

  Status write(Draft& draft) {
    const auto& noun = noun_of(draft.type);
    if (!draft.exists) {
      if (!draft.existed) return {};
      return txn_.remove(access_, {.kind = noun.kind, .id = draft.id}, draft.reason);
    }
    const Document document{.json = draft.json};
    auto put = storage::put_of(noun, draft.id, document, draft.label);
    if (const auto status = DocumentView(draft.type, draft.json).status(); !status.empty()) {
      put.state = std::string(status);
    }
    put.action = std::string(draft.last_op);
    put.message = draft.reason;
    HOLDFAST_TRY(const Object stored, txn_.put(access_, put));
    draft.revision = stored.revision;
    return {};
  }

  WriteTxn& txn_;
  const SpaceAccess& access_;
  const std::string now_;
  std::map<std::string, Draft> drafts_;
};

}  // namespace

Value system_actor(std::string_view id) { return Value::object({{"type", "system"}, {"id", id}}); }

Operation update(ObjectType type, const std::string& id, Value changes) {
  return {.op = PatchOp::kUpdate, .type = type, .id = id, .changes = std::move(changes)};
}

Operation change_status(ObjectType type, const std::string& id, std::string_view status,
                        std::string_view reason) {
  return {.op = PatchOp::kChangeStatus,
          .type = type,
          .id = id,
          .changes = Value::object({{"status", status}, {"reason", reason}})};
}

Operation archive(ObjectType type, const std::string& id, std::string_view reason) {
  return {.op = PatchOp::kArchive,
          .type = type,
          .id = id,
          .changes = Value::object({{"reason", reason}})};
}

Result<AppliedPatch> apply_patch(WriteTxn& txn, const SpaceAccess& access, const Patch& patch) {
  return Applying(txn, access).run(patch);
}

const Noun<PatchRecord>& patch_noun() {
  static const Noun<PatchRecord> noun{.kind = "patch",
                                      .codec = codec_of<PatchRecord>(),
                                      .project = [](const PatchRecord&) { return Projection(); }};
  return noun;
}

}  // namespace service::substrate
}  // namespace holdfast
