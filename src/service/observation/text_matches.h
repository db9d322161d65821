// Which observations have the texts that were asked for: found out once and kept, because a query
// may be any piece of text, of which the index knows the words only, and because every page of a
// list tells how many there are. A later query, for the next page or with other filters, looks at
// what came or changed since. What is kept is for one viewer and the texts it asked for, so that
// nobody's waiting tells of what others may see. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "access/gatekeeper.h"
#include "base/mutex.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/observation/wanted_texts.h"
#include "storage/store.h"

namespace holdfast::service::observation {

class TextMatches final : public storage::CommitListener {
 public:
  TextMatches(storage::Store& store, const access::Gatekeeper& gatekeeper,
              const search::Index& index);
  ~TextMatches() override;

  // The observations with all of the texts, among them every one that `eyes` may see.
  // kDeadlineExceeded if it takes too long; who asks again goes on from there.
  Result<std::shared_ptr<const search::NumberBits>> find(const CallContext& call,
                                                         const access::SpaceAccess& eyes,
                                                         const WantedTexts& wanted);

  void on_commit(const std::vector<storage::Change>& changes) override;

 private:
  // What is known for one viewer and its texts.
  struct Known {
    SpaceId space = {};
    std::string name = {};
    Mutex mutex = {};  // one looks at a time: others who ask the same wait for it
    std::shared_ptr<const search::NumberBits> matches HOLDFAST_GUARDED_BY(mutex) =
        std::make_shared<search::NumberBits>();
    ObjectNumber until HOLDFAST_GUARDED_BY(mutex) = 0;  // all up to this one were looked at
    // Changed or deleted since they were looked at. Guarded by the mutex of all.
    std::unordered_set<ObjectNumber> changed = {};
  };

  // Observations that are new since, as far as the index can tell.
  struct Candidates {
    std::vector<ObjectNumber> sure = {};
    std::vector<ObjectNumber> doubtful = {};  // in their order
    ObjectNumber until = 0;
  };
  struct Looked {
    size_t count = 0;  // of the numbers, from the first on
    Status status = {};
  };

  std::shared_ptr<Known> known_of(const access::SpaceAccess& eyes, const WantedTexts& wanted);
  std::vector<ObjectNumber> take_changed(Known& known);
  void give_back(Known& known, const std::vector<ObjectNumber>& changed);
  Candidates candidates_after(ObjectNumber until, const access::SpaceAccess& eyes,
                              const WantedTexts& wanted) const;
  // Adds to the matches or takes away from them.
  Looked look_at(const CallContext& call, const WantedTexts& wanted,
                 const std::vector<ObjectNumber>& numbers, search::NumberBits& matches) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;

  Mutex mutex_;
  // The last ones that were asked for, the latest at the end; shared with those who look.
  std::vector<std::shared_ptr<Known>> all_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::service::observation
