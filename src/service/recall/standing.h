// Where somebody stands who writes memory by hand, and what can be changed from there.
#pragma once

#include <string>

#include "access/gatekeeper.h"
#include "service/recall/memory.h"
#include "storage/store.h"

namespace holdfast::service::recall {

// Who speaks, and where.
struct Standing {
  std::string container_ref = {};
  std::string thread_ref = {};
  std::string actor_ref = {};
  std::string agent_ref = {};
  Scope visibility = Scope::kPrivate;
};

class Stand {
 public:
  // kPermissionDenied for a container beyond the caller's token.
  static Result<Stand> take(const access::Gatekeeper& gatekeeper, const CallContext& call,
                            const Standing& by);

  // The whole space, for what the engine does in the caller's name.
  const access::SpaceAccess& all() const { return all_; }

  // What queries from here see, at its home: public memory is changed in its own container.
  bool sees(const Label& label, const std::string& container, const Text& actor) const;
  // kNotFound for what is not seen from here, existing or not.
  Result<Memory> find(storage::ReadTxn& txn, const std::string& id) const;

 private:
  Stand(access::SpaceAccess all, access::SpaceAccess access, std::string container,
        std::string actor);

  access::SpaceAccess all_;
  access::SpaceAccess access_;
  std::string container_;
  std::string actor_;
};

}  // namespace holdfast::service::recall
