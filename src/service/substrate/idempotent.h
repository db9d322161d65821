// Writes that are answered again rather than made again when a call is re-sent under its key.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/codec.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

inline constexpr std::chrono::hours kAnswerLifetime{24};

struct OnceKey {
  std::string operation = {};  // remember, maintain, ...
  std::string part = {};       // of a call that makes several writes
};

// Runs `closure(txn)` in one write and remembers its answer under the call's key, if it has one.
// T needs a codec. `about(answer)` names the objects that the answer tells about, so that
// forgetting them empties it.
template <typename T, typename Closure, typename About>
Result<T> write_once(storage::Store& store, const CallContext& call,
                     const access::SpaceAccess& access, const OnceKey& once, Closure&& closure,
                     About&& about) {
  const storage::IdempotencyKey key{.caller = call.principal.value,
                                    .operation = "substrate." + once.operation,
                                    .key = call.idempotency_key + once.part};
  const bool keyed = !call.idempotency_key.empty();
  return storage::write_returning<T>(store, call, [&](storage::WriteTxn& txn) -> Result<T> {
    if (keyed) {
      HOLDFAST_TRY(const auto known, txn.find_idempotency(access, key));
      if (known && known->state == "done") return codec_of<T>().decode_text(known->body);
    }
    HOLDFAST_TRY(T answer, closure(txn));
    if (keyed) {
      HOLDFAST_CHECK_OK(txn.put_idempotency(access, {.key = key,
                                                     .body = codec_of<T>().encode_text(answer),
                                                     .created_at = txn.now(),
                                                     .expires_at = txn.now() + kAnswerLifetime,
                                                     .about = about(answer)}));
    }
    return answer;
  });
}

}  // namespace holdfast::service::substrate
