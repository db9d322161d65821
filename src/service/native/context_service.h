// One call at the start of a turn: what an agent should know, within a token budget.
#pragma once

#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/native/search_service.h"

namespace holdfast::service {

struct ContextRequest {
  std::string query = {};  // what the turn is about; empty: no relevant section
  std::string container = {};
  std::string thread = {};
  std::string task = {};
  std::string repository = {};
  int64_t token_budget = 2000;
};

struct ContextEntry {
  ObjectKey key = {};
  std::string text = {};  // cut to what the budget allows
  Timestamp at = {};
  int64_t tokens = 0;  // about four characters a token
};

struct ContextSection {
  std::string name = {};  // capsule, due_reminders, open_work, relevant, recent
  std::vector<ContextEntry> entries = {};
  int64_t left_out = 0;  // entries the budget had no room for
};

struct ContextResponse {
  SpaceId space = {};
  int64_t token_budget = 0;
  int64_t tokens = 0;
  std::vector<ContextSection> sections = {};
};

// Thread-safe.
class ContextService {
 public:
  // `capsule_kind`: the kind of object that says where somebody stands; its summary comes first.
  ContextService(const access::Gatekeeper& gatekeeper, SearchService& search,
                 std::string capsule_kind)
      : gatekeeper_(gatekeeper), search_(search), capsule_kind_(std::move(capsule_kind)) {}

  Result<ContextResponse> context(const CallContext& call, const ContextRequest& request);

 private:
  static constexpr int64_t kCapsuleLimit = 1;
  static constexpr int64_t kDueLimit = 10;
  static constexpr int64_t kOpenLimit = 10;
  static constexpr int64_t kRelevantLimit = 20;
  static constexpr int64_t kRecentLimit = 10;

  Result<std::vector<ContextSection>> gather(const CallContext& call,
                                             const ContextRequest& request);
  Result<ContextSection> capsules(const CallContext& call, const ContextRequest& request);
  Result<ContextSection> section(const CallContext& call, std::string name,
                                 const SearchRequest& request);

  const access::Gatekeeper& gatekeeper_;
  SearchService& search_;
  const std::string capsule_kind_;
};

}  // namespace holdfast::service
