#include "service/observation/receipts.h"

#include "base/time_text.h"
#include "model/codec.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

using storage::IdempotencyRecord;

constexpr std::chrono::hours kKeyLifetime{24};

const Codec<Origin>& origin_codec() {
  static const Codec<Origin> codec = Codec<Origin>()
                                         .field("request_id", &Origin::request_id)
                                         .field("at", &Origin::at)
                                         .field("location", &Origin::location)
                                         .field("commit_id", &Origin::commit_id)
                                         .field("commit_at", &Origin::commit_at);
  return codec;
}

// The body as it was sent.
Result<std::string> whole_body(storage::ReadTxn& txn, const access::SpaceAccess& access,
                               const CallContext& call, const Receipt& receipt,
                               const Origin& origin, std::string kept) {
  if (origin.commit_id.empty()) return kept;
  HOLDFAST_TRY(const auto commit, txn.find_idempotency(access, commit_key(call, origin.commit_id)));
  if (!commit) return not_found("answer to the commit", origin.commit_id);
  return kept.insert(static_cast<size_t>(origin.commit_at),
                     with_titles(commit->body, receipt.title_of));
}

std::string kept_part(const StoredAnswer& answer) {
  if (!answer.kept_body.empty()) return answer.kept_body;
  const auto& elsewhere = answer.commit_part;
  std::string kept = answer.body.substr(0, elsewhere.at);
  return kept.append(answer.body, elsewhere.at + elsewhere.size);
}

Result<std::optional<StoredAnswer>> find_in(storage::ReadTxn& txn,
                                            const access::SpaceAccess& access,
                                            const CallContext& call, const Receipt& receipt) {
  HOLDFAST_TRY(const auto record, txn.find_idempotency(access, request_key(call, receipt.key)));
  if (!record) return std::optional<StoredAnswer>();
  const Origin origin = read_origin(record->extra);
  if (record->fingerprint != receipt.fingerprint) {
    return key_conflict({{"original_request_id", origin.request_id},
                         {"original_timestamp", format_millis(origin.at)}});
  }
  // What it told about was erased since; the answer went with it.
  if (record->state == "erased") return not_found("answer to the key", receipt.key);
  HOLDFAST_TRY(std::string body, whole_body(txn, access, call, receipt, origin, record->body));
  return std::optional(StoredAnswer{.status = record->status,
                                    .body = std::move(body),
                                    .location = origin.location,
                                    .replayed = true});
}

}  // namespace

std::string origin_text(const Origin& origin) { return origin_codec().encode_text(origin); }

Origin read_origin(const std::string& text) {
  auto origin = origin_codec().decode_text(text);
  return origin ? std::move(*origin) : Origin{};
}

storage::IdempotencyKey request_key(const CallContext& call, const std::string& key) {
  return {.caller = "observations/" + call.principal.value, .operation = "request", .key = key};
}

storage::IdempotencyKey commit_key(const CallContext& call, const std::string& commit_id) {
  return {
      .caller = "observations/" + call.principal.value, .operation = "commit", .key = commit_id};
}

Result<std::optional<StoredAnswer>> Receipts::find(const CallContext& call,
                                                   const Receipt& receipt) const {
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  return find_in(*txn, gatekeeper_.engine_access(call.viewer.space), call, receipt);
}

Result<StoredAnswer> Receipts::run(const CallContext& call, const Act& act) {
  std::vector<std::function<void()>> afterwards;
  HOLDFAST_TRY(StoredAnswer answer,
               storage::write_returning<StoredAnswer>(
                   store_, call, [&](storage::WriteTxn& txn) -> Result<StoredAnswer> {
                     HOLDFAST_TRY(Mutation mutation, Mutation::begin(call, txn, gatekeeper_));
                     HOLDFAST_TRY(StoredAnswer done, act(mutation));
                     afterwards = mutation.take_afterwards();
                     return done;
                   }));
  for (const auto& after : afterwards) after();
  return answer;
}

Result<StoredAnswer> Receipts::perform(const CallContext& call, const Act& act) {
  return run(call, act);
}

Result<StoredAnswer> Receipts::perform(const CallContext& call, const Receipt& receipt,
                                       const Act& act) {
  return run(call, [&](Mutation& mutation) -> Result<StoredAnswer> {
    const access::SpaceAccess& access = mutation.everything();
    storage::WriteTxn& txn = mutation.write();
    HOLDFAST_TRY(auto known, find_in(txn, access, call, receipt));
    if (known) return std::move(*known);
    HOLDFAST_TRY(StoredAnswer answer, act(mutation));
    const bool in_commit = !answer.commit_part.commit_id.empty();  // which tells about it
    HOLDFAST_CHECK_OK(txn.put_idempotency(
        access, {.key = request_key(call, receipt.key),
                 .fingerprint = receipt.fingerprint,
                 .status = answer.status,
                 .body = kept_part(answer),
                 .extra = origin_text({.request_id = call.request_id,
                                       .at = receipt.at,
                                       .location = answer.location,
                                       .commit_id = answer.commit_part.commit_id,
                                       .commit_at = static_cast<int64_t>(answer.commit_part.at)}),
                 .created_at = txn.now(),
                 .expires_at = txn.now() + kKeyLifetime,
                 .about = in_commit ? std::vector<ObjectKey>() : mutation.written()}));
    return answer;
  });
}

}  // namespace holdfast::service::observation
