// The Store contract as tests. An adapter passes by giving a StoreHarness and instantiating
// StoreConformance with it (sqlite_conformance.cpp); nothing else in this folder names an adapter.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "storage/store.h"

namespace holdfast::storage {

// One adapter with data of its own, gone when the harness goes.
class StoreHarness {
 public:
  virtual ~StoreHarness() = default;
  virtual Store& store() = 0;
  // Closes the store and opens the same data again.
  virtual void reopen() = 0;
  // Whether these bytes are anywhere on the adapter's disk.
  virtual bool on_disk(std::string_view bytes) = 0;
  // A path for a new file outside the data.
  virtual std::string scratch_path(std::string_view name) = 0;
};

struct StoreAdapter {
  std::string name;
  std::function<std::unique_ptr<StoreHarness>(const Clock&)> make;
};

inline constexpr Timestamp kStart = from_micros(1'700'000'000'000'000);

class StoreConformance : public testing::TestWithParam<StoreAdapter> {
 protected:
  Store& store() { return harness_->store(); }
  access::Gatekeeper gatekeeper() { return access::Gatekeeper(store(), /*spaces_on_demand=*/true); }
  access::SpaceAccess engine(const std::string& space = "default") {
    return gatekeeper().engine_access(SpaceId{space});
  }
  access::AdminAccess admin() { return gatekeeper().engine_admin(); }
  // What a caller with this viewer may do.
  access::SpaceAccess as(const Viewer& viewer,
                         access::Permission permission = access::Permission::kWrite);

  static CallContext call();
  Status write(const WriteClosure& closure) { return store().write(call(), closure); }
  std::unique_ptr<ReadTxn> read();

  // A put by the engine into the default space, with the object as stored.
  Object put(const Put& put, const std::string& space = "default");
  Object put_text(const std::string& id, const std::string& body) {
    return put({.key = {"note", id}, .body = body});
  }
  void remove(const ObjectKey& key);
  void erase(const ObjectKey& key);
  Result<Object> get(const ObjectKey& key, const std::string& space = "default");
  std::vector<std::string> scan_ids(const Scan& scan);
  int64_t enqueue(const Job& job);
  std::vector<Job> claim(const JobClaim& claim);

  ManualClock clock_{kStart};
  std::unique_ptr<StoreHarness> harness_ = GetParam().make(clock_);
};

// The ids of objects, in their order.
std::vector<std::string> ids_of(const std::vector<Object>& objects);
// The code of a failure; nothing for a success.
template <typename T>
std::optional<ErrorCode> code_of(const Result<T>& result) {
  if (result) return std::nullopt;
  return result.error().code;
}

}  // namespace holdfast::storage
