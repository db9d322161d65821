// The server as clients see it: durable writes over HTTP beside SQLite with a commit a write, one
// caller's write beside fdatasync, searches beside GET /health, memory, and the cold start beside a
// full rebuild.
//   server_benchmark [--objects N] [--writes N]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <sys/wait.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "bench/beside_health.h"
#include "bench/corpus.h"
#include "bench/load_client.h"
#include "bench/row.h"
#include "support/process.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;
using testing::ServerProcess;
using testing::TemporaryFolder;

constexpr int kCallers = 64;
constexpr uint64_t kWords = 5;          // the seed of the vocabulary
constexpr int64_t kLoadPart = 100'000;  // requests made beforehand

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double sync_median(const std::string& file) {
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  const std::string page(4096, 'x');
  LoadResult times;
  for (int i = 0; i < 500; ++i) {
    if (pwrite(descriptor, page.data(), page.size(), i * 4096) < 0) break;
    const auto start = Clock::now();
    fdatasync(descriptor);
    times.millis.push_back(seconds_since(start) * 1000);
  }
  close(descriptor);
  return times.median();
}

void must(int code, sqlite3* db) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  std::fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(db));
  std::exit(1);
}

// The alternative: the same texts into a SQLite file (WAL, FULL), a commit each. `searchable`: also
// into an FTS5 index in the same transaction, so that an answered write can be found, as ours can.
double sqlite_rate(const std::string& file, int64_t writes, bool searchable) {
  sqlite3* db = nullptr;
  must(sqlite3_open(file.c_str(), &db), db);
  must(sqlite3_exec(db,
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                    "CREATE TABLE memory (id TEXT PRIMARY KEY, text TEXT NOT NULL, created_at "
                    "INTEGER NOT NULL);"
                    "CREATE VIRTUAL TABLE memory_text USING fts5(text, tokenize='porter')",
                    nullptr, nullptr, nullptr),
       db);
  const auto prepare = [&](const char* sql) {
    sqlite3_stmt* statement = nullptr;
    must(sqlite3_prepare_v2(db, sql, -1, &statement, nullptr), db);
    return statement;
  };
  const auto run = [&](sqlite3_stmt* statement) {
    must(sqlite3_step(statement), db);
    sqlite3_reset(statement);
  };
  sqlite3_stmt* begin = prepare("BEGIN");
  sqlite3_stmt* commit = prepare("COMMIT");
  sqlite3_stmt* insert = prepare("INSERT INTO memory VALUES (?, ?, ?)");
  sqlite3_stmt* index = prepare("INSERT INTO memory_text (rowid, text) VALUES (?, ?)");
  const Corpus corpus(3);
  std::vector<std::string> texts;
  for (int64_t i = 0; i < writes; ++i) texts.push_back(corpus.text(static_cast<size_t>(i)));
  const auto start = Clock::now();
  for (int64_t i = 0; i < writes; ++i) {
    const std::string id = "m" + std::to_string(i);
    const std::string& text = texts[static_cast<size_t>(i)];
    run(begin);
    sqlite3_bind_text(insert, 1, id.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, text.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 3, i);
    run(insert);
    if (searchable) {
      sqlite3_bind_int64(index, 1, i);
      sqlite3_bind_text(index, 2, text.c_str(), -1, SQLITE_TRANSIENT);
      run(index);
    }
    run(commit);
  }
  const double rate = static_cast<double>(writes) / seconds_since(start);
  for (auto* statement : {begin, commit, insert, index}) sqlite3_finalize(statement);
  sqlite3_close(db);
  return rate;
}

int64_t resident_bytes(pid_t pid) {
  std::ifstream statm("/proc/" + std::to_string(pid) + "/statm");
  int64_t total = 0;
  int64_t resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// The texts are made beforehand: the client shares the cores with what it measures.
LoadResult write_load(int port, int connections, int64_t writes, const Corpus& corpus,
                      int64_t first = 0) {
  std::vector<std::string> requests;
  for (int64_t n = first; n < first + writes; ++n) {
    requests.push_back(http_post("/holdfast/v1/remember",
                                 R"({"text":")" + corpus.text(static_cast<size_t>(n)) + "\"}"));
  }
  const auto request = [&](int64_t n) { return requests[static_cast<size_t>(n)]; };
  const LoadResult result =
      run_load({.port = port, .connections = connections, .requests = writes, .request = request});
  if (result.refusals > 0) {
    std::fprintf(stderr, "%lld writes were refused\n", static_cast<long long>(result.refusals));
  }
  return result;
}

std::string number(double value, const char* unit) {
  return value < 10 ? fmt::format("{:.3f} {}", value, unit) : fmt::format("{:.0f} {}", value, unit);
}

void measure_writes(const TemporaryFolder& folder, ServerProcess& server, int64_t writes) {
  const Corpus corpus(kWords);
  write_load(server.port(), kCallers, 2000, corpus);
  const double searchable = sqlite_rate(folder / "searchable.db", writes / 4, true);
  const double bare = sqlite_rate(folder / "bare.db", writes / 4, false);
  const double rate = write_load(server.port(), kCallers, writes, corpus).rate();
  print_row({"durable, searchable writes, 64 callers over HTTP", number(rate, "a second"),
             "SQLite table and FTS5, a commit a write, no HTTP: " + number(searchable, "a second"),
             rate / searchable, ">= 4", rate >= 4 * searchable});
  // For whoever wants to know: this one stores a text that nobody can search.
  print_row({"the same against a bare table", number(rate, "a second"),
             "SQLite table alone, a commit a write, no HTTP: " + number(bare, "a second"),
             rate / bare});
  const double sync = sync_median(folder / "sync");
  const double single = write_load(server.port(), 1, 2000, corpus).median();
  print_row({"one durable write, one caller over HTTP", number(single, "ms"),
             "one fdatasync: " + number(sync, "ms"), single / sync, "<= 2 x fdatasync + 0.3 ms",
             single <= 2 * sync + 0.3});
}

// The words of the texts that were written, so that what is asked for is there.
void measure_reads(ServerProcess& server, int64_t objects) {
  const Corpus corpus(kWords);
  const int64_t have = std::stoll(server.get("/health").body.substr(
      server.get("/health").body.find("latest_commit\":\"") + 16));
  if (objects > have) write_load(server.port(), kCallers, objects - have, corpus, have);
  print_beside_health({.what = fmt::format("search over HTTP at {} objects", objects),
                       .port = server.port(),
                       .request = [&](int64_t n) {
                         std::string query;
                         for (const auto& term : corpus.natural_terms(static_cast<size_t>(n)))
                           query += term + " ";
                         return http_post("/holdfast/v1/search",
                                          R"({"query":")" + query + R"(","limit":10})");
                       }});
}

double start_seconds(ServerProcess& server) {
  server.stop();
  const auto start = Clock::now();
  server.start();
  return seconds_since(start);
}

void measure_start_and_memory(ServerProcess& server, int64_t objects) {
  const double warm = start_seconds(server);
  const auto bytes = static_cast<double>(resident_bytes(server.process().pid()));
  server.stop();
  std::filesystem::remove_all(server.data() + "/index");
  const auto start = Clock::now();
  server.start();
  const double rebuild = seconds_since(start);
  print_row({"cold start of the server", number(warm, "s"),
             "with a full rebuild: " + number(rebuild, "s"), warm / rebuild, "<= 0.1",
             warm <= 0.1 * rebuild});
  print_row({fmt::format("resident memory after a start with {} objects", objects),
             number(bytes / 1e6, "MB")});
}

void measure_memory(const TemporaryFolder& folder, int64_t texts) {
  ServerProcess server(folder / "memory", {"--log-level", "warn"});
  for (int64_t done = 0; done < texts; done += kLoadPart) {
    const Corpus corpus(static_cast<unsigned>(11 + done / kLoadPart));
    write_load(server.port(), kCallers, std::min(kLoadPart, texts - done), corpus);
  }
  const auto bytes = static_cast<double>(resident_bytes(server.process().pid()));
  const double each = bytes / static_cast<double>(texts);
  print_row({fmt::format("resident memory of the server after {} writes", texts),
             number(bytes / 1e6, "MB"), fmt::format("a text: {:.0f} bytes", each), 0,
             "<= 1200 bytes a text", each <= 1200});
}

}  // namespace

int run(int64_t objects, int64_t writes, int64_t texts) {
  const TemporaryFolder folder;
  {
    ServerProcess idle(folder / "idle", {"--log-level", "warn"});
    idle.get("/health");
    const double idle_mb = static_cast<double>(resident_bytes(idle.process().pid())) / 1e6;
    print_row({"resident memory, idle on an empty folder", number(idle_mb, "MB"), "", 0, "<= 40 MB",
               idle_mb <= 40});
  }
  ServerProcess server(folder / "data", {"--log-level", "warn"});
  measure_writes(folder, server, writes);
  measure_reads(server, objects);
  measure_start_and_memory(server, objects);
  if (texts > 0) measure_memory(folder, texts);
  return 0;
}

}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int64_t objects = 100'000;
  int64_t writes = 40'000;
  int64_t texts = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--objects") == 0) objects = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--writes") == 0) writes = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--memory-texts") == 0) texts = std::atoll(argv[i + 1]);
  }
  return holdfast::bench::run(objects, writes, texts);
}
