// The derived graph around a thread or task: its tasks, what blocks them, documents, successors.
// Nothing of it is stored. Thread-safe.
#pragma once

#include <optional>

#include "service/continuity/request.h"
#include "service/continuity/work_store.h"

namespace holdfast::service::continuity {

struct GraphCaps {
  size_t nodes = 24;
  size_t edges = 32;
  size_t documents = 8;
  size_t blockers = 8;
};
inline constexpr GraphCaps kRetrieveCaps = {};
inline constexpr GraphCaps kStartupCaps = {.nodes = 12, .edges = 16, .documents = 4, .blockers = 4};

class GraphService {
 public:
  explicit GraphService(const search::Index& index) : index_(index) {}

  Result<Value> around(const Request& request, const Access& access, storage::ReadTxn& txn,
                       const Subject& anchor, const GraphCaps& caps) const;
  // A graph of nothing, with one warning.
  static Value empty(const char* code, const char* message, Value details, const GraphCaps& caps);
  static Value unsupported(const std::string& kind, const GraphCaps& caps);

 private:
  const search::Index& index_;
};

}  // namespace holdfast::service::continuity
