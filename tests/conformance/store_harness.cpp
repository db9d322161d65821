#include "store_harness.h"

namespace holdfast::storage {

access::SpaceAccess StoreConformance::as(const Viewer& viewer, access::Permission permission) {
  CallContext caller = call();
  caller.viewer = viewer;
  return *gatekeeper().require(caller, permission);
}

CallContext StoreConformance::call() {
  CallContext call;
  call.request_id = "req-1";
  call.surface = "native";
  call.principal = PrincipalId{"ada"};
  call.scopes = {"read", "write"};
  return call;
}

std::unique_ptr<ReadTxn> StoreConformance::read() {
  auto txn = store().begin_read(kNoDeadline);
  EXPECT_TRUE(txn.has_value());
  return std::move(*txn);
}

Object StoreConformance::put(const Put& put, const std::string& space) {
  const auto access = engine(space);
  auto stored =
      write_returning<Object>(store(), call(), [&](WriteTxn& txn) { return txn.put(access, put); });
  EXPECT_TRUE(stored.has_value()) << (stored ? "" : stored.error().message + stored.error().detail);
  return stored ? *stored : Object{};
}

void StoreConformance::remove(const ObjectKey& key) {
  const auto access = engine();
  EXPECT_TRUE(write([&](WriteTxn& txn) { return txn.remove(access, key, "gone"); }).has_value());
}

void StoreConformance::erase(const ObjectKey& key) {
  const auto access = engine();
  EXPECT_TRUE(write([&](WriteTxn& txn) { return txn.erase(access, key, ""); }).has_value());
}

Result<Object> StoreConformance::get(const ObjectKey& key, const std::string& space) {
  return read()->get(engine(space), key);
}

std::vector<std::string> StoreConformance::scan_ids(const Scan& scan) {
  const auto page = read()->scan(engine(), scan);
  EXPECT_TRUE(page.has_value());
  return page ? ids_of(page->objects) : std::vector<std::string>{};
}

int64_t StoreConformance::enqueue(const Job& job) {
  const auto access = engine();
  const auto id = write_returning<int64_t>(store(), call(),
                                           [&](WriteTxn& txn) { return txn.enqueue(access, job); });
  EXPECT_TRUE(id.has_value());
  return id.value_or(0);
}

std::vector<Job> StoreConformance::claim(const JobClaim& claim) {
  const auto access = admin();
  auto jobs = write_returning<std::vector<Job>>(
      store(), call(), [&](WriteTxn& txn) { return txn.claim_jobs(access, claim); });
  EXPECT_TRUE(jobs.has_value());
  return jobs ? *jobs : std::vector<Job>{};
}

std::vector<std::string> ids_of(const std::vector<Object>& objects) {
  std::vector<std::string> ids;
  for (const Object& object : objects) ids.push_back(object.key.id);
  return ids;
}

}  // namespace holdfast::storage
