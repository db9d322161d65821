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

class SourceService {
 public:
  SourceService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                const search::Index& index)
      : store_(store), gatekeeper_(gatekeeper), index_(index) {}

  // The turns around an item, 16,000 characters at most. kNotFound for whatever may not be seen
  // from that container, existing or not.
  Result<SourceContext> context(const CallContext& call, const ContextRequest& request) const;

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
};

}  // namespace holdfast::service::recall
