// What is not as it should be among the stored objects. Reads everything: maintenance, on demand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "model/value.h"
#include "service/substrate/ids.h"
#include "service/substrate/patch.h"
#include "service/substrate/stored.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

enum class Severity : uint8_t { kInfo, kWarning, kError };

struct StructureIssue {
  std::string kind = {};
  Severity severity = Severity::kWarning;
  std::string target_id = {};
  std::string summary = {};
  Value details = Value::object();
  bool repairable = false;

  std::string issue_id() const;  // validator:kind:target:...
};

Result<std::vector<StructureIssue>> find_structure_issues(storage::ReadTxn& txn,
                                                          const access::SpaceAccess& access);

// References of one object to what does not exist. Empty: all is well.
struct MissingReference {
  std::string field = {};
  std::string id = {};
};
// Judges by `exists`, so that a scan can ask a set and a write the store.
using Exists = std::function<Result<bool>(const std::string& id)>;
Result<std::vector<MissingReference>> missing_references(const DocumentView& view,
                                                         const Exists& exists);
// The object without its missing references.
Operation repair_operation(const DocumentView& view, const std::vector<MissingReference>& missing);

}  // namespace holdfast::service::substrate
