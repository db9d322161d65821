// Raw evidence in its surroundings.
#pragma once

#include "access/gatekeeper.h"
#include "search/index.h"
#include "service/recall/item.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct ContextRequest {
  std::string source_item_id = {};
  std::string container_ref = {};
  Text actor_ref = {};
  int64_t before = 5;  // at most kMostAround
  int64_t after = 5;
};
inline constexpr int64_t kMostAround = 25;

struct SourceContext {
  std::string source_item_id = {};
  std::vector<Item> items = {};  // of its thread, in order, itself among them
};

// One turn, or all of a container or of a thread in it.
struct ForgetSource {
  Text source_item_id = {};
  Text container_ref = {};
  Text thread_ref = {};
  Text actor_ref = {};  // global turns of a container go only by their own actor's word
  Text reason = {};
};
struct ForgotSource {
  ForgetSource request = {};
  int64_t count = 0;      // newly forgotten
  bool has_more = false;  // kMostForgotten were: ask again
};
inline constexpr size_t kMostForgotten = 500;

class SourceService {
 public:
  SourceService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                const search::Index& index)
      : store_(store), gatekeeper_(gatekeeper), index_(index) {}

  // The turns around an item, 16,000 characters at most: of a longer item its beginning. kNotFound
  // for whatever may not be seen from that container, existing or not.
  Result<SourceContext> context(const CallContext& call, const ContextRequest& request) const;
  // Erases turns, the memory that rests on them alone, and rebuilds what was worded from them among
  // others. kNotFound for a single turn that may not be seen, existing or not.
  Result<ForgotSource> forget(const CallContext& call, const ForgetSource& request);

 private:
  Result<bool> forget_one(storage::WriteTxn& txn, const access::SpaceAccess& access,
                          const ForgetSource& request) const;
  Status forget_scope(storage::WriteTxn& txn, const access::SpaceAccess& access,
                      ForgotSource& out) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
};

}  // namespace holdfast::service::recall
