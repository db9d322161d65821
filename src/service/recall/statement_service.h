// Memory written by hand: stated, corrected, replaced, forgotten, and how what it advises turned
// out. Each is one write and is found by the next query; the pipeline neither drops nor undoes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/ids.h"
#include "search/index.h"
#include "service/recall/kin.h"
#include "service/recall/memory.h"
#include "service/recall/standing.h"
#include "storage/store.h"

namespace holdfast::service::recall {

struct Remember : Standing {
  std::string text = {};
  std::string type = {};  // one of stated_types()
  std::vector<std::string> work_refs = {};
  std::optional<double> confidence = {};  // kept, and not used for ranking
  std::vector<std::string> evidence = {};
};
struct Remembered {
  Memory memory = {};
  std::string source_item_id = {};
};

struct Correct : Standing {
  std::string memory_id = {};
  std::string text = {};
  Text reason = {};
};

struct Supersede : Standing {
  std::string memory_id = {};
  std::string text = {};
  Text type = {};  // as the old one's
  Text reason = {};
};
struct Superseded {
  std::string old_id = {};
  std::string new_id = {};
};

struct Forget : Standing {
  std::string memory_id = {};
  Text reason = {};
};
struct Forgot {
  std::string memory_id = {};
  bool forgotten = true;  // false: it was before
};

struct RecordOutcome : Standing {
  std::string memory_id = {};
  std::string outcome = {};  // success, failure, inconclusive
  Text note = {};
  std::vector<std::string> evidence = {};
};
struct RecordedOutcome {
  std::string memory_id = {};
  std::string outcome = {};
  std::string outcome_id = {};  // the note that says so
};

namespace reason {
inline constexpr std::string_view kSuperseded = "memory_superseded";
inline constexpr std::string_view kNotStated = "memory_not_stated";
}  // namespace reason

// Thread-safe.
class StatementService {
 public:
  StatementService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                   const search::Index& index, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), index_(index), ids_(clock) {}

  // Common errors: kPermissionDenied for a container beyond the caller's token; kNotFound for a
  // memory that may not be seen from where the caller stands, existing or not; kConflict with
  // reason kSuperseded for one that was superseded.
  Result<Remembered> remember(const CallContext& call, const Remember& request);
  // In place: id, type and scope stay. kConflict with reason kNotStated for types that are made
  // from whole threads or from other memories.
  Result<Memory> correct(const CallContext& call, const Correct& request);
  // A new memory in the old one's scope. kConflict as correct.
  Result<Superseded> supersede(const CallContext& call, const Supersede& request);
  // Erases it with its earlier versions and whatever quotes it.
  Result<Forgot> forget(const CallContext& call, const Forget& request);
  Result<RecordedOutcome> record_outcome(const CallContext& call, const RecordOutcome& request);

 private:
  // Everything a new memory needs, found before its write.
  struct Plan {
    Item item = {};
    Draft draft = {};
    Kin kin = {};
  };
  Result<Plan> plan(storage::ReadTxn& txn, const access::SpaceAccess& all, Item item,
                    const std::string& memory_type) const;
  Item statement(const Standing& by, std::string_view memory_type, const std::string& text);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  UlidGenerator ids_;
};

}  // namespace holdfast::service::recall
