// One call at the start of a turn: what an agent should know, within a token budget.
#pragma once

#include <functional>
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
  std::string name = {};  // due_reminders, open_work, relevant, recent; a surface may add its own
  std::vector<ContextEntry> entries = {};
  int64_t left_out = 0;  // entries the budget had no room for
};

struct ContextResponse {
  SpaceId space = {};
  int64_t token_budget = 0;
  int64_t tokens = 0;
  std::vector<ContextSection> sections = {};
};

// Another service's contribution, for instance the capsule of the task. Sections are filled in the
// order they were added; the built-in ones come last.
using ContextSource =
    std::function<Result<ContextSection>(const CallContext&, const ContextRequest&)>;

// Thread-safe once the sources are added.
class ContextService {
 public:
  ContextService(const access::Gatekeeper& gatekeeper, SearchService& search)
      : gatekeeper_(gatekeeper), search_(search) {}

  void add_source(ContextSource source) { sources_.push_back(std::move(source)); }

  Result<ContextResponse> context(const CallContext& call, const ContextRequest& request);

 private:
  static constexpr int64_t kDueLimit = 10;
  static constexpr int64_t kOpenLimit = 10;
  static constexpr int64_t kRelevantLimit = 20;
  static constexpr int64_t kRecentLimit = 10;

  Result<std::vector<ContextSection>> gather(const CallContext& call,
                                             const ContextRequest& request);
  Result<ContextSection> section(const CallContext& call, std::string name,
                                 const SearchRequest& request);

  const access::Gatekeeper& gatekeeper_;
  SearchService& search_;
  std::vector<ContextSource> sources_;
};

}  // namespace holdfast::service
