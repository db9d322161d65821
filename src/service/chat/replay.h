// Repeated requests: the same request id with the same content gets the first answer again, with
// other content a refusal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"
#include "model/codec.h"
#include "service/chat/chat_settings.h"
#include "storage/store.h"

namespace holdfast::service::chat {

// The fingerprint of a request, and what of its effect is no content and so outlives an erasure.
struct Print {
  std::string hash = {};
  std::string id = {};  // of what it made
  Timestamp at = {};

  std::string text() const { return hash + "|" + id + "|" + std::to_string(to_micros(at)); }
  static Print parse(const std::string& text);
};

inline storage::IdempotencyKey replay_key(const std::string& user, std::string_view operation,
                                          const std::string& request_id) {
  return {.caller = "chat/" + user, .operation = std::string(operation), .key = request_id};
}

// kConflict; `name` says what `id` is: memory_id, transmission_id. Empty: nothing to name.
Error key_reused(std::string_view name, const std::string& id);

// The state of an answer that went with an object it told about, as the store writes it.
inline constexpr std::string_view kErased = "erased";

struct Replay {
  Print print = {};
  std::string state = {};  // done, failed, kErased
  std::string body = {};   // the stored answer
  std::string extra = {};
};

// Nothing if the key is new. kConflict if it was used for something else.
Result<std::optional<Replay>> find_replay(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                          const storage::IdempotencyKey& key,
                                          const std::string& hash, std::string_view id_name);

struct KeepReplay {
  storage::IdempotencyKey key = {};
  Print print = {};
  std::string state = "done";
  std::string body = {};
  std::string extra = {};
  std::vector<ObjectKey> about = {};
};
Status keep_replay(storage::WriteTxn& txn, const access::SpaceAccess& access,
                   const ChatSettings& settings, const KeepReplay& replay);

}  // namespace holdfast::service::chat
