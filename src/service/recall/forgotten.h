// What must not come back: a mark in the place of a memory or an item that was forgotten. It holds
// nothing of what that said but a digest of its key.
#pragma once

#include <string>

#include "access/space_access.h"
#include "service/recall/memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct Forgotten {
  std::string container_ref = {};
  Scope visibility = Scope::kPrivate;
  Text actor_ref = {};
  Timestamp at = {};
  Timestamp until = {};  // what says the same is not derived again before, whatever it rests on
  std::string key = {};  // scope and canonical key, as a digest; empty for items and notes
};

// For how long what was forgotten is not derived from new evidence either. From evidence that is
// older than the mark it never is.
inline constexpr auto kForgottenKept = std::chrono::hours(24 * 30);

const Noun<Forgotten>& forgotten_noun();
// `id`: that of the memory or the item.
inline ObjectKey forgotten_key(const std::string& id) {
  return {.kind = forgotten_noun().kind, .id = id};
}

// The mark of a memory; `until` as above.
Forgotten mark_of(const Memory& memory, Timestamp at, Timestamp until);
Forgotten mark_of(const Item& item, Timestamp at);

class ForgottenMarks {
 public:
  ForgottenMarks(storage::WriteTxn& txn, const access::SpaceAccess& all) : txn_(txn), all_(all) {}

  Status put(const std::string& id, const Forgotten& mark);
  // Whether a memory that was just derived says what was forgotten.
  Result<bool> cover(const Memory& memory);
  // Somebody states it again: it may be known again.
  Status lift(const Memory& memory);

 private:
  Result<std::vector<Object>> with_key(const Memory& memory);

  storage::WriteTxn& txn_;
  const access::SpaceAccess& all_;
};

}  // namespace holdfast::service::recall
