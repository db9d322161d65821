// Durable small writes: Store::write with 1 and with 64 callers, beside plain SQLite doing the same
// row inserts with one commit each, and beside a bare fdatasync; all on the same disk in the same
// run.
//   store_benchmark [folder] [seconds]
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "access/gatekeeper.h"
#include "bench/row.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::storage {
namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

// A small object as surfaces store them: 200 bytes of body, 4 facets, 1 link.
Put small_put(int64_t i) {
  const std::string id = fmt::format("01hf{:022d}", i);
  return Put{
      .key = {"observation", id},
      .body = fmt::format("{{\"id\":\"{}\",\"text\":\"{}\"}}", id, std::string(160, 'a')),
      .label = {.container = "repo", .owner = "ada"},
      .projection = {.facets = {Facet::of("created_at", 1'700'000'000'000'000 + i),
                                Facet::of("tag", fmt::format("tag-{}", i % 20)),
                                Facet::of("thread", fmt::format("thread-{}", i / 50)),
                                Facet::of("work_state", "open")},
                     .links = {{"about", {"task", fmt::format("PROJ-{}", i % 500)}, "declared"}}}};
}

struct Rate {
  double per_second = 0;
  double median_ms = 0;
  double p99_ms = 0;
};

// Calls `work(i)` from `threads` threads for `seconds`, with i counting all calls.
template <typename Work>
Rate measure(int threads, double seconds, const Work& work) {
  std::atomic<int64_t> next = 0;
  std::vector<std::vector<double>> millis(static_cast<size_t>(threads));
  std::vector<std::thread> callers;
  const auto start = Steady::now();
  const auto end =
      start + std::chrono::duration_cast<Steady::duration>(std::chrono::duration<double>(seconds));
  for (auto& mine : millis) {
    callers.emplace_back([&] {
      for (auto now = Steady::now(); now < end;) {
        work(next++);
        const auto after = Steady::now();
        mine.push_back(std::chrono::duration<double, std::milli>(after - now).count());
        now = after;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  const double elapsed = std::chrono::duration<double>(Steady::now() - start).count();
  std::vector<double> all;
  for (const auto& mine : millis) all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all);
  return {.per_second = static_cast<double>(all.size()) / elapsed,
          .median_ms = all[all.size() / 2],
          .p99_ms = all[all.size() * 99 / 100]};
}

// A log that still grows makes every sync a change of the file system too. Both sides are measured
// once theirs has started over.
constexpr double kWarmUpSeconds = 2;
constexpr int64_t kWarmUpKeys = 1'000'000'000;

Rate measure_store(const fs::path& folder, int threads, double seconds) {
  const SystemClock clock;
  auto store = open_sqlite_store(
      {.path = (folder / fmt::format("store{}.db", threads)).string(), .clock = clock});
  if (!store) {
    fmt::print(stderr, "{} {}\n", store.error().message, store.error().detail);
    exit(1);
  }
  const access::Gatekeeper gatekeeper(**store, true);
  const auto access = gatekeeper.engine_access(kDefaultSpace);
  CallContext call;
  call.surface = "native";
  call.principal = PrincipalId{"ada"};
  call.request_id = "01HF0000000000000000000000";
  const auto write = [&](int64_t i) {
    const Put put = small_put(i);
    const auto done = (*store)->write(call, [&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(txn.put(access, put));
      return {};
    });
    if (!done) {
      fmt::print(stderr, "{} {}\n", done.error().message, done.error().detail);
      exit(1);
    }
  };
  measure(64, kWarmUpSeconds, [&](int64_t i) { write(kWarmUpKeys + i); });
  return measure(threads, seconds, write);
}

constexpr char kSchema[] =
    "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA "
    "secure_delete = ON;"
    "CREATE TABLE objects (space INTEGER, number INTEGER, kind TEXT, id TEXT, body TEXT, PRIMARY "
    "KEY (space, number)) "
    "WITHOUT ROWID; CREATE UNIQUE INDEX by_id ON objects (space, kind, id);"
    "CREATE TABLE facets (space INTEGER, kind TEXT, name TEXT, value, number INTEGER, "
    "PRIMARY KEY (space, kind, name, value, number)) WITHOUT ROWID;"
    "CREATE TABLE links (space INTEGER, to_kind TEXT, to_id TEXT, relation TEXT, number INTEGER, "
    "PRIMARY KEY (space, to_kind, to_id, relation, number)) WITHOUT ROWID;"
    "CREATE TABLE journal (space INTEGER, position INTEGER, action TEXT, kind TEXT, id TEXT, "
    "PRIMARY KEY (space, position)) WITHOUT ROWID;";
constexpr char kBegin[] = "BEGIN IMMEDIATE";
constexpr char kCommit[] = "COMMIT";
constexpr char kObject[] = "INSERT INTO objects VALUES (1, ?1, ?2, ?3, ?4)";
constexpr char kFacet[] = "INSERT INTO facets VALUES (1, ?1, ?2, ?3, ?4)";
constexpr char kLink[] = "INSERT INTO links VALUES (1, ?1, ?2, ?3, ?4)";
constexpr char kJournal[] = "INSERT INTO journal VALUES (1, ?1, 'created', ?2, ?3)";

// What a program does that writes the same rows and commits after each object.
Rate measure_plain(const fs::path& folder, double seconds) {
  auto db = *sqlite::Connection::open((folder / "plain.db").string(),
                                      sqlite::Connection::Mode::kReadWrite);
  if (!db->execute(kSchema)) exit(1);
  const auto write = [&](int64_t i) {
    const Put put = small_put(i);
    bool good = db->run(kBegin).has_value() &&
                db->run(kObject, i, put.key.kind, put.key.id, put.body).has_value();
    for (const Facet& facet : put.projection.facets) {
      good = good && (facet.is_number ? db->run(kFacet, put.key.kind, facet.name, facet.number, i)
                                      : db->run(kFacet, put.key.kind, facet.name, facet.text, i))
                         .has_value();
    }
    const Link& link = put.projection.links.front();
    good = good && db->run(kLink, link.target.kind, link.target.id, link.relation, i).has_value() &&
           db->run(kJournal, i, put.key.kind, put.key.id).has_value() &&
           db->run(kCommit).has_value();
    if (!good) exit(1);
  };
  measure(1, kWarmUpSeconds, [&](int64_t i) { write(kWarmUpKeys + i); });
  return measure(1, seconds, write);
}

Rate measure_fdatasync(const fs::path& folder, double seconds) {
  const int file = open((folder / "sync").c_str(), O_CREAT | O_RDWR, 0600);
  const std::string page(8192, 'x');
  // Written once beforehand, as a log is that starts over: its size does not change any more.
  for (int i = 0; i < 512; ++i) {
    if (pwrite(file, page.data(), page.size(), off_t{8192} * i) < 0) exit(1);
  }
  fsync(file);
  const Rate rate = measure(1, seconds, [&](int64_t i) {
    if (pwrite(file, page.data(), page.size(), (i % 512) * 8192) < 0 || fdatasync(file) != 0)
      exit(1);
  });
  close(file);
  return rate;
}

void print(const char* what, const Rate& rate) {
  fmt::print("{:34} {:>9.0f}/s   median {:7.3f} ms   p99 {:7.3f} ms\n", what, rate.per_second,
             rate.median_ms, rate.p99_ms);
}

int run(const fs::path& parent, double seconds) {
  std::string name = (parent / "holdfast_bench_XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  const Rate sync = measure_fdatasync(folder, seconds / 2);
  const Rate plain = measure_plain(folder, seconds);
  const Rate one = measure_store(folder, 1, seconds);
  const Rate many = measure_store(folder, 64, seconds);
  print("fdatasync of one page", sync);
  print("SQLite, one commit per write", plain);
  print("Store, 1 caller", one);
  print("Store, 64 callers", many);
  bench::print_row(
      {"durable puts, 64 callers, without HTTP", fmt::format("{:.0f} a second", many.per_second),
       fmt::format("SQLite, the same rows, a commit a write: {:.0f} a second", plain.per_second),
       many.per_second / plain.per_second, ">= 4", many.per_second >= 4 * plain.per_second});
  bench::print_row(
      {"one durable put, one caller, without HTTP", fmt::format("{:.3f} ms", one.median_ms),
       fmt::format("one fdatasync: {:.3f} ms", sync.median_ms), one.median_ms / sync.median_ms,
       "<= 2 x fdatasync + 0.3 ms", one.median_ms <= 2 * sync.median_ms + 0.3});
  fs::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace holdfast::storage

int main(int argc, char** argv) {
  const std::filesystem::path folder =
      argc > 1 ? argv[1] : std::filesystem::temp_directory_path().string();
  return holdfast::storage::run(folder, argc > 2 ? std::stod(argv[2]) : 5);
}
