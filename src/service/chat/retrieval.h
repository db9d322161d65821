// Which of a user's memories are put in front of the provider.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/chat/chat_settings.h"
#include "service/chat/chat_types.h"
#include "storage/store.h"

namespace holdfast::service::chat {

inline constexpr int64_t kMostItems = 6;
inline constexpr int64_t kMostSummaryTokens = 200;
inline constexpr size_t kMostRetrievedBytes = 8192;

struct Retrieved {
  std::vector<UsedMemory> memories = {};
  JournalPosition at = 0;  // where they were read
};

class MemoryRetriever {
 public:
  MemoryRetriever(storage::Store& store, const access::Gatekeeper& gatekeeper,
                  const search::Index& index, const Clock& clock, const ChatSettings& settings)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock), settings_(settings) {}

  // Best first: by how many of the message's words they have, then by BM25, then the newer one.
  // They are read in `txn`, which ends with the call; nothing: in one of its own.
  Result<Retrieved> retrieve(const CallContext& call, std::unique_ptr<storage::ReadTxn> txn,
                             const ChatRun& run) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const ChatSettings& settings_;
};

}  // namespace holdfast::service::chat
