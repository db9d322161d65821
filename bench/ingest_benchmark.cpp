// memory_ingest of a repository beside universal-ctags over the same files: a tree of 5,000 source
// files is made, then both look at it in turn. Ours also hashes every file, splits the documents,
// writes the objects and makes them searchable; it keeps symbols of the first files only, as
// published, while ctags prints those of all.
//   ingest_benchmark [--files N]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "access/gatekeeper.h"
#include "base/child_process.h"
#include "bench/row.h"
#include "search/index.h"
#include "service/substrate/ingest_service.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::bench {
namespace {

namespace fs = std::filesystem;
using service::substrate::FetchedPage;
using service::substrate::FetchOrder;
using service::substrate::IngestService;

constexpr int kRounds = 3;
constexpr int kBlocks = 12;  // of a file; 8 to 10 lines each

struct Language {
  const char* suffix;
  const char* block;  // {0}: a number of its own
};
constexpr std::array<Language, 7> kLanguages = {{
    {"py",
     "class Store{0}(Base):\n    \"\"\"Keeps entries {0}.\"\"\"\n\n    def get_{0}(self, key: "
     "str, default=None) -> str:\n        value = self.items.get(key, default)\n        "
     "return str(value)\n\n\ndef load_{0}(path: str) -> Store{0}:\n    return Store{0}(path)\n"},
    {"ts",
     "export class Panel{0} extends Base {{\n  open{0}() {{\n    return this.items.map((x) => "
     "x + {0});\n  }}\n}}\nexport function make{0}(a: number) {{\n  return new Panel{0}(a);\n}}\n"},
    {"go",
     "type Server{0} struct {{\n\tname string\n\tport int\n}}\n\nfunc (s *Server{0}) Run{0}() "
     "error {{\n\treturn listen(s.port + {0})\n}}\n"},
    {"rs",
     "pub struct Queue{0} {{\n    items: Vec<u64>,\n}}\n\nimpl Queue{0} {{\n    pub fn "
     "push{0}(&mut self, v: u64) {{\n        self.items.push(v + {0});\n    }}\n}}\n"},
    {"cpp",
     "class Index{0} {{\n public:\n  int find{0}(const char* text) const {{\n    return "
     "text[0] + {0};\n  }}\n\n private:\n  int count_ = 0;\n}};\n"},
    {"java",
     "class Worker{0} {{\n  private int size;\n\n  public int work{0}(int a) {{\n    return a "
     "+ size + {0};\n  }}\n}}\n"},
    {"c",
     "struct item{0} {{\n  int key;\n  struct item{0}* next;\n}};\n\nint add_{0}(struct "
     "item{0}* list, int key) {{\n  return list->key + key + {0};\n}}\n"},
}};

class NoWeb : public service::substrate::WebFetcher {
 public:
  Result<FetchedPage> fetch(const FetchOrder&) override { return unavailable("no web here"); }
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Returns the paths, one a line.
std::string make_tree(const fs::path& root, int files) {
  std::string list;
  for (int file = 0; file < files; ++file) {
    const Language& language = kLanguages[static_cast<size_t>(file) % kLanguages.size()];
    const fs::path folder = root / "src" / fmt::format("part{}", file % 50);
    fs::create_directories(folder);
    const fs::path path = folder / fmt::format("file{}.{}", file, language.suffix);
    std::ofstream out(path);
    for (int block = 0; block < kBlocks; ++block)
      out << fmt::format(fmt::runtime(language.block), file * kBlocks + block) << '\n';
    list += path.string() + '\n';
  }
  return list;
}

void run_ctags(const std::string& list) {
  const auto outcome = run_child(
      {.command = {"ctags", "--options=NONE", "-f", "/dev/null", "-L", "-"}, .input = list});
  if (outcome && outcome->exit_code == 0) return;
  fail("ctags could not be run");
}

// One memory; its first ingest, and one with nothing changed.
struct Times {
  double first = 0;
  double again = 0;
};

Times run_ingest(const fs::path& data, const fs::path& root) {
  fs::remove_all(data);
  fs::create_directories(data);
  const SystemClock clock;
  auto store = storage::open_sqlite_store({.path = data / "store.db", .clock = clock});
  if (!store) fail("the store cannot be opened");
  const access::Gatekeeper gatekeeper(**store, /*spaces_on_demand=*/true);
  search::Index index({.background = false});
  (*store)->add_listener(index);
  NoWeb web;
  IngestService ingest(**store, gatekeeper, index, clock, web, {});
  const CallContext call{.surface = "bench",
                         .principal = PrincipalId{"local"},
                         .scopes = {"admin"},
                         .viewer = {.every_owner = true, .reach = Visibility::kOwner},
                         .local_owner = true};
  const auto once = [&](bool noop) {
    const auto response = ingest.repo(call, {.path = root});
    if (response && response->noop == noop) return;
    fail("the ingest failed");
  };
  Times times;
  times.first = seconds_of([&] { once(false); });
  times.again = seconds_of([&] { once(true); });
  (*store)->close();
  return times;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

int run(int files) {
  std::string name = fs::temp_directory_path() / "holdfast-ingest-bench-XXXXXX";
  const fs::path folder = ::mkdtemp(name.data());
  const std::string list = make_tree(folder / "repo", files);
  run_ctags(list);  // both find the files in the page cache
  // Files must be older than what a scan holds to be fresh, as those of a real repository are.
  std::this_thread::sleep_for(std::chrono::seconds(3));
  std::vector<double> theirs;
  std::vector<double> ours;
  std::vector<double> again;
  for (int round = 0; round < kRounds; ++round) {
    theirs.push_back(seconds_of([&] { run_ctags(list); }));
    const Times times = run_ingest(folder / "data", folder / "repo");
    ours.push_back(times.first);
    again.push_back(times.again);
  }
  fs::remove_all(folder);
  const double ratio = median(theirs) / median(ours);
  print_row(
      {.what = fmt::format("memory_ingest of a repository of {} files, first time", files),
       .ours = fmt::format("{:.2f} s", median(ours)),
       .alternative = fmt::format("universal-ctags over the same files {:.2f} s", median(theirs)),
       .ratio = ratio,
       .bar = "≥ 0.33 × the speed",
       .held = ratio >= 1.0 / 3});
  print_row({.what = fmt::format("the same again, nothing changed ({} files)", files),
             .ours = fmt::format("{:.2f} s", median(again)),
             .alternative = "first time, above",
             .ratio = median(ours) / median(again)});
  return 0;
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  int files = 5000;
  if (argc == 3 && std::strcmp(argv[1], "--files") == 0) files = std::atoi(argv[2]);
  return holdfast::bench::run(std::max(files, 1));
}
