#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/substrate/ids.h"
#include "service/substrate/ingest_fixture.h"
#include "service/substrate/repo_scan.h"
#include "service/substrate/slice_service.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::substrate {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kPython =
    "import os\n\n\nclass Cache(object):\n    def get(self):\n        return os\n";

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/store.db", .clock = clock}));
}

class RepoIngestTest : public testing::Test {
 protected:
  RepoIngestResponse repo(RepoIngestRequest request = {}, const IngestWatch& watch = {}) {
    request.path = fixture_.files();
    auto response = fixture_.ingest.repo(IngestFixture::owner(), request, watch);
    EXPECT_TRUE(response.has_value()) << (response ? "" : response.error().message);
    return response.value_or(RepoIngestResponse());
  }
  Value payload(const RepoIngestResponse& response) {
    const Value source = fixture_.stored(response.source_id);
    return source.find("payload") != nullptr ? *source.find("payload") : Value();
  }
  Names paths(const Value& payload, std::string_view list) {
    Names found;
    for (const Value& entry : *payload.find(list)->if_array()) {
      const Value* path = entry.find("path");
      const std::string* name = path != nullptr ? path->if_string() : entry.if_string();
      if (name != nullptr) found.push_back(*name);
    }
    return found;
  }
  std::string status(const std::string& id) {
    return *fixture_.stored(id).find("status")->if_string();
  }

  IngestFixture fixture_{open_store};
};

TEST_F(RepoIngestTest, AgentStateIsLeftOutUntilSomebodyDecides) {
  fixture_.write(".codex/state.md", "# s\n");
  fixture_.write("src/a.py", kPython);

  const auto clean = repo();
  const auto forced = repo({.force = true});

  EXPECT_EQ(clean.pending(), (Names{".codex"}));
  EXPECT_EQ(paths(payload(clean), "doc_index"), (Names{".codex/state.md"}));  // after the second
  EXPECT_TRUE(forced.pending().empty());
  EXPECT_EQ(forced.agent_state, (Names{".codex"}));
  EXPECT_FALSE(forced.noop);
}

TEST_F(RepoIngestTest, PatternsOfFilesDoNotLetAgentStateIn) {
  fixture_.write(".codex/deep/notes.py", kPython);
  fixture_.write("src/a.py", kPython);

  const auto inside = repo({.include_patterns = {"*.py"}});
  EXPECT_EQ(inside.pending(), (Names{".codex"}));
  EXPECT_EQ(paths(payload(inside), "code_files"), (Names{"src/a.py"}));
  EXPECT_TRUE(repo({.include_patterns = {"src"}}).pending().empty());
}

TEST_F(RepoIngestTest, NothingIsWrittenWhenNothingChanged) {
  fixture_.write("src/a.py", kPython);
  fixture_.write("notes.unknown", "x");
  const auto first = repo();
  const size_t events = fixture_.events().size();

  EXPECT_TRUE(repo().noop);
  EXPECT_EQ(fixture_.events().size(), events);
  EXPECT_FALSE(repo({.exclude_patterns = {"none"}}).noop);
  EXPECT_TRUE(repo({.exclude_patterns = {"none"}}).noop);
  fixture_.write("notes.unknown", "y");
  const auto changed = repo({.exclude_patterns = {"none"}});
  EXPECT_FALSE(changed.noop);
  EXPECT_EQ(changed.source_id, first.source_id);
}

TEST_F(RepoIngestTest, AFileOfTheSameSizeThatChangedAtOnceIsSeen) {
  fixture_.write("src/a.py", kPython);
  repo();

  std::string other = kPython;
  other[other.find("Cache")] = 'K';
  fixture_.write("src/a.py", other);

  EXPECT_FALSE(repo().noop);
}

TEST_F(RepoIngestTest, PatternsAndSkippedNamesDecideWhatCounts) {
  for (const char* name : {"src/a.py", "src/a_test.py", "gen/b.py", "src/build/c.py", "lib/d.py"})
    fixture_.write(name, kPython);
  fixture_.write("docs/deep/c.md", "# C\n");

  const auto all = payload(repo());
  const auto some = payload(repo({.exclude_patterns = {"*_test.py", " /gen/ ", "docs/*.md", ""}}));
  const auto included = payload(repo({.include_patterns = {"lib"}}));

  EXPECT_EQ(paths(all, "code_files"), (Names{"gen/b.py", "lib/d.py", "src/a.py", "src/a_test.py"}));
  EXPECT_EQ(paths(some, "code_files"), (Names{"lib/d.py", "src/a.py"}));
  EXPECT_EQ(paths(some, "doc_index"), Names());
  EXPECT_EQ(paths(included, "top_level_entries"), (Names{"lib"}));
  EXPECT_EQ(*included.find("file_count")->if_int(), 1);
  EXPECT_EQ(*included.find("dir_count")->if_int(), 1);
}

TEST_F(RepoIngestTest, WhatVanishedIsArchivedAndComesBack) {
  fixture_.write("src/keep.py", kPython);
  for (const std::string name : {"src/gone.py", "src/a|gone.py"}) {
    const std::string gone = fixture_.write(name, kPython);
    repo();
    const std::string node = stable_id("node", "node|module|" + fixture_.files() + "|" + name);
    EXPECT_EQ(status(node), "active");

    std::filesystem::remove(gone);
    repo();
    EXPECT_EQ(status(node), "archived") << name;
    EXPECT_EQ(fixture_.events().back().reason, "repo_ingest_missing_from_latest_scan");

    fixture_.write(name, kPython);
    repo();
    EXPECT_EQ(status(node), "active");
  }
}

TEST_F(RepoIngestTest, LinksDoNotLeadOut) {
  const auto outside = fixture_.folder / "outside";
  std::filesystem::create_directories(outside);
  std::ofstream(outside / "secret.py") << kPython;
  fixture_.write("src/a.py", kPython);
  std::filesystem::create_symlink(outside, fixture_.files() + "/src/linked");
  std::filesystem::create_symlink(outside / "secret.py", fixture_.files() + "/src/secret.py");
  std::filesystem::create_symlink(fixture_.files(), fixture_.files() + "/src/loop");
  std::filesystem::create_symlink("a.py", fixture_.files() + "/src/b.py");

  EXPECT_EQ(paths(payload(repo()), "code_files"), (Names{"src/a.py", "src/b.py"}));
}

TEST_F(RepoIngestTest, SymbolsOfOtherLanguagesComeFromCtags) {
  fixture_.write("src/m.go", "package m\n\nfunc Alpha() {}\n\ntype Beta struct{}\n");

  const std::string symbols = to_json(*payload(repo()).find("symbol_index"));

  EXPECT_NE(symbols.find("Alpha"), std::string::npos) << symbols;
  EXPECT_NE(symbols.find("Beta"), std::string::npos);
}

TEST_F(RepoIngestTest, DependenciesAreResolvedInside) {
  fixture_.write("src/pkg/__init__.py", "");
  fixture_.write("src/pkg/a.py", "from .b import x\nfrom pkg import b\nimport json\n");
  fixture_.write("src/pkg/b.py", "import pkg.a\n");
  fixture_.write("src/web.ts", "import { y } from './lib/z';\n");
  fixture_.write("src/lib/z.ts", "export const y = () => 1;\n");

  const Value found = payload(repo());
  std::vector<std::string> seen;
  for (const Value& entry : *found.find("module_dependencies")->if_array()) {
    const Value& to = *entry.find("to_path");
    seen.push_back(*entry.find("from_path")->if_string() + " > " +
                   (to.is_null() ? "-" : *to.if_string()));
  }

  EXPECT_EQ(seen,
            (Names{"src/pkg/a.py > src/pkg/b.py", "src/pkg/a.py > src/pkg/b.py", "src/pkg/a.py > -",
                   "src/pkg/b.py > src/pkg/a.py", "src/web.ts > src/lib/z.ts"}));
}

TEST_F(RepoIngestTest, ACancelledIngestWritesNothing) {
  fixture_.write("src/a.py", kPython);

  const auto response = fixture_.ingest.repo(IngestFixture::owner(), {.path = fixture_.files()},
                                             {.cancelled = [] { return true; }});

  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().reason, reason::kCancelled);
  EXPECT_TRUE(fixture_.events().empty());
}

TEST_F(RepoIngestTest, ProgressEndsWithAllFiles) {
  for (int i = 0; i < 250; ++i) fixture_.write("src/f" + std::to_string(i) + ".txt", "x");
  std::vector<int64_t> steps;

  repo({}, {.progress = [&](int64_t done, int64_t total, std::string_view) {
         EXPECT_EQ(total, 250);
         steps.push_back(done);
       }});

  EXPECT_EQ(steps, (std::vector<int64_t>{0, 100, 200, 250}));
}

TEST_F(RepoIngestTest, NamesThatAreNoTextAreShownRepaired) {
  fixture_.write("src/a\xff.py", kPython);

  EXPECT_EQ(paths(payload(repo()), "code_files"), (Names{"src/a\xEF\xBF\xBD.py"}));
}

TEST_F(RepoIngestTest, OnlyAFolderIsARepository) {
  const std::string path = fixture_.write("plain.txt", "x");

  EXPECT_EQ(fixture_.ingest.repo(IngestFixture::owner(), {.path = path}).error().message,
            "Repo path is not a directory: " + path);
}

TEST(RepoLimitsTest, ARepositoryOfTooManyFilesIsRefused) {
  IngestFixture fixture(open_store, {.limits = {.max_repo_files = 3}});
  for (int i = 0; i < 4; ++i) fixture.write("f" + std::to_string(i), "x");

  const auto response = fixture.ingest.repo(IngestFixture::owner(), {.path = fixture.files()});

  EXPECT_EQ(response.error().code, ErrorCode::kTooLarge);
  EXPECT_TRUE(fixture.events().empty());
}

TEST_F(RepoIngestTest, SlicesAreOfPathsThatEndUpInsideTheFolder) {
  fixture_.write("src/a.py", kPython);
  const std::string source = repo().source_id;
  SliceService slices(*fixture_.store, fixture_.gatekeeper, {});
  const auto status = [&](const std::string& path) {
    return slices.slice(IngestFixture::owner(), {.source_id = source, .path = path})->status;
  };

  EXPECT_EQ(status("src/a.py"), SliceStatus::kOk);
  EXPECT_EQ(status("./src/../src/a.py"), SliceStatus::kOk);
  EXPECT_EQ(status("src/../b.py"), SliceStatus::kPathNotIndexed);
  EXPECT_EQ(status("src/../../files/src/a.py"), SliceStatus::kInvalidPath);
  EXPECT_EQ(status(fixture_.files() + "/src/a.py"), SliceStatus::kInvalidPath);
}

TEST(KnownFilesTest, TheRecordReadsBackAndLeavesOutWhatIsFresh) {
  RepoScan scan;
  const Timestamp now = from_micros(1'700'000'000'000'000);
  const int64_t now_ns = to_micros(now) * 1000;
  scan.files.push_back({.location = "old file\nname", .stamp = {5, 10, 20, 7}, .sha256 = "ab"});
  scan.files.push_back({.location = "fresh", .stamp = {5, now_ns, now_ns, 8}, .sha256 = "cd"});

  const std::string record = write_known_files(scan, now);
  const auto known = read_known_files(record);

  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known.at("old file\nname").sha256, "ab");
  EXPECT_EQ(known.at("old file\nname").stamp, (FileStamp{5, 10, 20, 7}));
  EXPECT_TRUE(read_known_files(record.substr(0, record.size() - 3)).empty());
  EXPECT_TRUE(read_known_files("something else").empty());
}

}  // namespace
}  // namespace holdfast::service::substrate
