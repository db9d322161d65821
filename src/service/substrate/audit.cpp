// The audit log, read from patches and the history of what they changed.
#include <algorithm>
#include <map>

#include "service/substrate/patch.h"
#include "service/substrate/words.h"
#include "storage/typed.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr size_t kPatchPage = 200;

struct Line {
  PatchRecord::Entry entry = {};
  Value actor = {};
  std::string timestamp = {};
};

// Newest first.
Result<std::vector<Line>> newest_lines(storage::ReadTxn& txn, const SpaceAccess& access,
                                       size_t limit) {
  std::vector<Line> lines;
  storage::Scan scan{.kind = patch_noun().kind, .descending = true, .limit = kPatchPage};
  while (lines.size() < limit) {
    HOLDFAST_TRY(const storage::Page page, txn.scan(access, scan));
    for (const Object& object : page.objects) {
      HOLDFAST_TRY(PatchRecord record, storage::value_of(patch_noun(), object));
      for (auto entry = record.operations.rbegin();
           entry != record.operations.rend() && lines.size() < limit; ++entry) {
        lines.push_back({std::move(*entry), record.actor, record.created_at});
      }
    }
    if (!page.next) break;
    scan.after = page.next;
  }
  return lines;
}

// The bodies that the lines speak of, by revision.
using Bodies = std::map<int64_t, Value>;

Result<Bodies> bodies_of(storage::ReadTxn& txn, const SpaceAccess& access, const ObjectKey& key,
                         int64_t oldest) {
  Bodies bodies;
  for (size_t limit = 4;; limit *= 4) {
    auto history = txn.history(access, key, limit);
    if (!history && history.error().code == ErrorCode::kNotFound) return bodies;  // forgotten
    if (!history) return std::move(history).error();
    const bool complete = history->size() < limit || history->back().object.revision <= oldest;
    if (!complete) continue;
    for (const storage::RevisionRecord& record : *history) {
      if (record.deleted || record.object.revision < oldest) continue;
      const auto type = type_from_name(key.kind);
      if (!type) continue;
      HOLDFAST_TRY(Document document, storage::value_of(noun_of(*type), record.object));
      bodies[record.object.revision] = std::move(document.json);
    }
    return bodies;
  }
}

Value body_at(const Bodies& bodies, int64_t revision) {
  const auto found = bodies.find(revision);
  return found == bodies.end() ? Value::object() : found->second;
}

}  // namespace

Result<std::vector<AuditEvent>> last_events(storage::ReadTxn& txn, const SpaceAccess& access,
                                            size_t limit) {
  HOLDFAST_TRY(auto lines, newest_lines(txn, access, limit));
  std::ranges::reverse(lines);
  std::map<ObjectKey, int64_t> oldest;
  for (const Line& line : lines) {
    const ObjectKey key{line.entry.object_type, line.entry.object_id};
    const int64_t first = line.entry.before > 0 ? line.entry.before : line.entry.after;
    const auto [known, added] = oldest.emplace(key, first);
    if (!added) known->second = std::min(known->second, first);
  }
  std::map<ObjectKey, Bodies> bodies;
  for (const auto& [key, revision] : oldest) {
    HOLDFAST_TRY(bodies[key], bodies_of(txn, access, key, revision));
  }
  std::vector<AuditEvent> events;
  events.reserve(lines.size());
  for (Line& line : lines) {
    const Bodies& here = bodies.at({line.entry.object_type, line.entry.object_id});
    AuditEvent event{.id = line.entry.audit_id,
                     .event_type = line.entry.op,
                     .actor = std::move(line.actor),
                     .object_type = line.entry.object_type,
                     .object_id = line.entry.object_id,
                     .before = body_at(here, line.entry.before),
                     .after = body_at(here, line.entry.after),
                     .timestamp = line.timestamp};
    const Value* reason = line.entry.has_reason ? event.after.find("reason") : nullptr;
    if (reason != nullptr && reason->is_string()) event.reason = *reason->if_string();
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace holdfast::service::substrate
