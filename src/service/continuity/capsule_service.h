// Writing capsules: upsert, patch, lifecycle, archive, delete; comparing and revalidating them.
// Thread-safe. Requests come through the shapes of operations.h; answers have the contract's
// members in the contract's order.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "service/continuity/capsule_store.h"
#include "service/continuity/request.h"

namespace holdfast::service::continuity {

class CapsuleService {
 public:
  CapsuleService(storage::Store& store, const access::Gatekeeper& gatekeeper, const Clock& clock)
      : store_(store), gatekeeper_(gatekeeper), clock_(clock) {}

  Result<Value> upsert(const Request& request);
  Result<Value> patch(const Request& request);
  Result<Value> lifecycle(const Request& request);
  Result<Value> archive(const Request& request);
  Result<Value> remove(const Request& request);
  Result<Value> compare(const Request& request);
  Result<Value> revalidate(const Request& request);

 private:
  Result<Value> upsert_in(storage::WriteTxn& txn, const Access& access, const Request& request,
                          const Value& incoming) const;
  Result<Value> revalidate_in(storage::WriteTxn& txn, const Access& access, const Request& request,
                              const Value& correction) const;
  Result<Value> archive_in(storage::WriteTxn& txn, const Access& access,
                           const Request& request) const;
  Result<Value> remove_in(storage::WriteTxn& txn, const Access& access,
                          const Request& request) const;
  template <typename Closure>
  Result<Value> write(const Request& request, Closure&& closure);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const Clock& clock_;
};

// The older and equal-time refusals of the contract; nothing for a newer capsule.
Status check_newer(const Value& incoming, const Value& stored);
inline constexpr std::string_view kOlder =
    "Incoming continuity capsule is older than the current stored capsule";
inline constexpr std::string_view kSameTime =
    "Incoming continuity capsule conflicts with the current stored capsule timestamp";
inline constexpr std::string_view kCapsuleMissing = "Continuity capsule not found";

std::string capsule_hash(const Value& capsule);
// The shallowest differing dotted names, in the contract's order.
std::vector<std::string> differences(const Value& stored, const Value& candidate);

}  // namespace holdfast::service::continuity
