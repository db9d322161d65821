#include "service/substrate/structure.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include <fmt/format.h>

#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;
using Words = std::span<const std::string_view>;

// Owners and artifacts are names of people and files: nothing here can tell whether they exist.
constexpr std::array<std::string_view, 10> kChecked = {
    "subject_refs", "related_node_refs",    "related_work_item_refs",
    "source_refs",  "produced_object_refs", "related_knowledge_refs",
    "depends_on",   "blocked_by",           "child_refs",
    "parent_ref"};
constexpr std::string_view kEvidenceField = "evidence_refs";

// Sorted, as the report shows them.
constexpr std::array<std::string_view, 4> kSource = {"active", "archived", "invalid", "temporary"};
constexpr std::array<std::string_view, 3> kNode = {"active", "archived", "merged"};
constexpr std::array<std::string_view, 7> kKnowledge = {
    "active", "archived", "candidate", "contested", "stale", "superseded", "temporary"};
constexpr std::array<std::string_view, 4> kActivity = {"archived", "completed", "draft",
                                                       "finalized"};
constexpr std::array<std::string_view, 6> kWorkItem = {"blocked",     "cancelled", "closed",
                                                       "in_progress", "open",      "resolved"};
constexpr std::array<std::string_view, 2> kLifecycle = {"active", "archived"};

Words allowed_statuses(ObjectType type) {
  switch (type) {
    case ObjectType::kSource: return kSource;
    case ObjectType::kNode: return kNode;
    case ObjectType::kKnowledge: return kKnowledge;
    case ObjectType::kActivity: return kActivity;
    case ObjectType::kWorkItem: return kWorkItem;
  }
  return {};
}

class Validator {
 public:
  Validator(storage::ReadTxn& txn, const SpaceAccess& access) : txn_(txn), access_(access) {}

  Result<std::vector<StructureIssue>> run() {
    for (const ObjectType type : kObjectTypes) {
      HOLDFAST_CHECK_OK(each_stored(txn_, access_, type, [this](Stored& stored) -> Status {
        collect(stored);
        return {};
      }));
    }
    for (const ObjectType type : kObjectTypes) {
      const auto first = static_cast<std::ptrdiff_t>(issues_.size());
      HOLDFAST_CHECK_OK(each_stored(
          txn_, access_, type, [this](Stored& stored) -> Status { return judge(stored.view()); }));
      // Stored objects come as they were created; lists go by id.
      std::ranges::stable_sort(issues_.begin() + first, issues_.end(), {},
                               &StructureIssue::target_id);
    }
    add_identity_issues();
    return std::move(issues_);
  }

 private:
  void collect(const Stored& stored) {
    ids_.insert(stored.id());
    for (const std::string& id : stored.view().all_references()) referenced_.insert(id);
    const std::string_view key = stored.view().text("identity_key");
    if (!key.empty()) by_identity_[{stored.type, std::string(key)}].push_back(stored.id());
  }

  Status judge(const DocumentView& view) {
    const auto exists = [this](const std::string& id) -> Result<bool> { return ids_.contains(id); };
    HOLDFAST_TRY(const auto missing, missing_references(view, exists));
    for (const MissingReference& one : missing) {
      add({.kind = "missing_reference",
           .target_id = std::string(view.id()),
           .summary = fmt::format("{} names an object that does not exist: {}", one.field, one.id),
           .details = Value::object({{"field", one.field}, {"missing_ref", one.id}}),
           .repairable = true});
    }
    check_word(view, "status", allowed_statuses(view.type()));
    if (view.type() == ObjectType::kWorkItem) check_word(view, "lifecycle_state", kLifecycle);
    if (view.type() == ObjectType::kKnowledge && view.text("status") == "active" &&
        view.evidence().empty()) {
      add({.kind = "active_knowledge_without_evidence",
           .target_id = std::string(view.id()),
           .summary = "Active knowledge has no evidence."});
    }
    if (view.type() == ObjectType::kSource && view.text("status") != "archived" &&
        !referenced_.contains(std::string(view.id()))) {
      add({.kind = "orphan_source",
           .severity = Severity::kInfo,
           .target_id = std::string(view.id()),
           .summary = "Nothing refers to this source."});
    }
    return {};
  }

  void check_word(const DocumentView& view, std::string_view field, Words allowed) {
    const std::string_view word = view.text(field);
    if (std::ranges::find(allowed, word) != allowed.end()) return;
    add({.kind = "invalid_status",
         .severity = Severity::kError,
         .target_id = std::string(view.id()),
         .summary = fmt::format("{} is '{}', which is no {} of a {}.", field, word, field,
                                type_name(view.type())),
         .details = Value::object(
             {{"field", field}, {"value", word}, {"allowed", Value::array_of(allowed)}})});
  }

  void add_identity_issues() {
    for (auto& [identity, ids] : by_identity_) {
      if (ids.size() < 2) continue;
      std::ranges::sort(ids);
      add({.kind = "duplicate_identity",
           .target_id = ids.front(),
           .summary = fmt::format("{} objects share the identity {}.", ids.size(), identity.second),
           .details = Value::object({{"object_type", type_name(identity.first)},
                                     {"identity_key", identity.second},
                                     {"object_ids", Value::array_of(ids)}})});
    }
  }

  void add(StructureIssue issue) { issues_.push_back(std::move(issue)); }

  storage::ReadTxn& txn_;
  const SpaceAccess& access_;
  std::set<std::string> ids_;
  std::set<std::string> referenced_;
  std::map<std::pair<ObjectType, std::string>, std::vector<std::string>> by_identity_;
  std::vector<StructureIssue> issues_;
};

Value without(const Value& list, const std::set<std::string>& gone, std::string_view member) {
  Value kept = Value::array();
  for (const Value& element : *list.if_array()) {
    const Value* named = member.empty() ? &element : element.find(member);
    const auto* text = named != nullptr ? named->if_string() : nullptr;
    if (text == nullptr || !gone.contains(*text)) kept.push(element);
  }
  return kept;
}

}  // namespace

std::string StructureIssue::issue_id() const {
  std::string id = fmt::format("validator:{}:{}", kind, target_id);
  for (const std::string_view name : {"field", "missing_ref"}) {
    const Value* part = details.find(name);
    if (part != nullptr && part->is_string()) id += ":" + *part->if_string();
  }
  return id;
}

Result<std::vector<StructureIssue>> find_structure_issues(storage::ReadTxn& txn,
                                                          const SpaceAccess& access) {
  return Validator(txn, access).run();
}

Result<std::vector<MissingReference>> missing_references(const DocumentView& view,
                                                         const Exists& exists) {
  std::vector<MissingReference> missing;
  const auto check = [&](std::string_view field, const std::vector<std::string>& ids) -> Status {
    for (const std::string& id : ids) {
      HOLDFAST_TRY(const bool there, exists(id));
      if (!there) missing.push_back({std::string(field), id});
    }
    return {};
  };
  for (const std::string_view field : kChecked) HOLDFAST_CHECK_OK(check(field, view.texts(field)));
  HOLDFAST_CHECK_OK(check(kEvidenceField, view.evidence_sources()));
  return missing;
}

Operation repair_operation(const DocumentView& view, const std::vector<MissingReference>& missing) {
  std::map<std::string, std::set<std::string>> by_field;
  for (const MissingReference& one : missing) by_field[one.field].insert(one.id);
  Value changes = Value::object();
  for (const auto& [field, gone] : by_field) {
    const Value& member = view.member(field);
    if (member.is_array()) {
      changes.set(field, without(member, gone, field == kEvidenceField ? "source_id" : ""));
    } else {
      changes.set(field, nullptr);
    }
  }
  changes.set("reason", "safe_missing_reference_repair");
  return update(view.type(), std::string(view.id()), std::move(changes));
}

}  // namespace holdfast::service::substrate
