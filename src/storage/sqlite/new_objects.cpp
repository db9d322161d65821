#include "storage/sqlite/new_objects.h"

#include <string>

#include "storage/sqlite/journal.h"
#include "storage/sqlite/objects.h"

namespace holdfast::storage::sqlite {
namespace {

// Divides a hundred, the size of most large batches: those left over cost a statement each.
constexpr size_t kInsertedTogether = 20;

#define HOLDFAST_FIVE(row) row "," row "," row "," row "," row
#define HOLDFAST_TWENTY(row) \
  HOLDFAST_FIVE(row) "," HOLDFAST_FIVE(row) "," HOLDFAST_FIVE(row) "," HOLDFAST_FIVE(row)

// A named value is that of all rows: SQLite numbers it where it stands first, in the first row.
// Fail: the rows before a bad one stay, which is cheaper than being able to take them back. The
// whole write is undone anyway.
constexpr char kInsertObjects[] =
    "INSERT OR FAIL INTO " HOLDFAST_OBJECT_ROW " VALUES " HOLDFAST_TWENTY(
        "(?,:space,:kind,?,:revision,:state,:visibility,:sensitivity,"
        ":container,:owner,:compartments,:created,:updated,?,'','',?)");

constexpr char kInsertEntries[] =
    "INSERT OR FAIL INTO " HOLDFAST_JOURNAL_ROW " VALUES " HOLDFAST_TWENTY(
        "(?,:change,:at,:principal,:surface,:action,:kind,?,:revision,"
        ":message,:request,:visibility,:sensitivity,:container,:owner,"
        ":compartments)");

#undef HOLDFAST_TWENTY
#undef HOLDFAST_FIVE

void bind_first(Binder& row, SpaceNumber space, const Object& object,
                const std::string& compartments) {
  const Label& label = object.label;
  row.bind(row_key(space, object.number), space, object.key.kind, object.key.id, object.revision,
           object.state, static_cast<int>(label.visibility), static_cast<int>(label.sensitivity),
           label.container, label.owner, compartments, object.created_at, object.updated_at,
           object.position, object.body);
}

void bind_further(Binder& row, SpaceNumber space, const Object& object) {
  row.bind(row_key(space, object.number), object.key.id, object.position, object.body);
}

void bind_first(Binder& row, SpaceNumber space, const JournalEntry& entry,
                const std::string& compartments) {
  const Label& label = entry.label;
  row.bind(row_key(space, entry.position), entry.change, entry.at, entry.principal, entry.surface,
           entry.action, entry.key.kind, entry.key.id, entry.revision, entry.message,
           entry.request_id, static_cast<int>(label.visibility),
           static_cast<int>(label.sensitivity), label.container, label.owner, compartments);
}

void bind_further(Binder& row, SpaceNumber space, const JournalEntry& entry) {
  row.bind(row_key(space, entry.position), entry.key.id);
}

// Whether the named values are the same for both, where the write itself does not decide them. An
// object and the entry about its creation have one kind, revision and label.
bool alike(const Change& one, const Change& other) {
  const Object& a = one.object;
  const Object& b = other.object;
  return a.key.kind == b.key.kind && a.revision == b.revision && a.state == b.state &&
         a.label == b.label && a.created_at == b.created_at && a.updated_at == b.updated_at &&
         one.entry.action == other.entry.action && one.entry.message == other.entry.message;
}

}  // namespace

void NewObjects::begin(const std::vector<Change>* changes) {
  changes_ = changes;
  waiting_ = 0;
  status_ = {};
  db_.delay(nullptr);
}

Status NewObjects::add(SpaceNumber space) {
  const size_t last = changes_->size() - 1;
  const bool joins =
      waiting_ > 0 && space == space_ && alike((*changes_)[first_], changes_->back());
  if (!joins) {
    HOLDFAST_CHECK_OK(insert());
    first_ = last;
    space_ = space;
  }
  if (++waiting_ == kInsertedTogether) return insert();
  db_.delay(this);
  return {};
}

Status NewObjects::insert() {
  db_.delay(nullptr);
  if (status_ && waiting_ > 0)
    status_ = waiting_ == kInsertedTogether ? insert_together() : insert_each();
  waiting_ = 0;
  return status_;
}

Status NewObjects::insert_each() {
  for (const Change& change : waiting()) {
    HOLDFAST_CHECK_OK(insert_object(db_, space_, change.object, IndexedProjection{}));
    HOLDFAST_CHECK_OK(insert_journal_entry(db_, space_, change.entry));
  }
  return {};
}

Status NewObjects::insert_together() {
  const std::span<const Change> all = waiting();
  const Change& first = all.front();
  // Bound without a copy, as all texts: it lives until the rows are written.
  const std::string compartments = write_list(first.object.label.compartments);
  HOLDFAST_CHECK_OK(db_.run_bound(kInsertObjects, [&](Binder& rows) {
    bind_first(rows, space_, first.object, compartments);
    for (const Change& change : all.subspan(1)) bind_further(rows, space_, change.object);
  }));
  return db_.run_bound(kInsertEntries, [&](Binder& rows) {
    bind_first(rows, space_, first.entry, compartments);
    for (const Change& change : all.subspan(1)) bind_further(rows, space_, change.entry);
  });
}

}  // namespace holdfast::storage::sqlite
