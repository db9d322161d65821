// Principals as they are shown beside what they made.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/principal.h"
#include "storage/store.h"

namespace holdfast::service::observation {

struct PrincipalCard {
  std::string id = {};
  std::string handle = {};
  std::string display_name = {};
  std::string kind = {};  // human, agent, system
};

std::string_view kind_name(PrincipalKind kind);
std::string_view status_name(PrincipalStatus status);
PrincipalCard card_of(const Principal& principal);

// Looks each principal up once. Lives as long as the transaction.
class People {
 public:
  People(storage::ReadTxn& txn, const access::Gatekeeper& gatekeeper)
      : txn_(txn), gatekeeper_(gatekeeper) {}

  // A principal that is not in the store (the local owner) is shown by its id.
  Result<PrincipalCard> card(const std::string& id);

 private:
  storage::ReadTxn& txn_;
  const access::Gatekeeper& gatekeeper_;
  std::map<std::string, PrincipalCard> cards_;
};

}  // namespace holdfast::service::observation
