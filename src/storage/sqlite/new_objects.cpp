#include "storage/sqlite/new_objects.h"

#include <array>
#include <string>

#include "storage/sqlite/journal.h"
#include "storage/sqlite/objects.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr size_t kTogether = 16;

#define HOLDFAST_SIXTEEN(row)                                                                 \
  row "," row "," row "," row "," row "," row "," row "," row "," row "," row "," row "," row \
      "," row "," row "," row "," row

// Fail: the rows before a bad one stay, which is cheaper than being able to take them back. The
// whole write is undone anyway.
constexpr char kInsertObjects[] =
    "INSERT OR FAIL INTO " HOLDFAST_OBJECT_ROW
    " VALUES " HOLDFAST_SIXTEEN("(?,?,?,?,?,?,?,?,?,?,?,?,?,?,'','',?)");

constexpr char kInsertEntries[] = "INSERT OR FAIL INTO " HOLDFAST_JOURNAL_ROW
                                  " VALUES " HOLDFAST_SIXTEEN("(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");

#undef HOLDFAST_SIXTEEN

void bind_object(Binder& row, SpaceNumber space, const Object& object,
                 const std::string& compartments) {
  const Label& label = object.label;
  row.bind(row_key(space, object.number), space, object.key.kind, object.key.id, object.revision,
           object.state, static_cast<int>(label.visibility), static_cast<int>(label.sensitivity),
           label.container, label.owner, compartments, object.created_at, object.updated_at,
           object.position, object.body);
}

void bind_entry(Binder& row, SpaceNumber space, const JournalEntry& entry,
                const std::string& compartments) {
  const Label& label = entry.label;
  row.bind(row_key(space, entry.position), entry.change, entry.at, entry.principal, entry.surface,
           entry.action, entry.key.kind, entry.key.id, entry.revision, entry.message,
           entry.request_id, static_cast<int>(label.visibility),
           static_cast<int>(label.sensitivity), label.container, label.owner, compartments);
}

}  // namespace

void NewObjects::begin(const std::vector<Change>* changes) {
  changes_ = changes;
  spaces_.clear();
  status_ = {};
  db_.delay(nullptr);
}

Status NewObjects::add(SpaceNumber space) {
  spaces_.push_back(space);
  if (spaces_.size() == kTogether) return insert();
  db_.delay(this);
  return {};
}

Status NewObjects::insert() {
  db_.delay(nullptr);
  if (status_) status_ = insert_all();
  spaces_.clear();
  return status_;
}

Status NewObjects::insert_all() {
  if (spaces_.empty()) return {};
  const size_t first = changes_->size() - spaces_.size();
  if (spaces_.size() == kTogether) return insert_together(first);
  for (size_t i = 0; i < spaces_.size(); ++i) {
    const Change& change = (*changes_)[first + i];
    HOLDFAST_CHECK_OK(insert_object(db_, spaces_[i], change.object, IndexedProjection{}));
    HOLDFAST_CHECK_OK(insert_journal_entry(db_, spaces_[i], change.entry));
  }
  return {};
}

Status NewObjects::insert_together(size_t first) {
  // Bound without a copy: they live until the rows are written. An object and the entry about its
  // creation have one label.
  std::array<std::string, kTogether> compartments;
  for (size_t i = 0; i < kTogether; ++i)
    compartments[i] = write_list((*changes_)[first + i].object.label.compartments);
  HOLDFAST_CHECK_OK(db_.run_bound(kInsertObjects, [&](Binder& rows) {
    for (size_t i = 0; i < kTogether; ++i)
      bind_object(rows, spaces_[i], (*changes_)[first + i].object, compartments[i]);
  }));
  return db_.run_bound(kInsertEntries, [&](Binder& rows) {
    for (size_t i = 0; i < kTogether; ++i)
      bind_entry(rows, spaces_[i], (*changes_)[first + i].entry, compartments[i]);
  });
}

}  // namespace holdfast::storage::sqlite
