// The writes above objects: jobs, spaces, principals, tokens, settings; and replaying a journal.
#include <algorithm>
#include <tuple>

#include "storage/sqlite/projection_text.h"
#include "storage/sqlite/write_txn.h"

namespace holdfast::storage::sqlite {
namespace {

Error older_than_stored(const ObjectKey& key) {
  return conflict(reason::kRevisionConflict,
                  "The history of " + key.kind + " '" + key.id + "' here is already further on.");
}

}  // namespace

Result<int64_t> SqliteWriteTxn::enqueue(const access::SpaceAccess& access, const Job& job) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  HOLDFAST_TRY(const int64_t pending, find_pending(db_, space, job));
  if (pending != 0) return pending;
  Job row = job;
  row.id = ++ledger_.state().last_job;
  if (row.created_at == Timestamp{}) row.created_at = now_;
  if (row.run_at == Timestamp{}) row.run_at = now_;
  HOLDFAST_CHECK_OK(insert_job(db_, space, row));
  ledger_.spaces_with_jobs().insert(access.space());
  effects_.jobs = true;
  return row.id;
}

Result<std::vector<Job>> SqliteWriteTxn::claim_jobs(const access::AdminAccess&,
                                                    const JobClaim& claim) {
  std::vector<Job> due;
  for (const SpaceId& space : ledger_.spaces_with_jobs()) {
    const size_t before = due.size();
    for (const std::string& queue : claim.queues) {
      HOLDFAST_TRY(auto found, due_jobs(db_, number_of(space), queue, claim.now, claim.limit));
      for (Job& job : found) {
        job.space = space;
        due.push_back(std::move(job));
      }
    }
    if (due.size() == before) effects_.without_due_jobs.push_back(space);
  }
  std::ranges::sort(due, {}, [](const Job& job) { return std::tuple(job.run_at, job.id); });
  if (due.size() > claim.limit) due.resize(claim.limit);
  for (Job& job : due) HOLDFAST_CHECK_OK(lease_job(db_, number_of(job.space), claim, job));
  return due;
}

Status SqliteWriteTxn::finish_job(const access::AdminAccess&, const JobOutcome& outcome) {
  return sqlite::finish_job(db_, number_of(outcome.space), outcome);
}

Status SqliteWriteTxn::release_jobs(const access::AdminAccess&) {
  effects_.jobs = true;
  return sqlite::release_jobs(db_);
}

Result<size_t> SqliteWriteTxn::sweep_jobs(const access::AdminAccess&, Timestamp before,
                                          size_t limit) {
  return sqlite::sweep_jobs(db_, ledger_.space_numbers(), before, limit);
}

Status SqliteWriteTxn::create_space(const access::AdminAccess&, const SpaceId& space) {
  if (number_of(space) == 0) HOLDFAST_CHECK_OK(make_space(space));
  return {};
}

Status SqliteWriteTxn::erase_space(const access::AdminAccess&, const SpaceId& space) {
  const SpaceRow* found = ledger_.find(space);
  if (found == nullptr) return not_found("space", space.value);
  HOLDFAST_CHECK_OK(delete_space(db_, *found));
  ledger_.remove(space);
  effects_.spaces.emplace_back(space, 0);
  effects_.erased = true;
  record(space, Change::What::kErased, {}, {}, {});
  next_position();  // its journal is gone; whoever remembers a position still sees that all moved
                    // on
  // The default space always exists.
  if (space == kDefaultSpace) HOLDFAST_CHECK_OK(make_space(space));
  return {};
}

Status SqliteWriteTxn::put_principal(const access::AdminAccess&, const Principal& principal) {
  effects_.principals.push_back(principal.id);
  return sqlite::put_principal(db_, principal);
}

Status SqliteWriteTxn::put_token(const access::AdminAccess&, const Token& token) {
  effects_.tokens.push_back(token.id);
  return sqlite::put_token(db_, token);
}

Status SqliteWriteTxn::revoke_token(const access::AdminAccess&, std::string_view id) {
  HOLDFAST_TRY(const auto family, token_family(db_, id));
  if (family.empty()) return not_found("token", id);
  for (const std::string& member : family) {
    HOLDFAST_CHECK_OK(mark_revoked(db_, member, now_));
    effects_.tokens.push_back(member);
  }
  return {};
}

Status SqliteWriteTxn::sweep_minted_tokens(const access::AdminAccess&, std::string_view parent,
                                           Timestamp expired_before, size_t limit) {
  HOLDFAST_TRY(const auto expired, expired_tokens(db_, parent, expired_before, limit));
  for (const std::string& id : expired) {
    HOLDFAST_CHECK_OK(delete_token(db_, id));
    effects_.tokens.push_back(id);
  }
  return {};
}

Status SqliteWriteTxn::set_meta(const access::AdminAccess&, std::string_view name,
                                std::string_view value) {
  return sqlite::set_meta(db_, name, value);
}

Status SqliteWriteTxn::replay(const access::SpaceAccess& access, const Object& object,
                              const Projection& projection, const JournalEntry& entry) {
  HOLDFAST_TRY(const SpaceNumber space, space_for_writing(access));
  HOLDFAST_TRY(auto current, find_object(db_, space, object.key));
  HOLDFAST_TRY(const auto past, last_state(db_, space, object.key));
  const Revision newest = current ? current->object.revision : past ? past->revision : 0;
  if (newest >= object.revision) return older_than_stored(object.key);

  Object state = object;
  state.number = current ? current->object.number : 0;
  JournalEntry written = entry;
  written.key = object.key;
  written.position = next_position();
  if (entry.change == 0 || entry.change != replayed_change_) replayed_at_ = written.position;
  replayed_change_ = entry.change;
  written.change = replayed_at_;
  state.position = written.position;
  HOLDFAST_CHECK_OK(insert_journal_entry(db_, space, written));
  if (entry.action == journal_action::kErased) {
    HOLDFAST_CHECK_OK(wipe(access.space(), space, object.key));
    record(access.space(), Change::What::kErased, std::move(state), {}, std::move(written));
    return {};
  }
  if (entry.action == journal_action::kDeleted) {
    if (current) HOLDFAST_CHECK_OK(retire(access.space(), space, *current));
    state.body.clear();
    HOLDFAST_CHECK_OK(insert_revision(db_, space, state, /*deleted=*/true));
    record(access.space(), Change::What::kDeleted, std::move(state), {}, std::move(written));
    return {};
  }
  IndexedProjection index{.facets = normalised(projection.facets),
                          .links = normalised(projection.links)};
  index.facets_text = write_facets(index.facets);
  index.links_text = write_links(index.links);
  if (current) {
    HOLDFAST_CHECK_OK(insert_revision(db_, space, current->object, /*deleted=*/false));
    HOLDFAST_CHECK_OK(replace_object(db_, space, state, *current, index));
  } else {
    state.number = ledger_.next_object(access.space());
    HOLDFAST_CHECK_OK(insert_object(db_, space, state, index));
  }
  record(access.space(), Change::What::kPut, std::move(state), Projection(projection),
         std::move(written));
  return {};
}

}  // namespace holdfast::storage::sqlite
