#include "service/chat/replay.h"

#include <charconv>

#include "service/chat/memory_service.h"

namespace holdfast::service::chat {

Print Print::parse(const std::string& text) {
  Print print;
  const size_t first = text.find('|');
  const size_t last = text.rfind('|');
  print.hash = text.substr(0, first);
  if (first == std::string::npos || last == first) return print;
  print.id = text.substr(first + 1, last - first - 1);
  int64_t micros = 0;
  std::from_chars(text.data() + last + 1, text.data() + text.size(), micros);
  print.at = from_micros(micros);
  return print;
}

Error key_reused(std::string_view name, const std::string& id) {
  Error error =
      conflict(reason::kKeyReused, "This request_id was used for another request. Use a new one.");
  if (!name.empty()) error.issues = {{.rule = "idempotency", .params = {{std::string(name), id}}}};
  return error;
}

Result<std::optional<Replay>> find_replay(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                          const storage::IdempotencyKey& key,
                                          const std::string& hash, std::string_view id_name) {
  HOLDFAST_TRY(const auto record, txn.find_idempotency(access, key));
  if (!record) return std::optional<Replay>();
  Replay replay{.print = Print::parse(record->fingerprint),
                .state = record->state,
                .body = record->body,
                .extra = record->extra};
  if (replay.print.hash != hash) return key_reused(id_name, replay.print.id);
  return std::optional(std::move(replay));
}

Status keep_replay(storage::WriteTxn& txn, const access::SpaceAccess& access,
                   const ChatSettings& settings, const KeepReplay& replay) {
  return txn.put_idempotency(
      access, storage::IdempotencyRecord{.key = replay.key,
                                         .fingerprint = replay.print.text(),
                                         .state = replay.state,
                                         .body = replay.body,
                                         .extra = replay.extra,
                                         .created_at = txn.now(),
                                         .expires_at = txn.now() + settings.idempotency_lifetime,
                                         .about = replay.about});
}

}  // namespace holdfast::service::chat
