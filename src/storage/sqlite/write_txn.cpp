#include "storage/sqlite/write_txn.h"

#include <algorithm>
#include <iterator>

#include "access/gatekeeper.h"

namespace holdfast::storage::sqlite {
namespace {

using std::chrono::microseconds;

template <typename T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty()) {
    to = std::move(from);
  } else {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }
}

}  // namespace

void Effects::add(Effects&& later) {
  append(spaces, std::move(later.spaces));
  append(principals, std::move(later.principals));
  append(tokens, std::move(later.tokens));
  append(without_due_jobs, std::move(later.without_due_jobs));
  rows = rows || later.rows;
  erased = erased || later.erased;
  jobs = jobs || later.jobs;
}

size_t Effects::change_count() const {
  size_t count = 0;
  for (const Portion& portion : portions) count += portion.changes.size();
  return count;
}

void SqliteWriteTxn::begin(const CallContext& call, std::vector<Change>* changes) {
  call_ = &call;
  changes_ = changes;
  new_objects_.begin(changes);
  StoreState& state = ledger_.state();
  now_ = std::max(clock_.now(), state.last_at + microseconds(1));
  state.last_at = now_;
  first_position_ = 0;
  replayed_change_ = 0;
  effects_ = Effects{};
}

SpaceNumber SqliteWriteTxn::number_of(const SpaceId& space) const {
  const SpaceRow* row = ledger_.find(space);
  return row == nullptr ? 0 : row->number;
}

Result<SpaceNumber> SqliteWriteTxn::space_for_writing(const access::SpaceAccess& access) {
  if (!access.may_write()) {
    return Error{.code = ErrorCode::kPermissionDenied,
                 .reason = std::string(access::reason::kScope),
                 .message = "This call may read here, not write."};
  }
  if (const SpaceNumber number = number_of(access.space()); number != 0) return number;
  return make_space(access.space());
}

Result<SpaceNumber> SqliteWriteTxn::make_space(const SpaceId& space) {
  HOLDFAST_CHECK_OK(access::check_space_name(space.value));
  HOLDFAST_TRY(const SpaceNumber number, insert_space(db_, space, now_));
  ledger_.add({.number = number, .id = space, .created_at = now_});
  effects_.spaces.emplace_back(space, number);
  return number;
}

JournalPosition SqliteWriteTxn::next_position() {
  const JournalPosition position = ++ledger_.state().last_position;
  if (first_position_ == 0) first_position_ = position;
  return position;
}

JournalEntry SqliteWriteTxn::next_entry(const Object& object, std::string_view action,
                                        std::string_view message) {
  const JournalPosition position = next_position();
  return JournalEntry{.position = position,
                      .change = first_position_,
                      .at = now_,
                      .principal = call_->principal.value,
                      .surface = call_->surface,
                      .action = std::string(action),
                      .key = object.key,
                      .revision = object.revision,
                      .message = std::string(message),
                      .request_id = call_->request_id,
                      .label = object.label};
}

void SqliteWriteTxn::record(const SpaceId& space, Change::What what, Object&& object,
                            Projection&& projection, JournalEntry&& entry) {
  if (changes_ == nullptr) return;
  Change& change = changes_->emplace_back();  // filled where it is: it is large
  change.space = space;
  change.what = what;
  change.object = std::move(object);
  change.projection = std::move(projection);
  change.entry = std::move(entry);
}

const Object* SqliteWriteTxn::recorded(const SpaceId& space, Object&& object,
                                       Projection&& projection, JournalEntry&& entry) {
  if (changes_ == nullptr) return kept(std::move(object));
  record(space, Change::What::kPut, std::move(object), std::move(projection), std::move(entry));
  return &changes_->back().object;
}

const Object* SqliteWriteTxn::kept(Object&& object) {
  last_ = std::move(object);
  return &last_;
}

Status SqliteWriteTxn::retire(const SpaceId& id, SpaceNumber space, const StoredObject& old) {
  const SpaceRow* row = ledger_.find(id);
  if (row != nullptr && row->last_object == old.object.number) {
    HOLDFAST_CHECK_OK(raise_number_floor(db_, space, old.object.number));
  }
  HOLDFAST_CHECK_OK(insert_revision(db_, space, old.object, /*deleted=*/false));
  return delete_object(db_, space, old);
}

Status SqliteWriteTxn::wipe(const SpaceId& id, SpaceNumber space, const ObjectKey& key) {
  effects_.erased = true;
  HOLDFAST_TRY(const auto current, find_object(db_, space, key));
  HOLDFAST_CHECK_OK(erase_answers(db_, space, key, current ? current->object.position : 0));
  if (current) {
    const SpaceRow* row = ledger_.find(id);
    if (row != nullptr && row->last_object == current->object.number) {
      HOLDFAST_CHECK_OK(raise_number_floor(db_, space, current->object.number));
    }
    HOLDFAST_CHECK_OK(empty_message(db_, space, current->object.position));
    HOLDFAST_CHECK_OK(delete_object(db_, space, *current));
  }
  HOLDFAST_CHECK_OK(erase_revisions(db_, space, key));
  return erase_blobs_of(db_, space, key);
}

Status SqliteWriteTxn::put_idempotency(const access::SpaceAccess& access,
                                       const IdempotencyRecord& record) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  std::vector<ObjectKey> about = record.about;
  for (ObjectKey& key : about) {
    if (key == ObjectKey{}) key = write_key(first_position_);
  }
  return sqlite::put_idempotency(db_, space, record, about);
}

Status SqliteWriteTxn::remove_idempotency(const access::SpaceAccess& access,
                                          const IdempotencyKey& key) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  return sqlite::remove_idempotency(db_, space, key);
}

Result<size_t> SqliteWriteTxn::sweep_idempotency(const access::AdminAccess&, Timestamp now,
                                                 size_t limit) {
  return sqlite::sweep_idempotency(db_, ledger_.space_numbers(), now, limit);
}

Status SqliteWriteTxn::put_blob_chunk(const access::SpaceAccess& access, const BlobInfo& blob,
                                      int64_t index, std::string_view bytes) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  return sqlite::put_blob_chunk(db_, space, blob, index, bytes);
}

Status SqliteWriteTxn::finish_blob(const access::SpaceAccess& access, const BlobInfo& blob) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  return sqlite::finish_blob(db_, space, blob);
}

Status SqliteWriteTxn::remove_blob(const access::SpaceAccess& access, std::string_view id) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  return sqlite::remove_blob(db_, space, id);
}

}  // namespace holdfast::storage::sqlite
