// Reads every #include under src/ and fails on one that goes against the direction of
// docs/architecture.md.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

// Folder → what it may include. "service" and "surface" stand for their families; "adapters" are
// named only by app.
const std::map<std::string, std::set<std::string>>& allowed() {
  static const std::map<std::string, std::set<std::string>> table = {
      {"base", {}},
      {"model", {"base"}},
      {"text", {"base", "model"}},
      {"access", {"base", "model"}},
      {"storage", {"base", "model", "access"}},
      {"storage/sqlite", {"base", "model", "access", "storage"}},
      {"storage/postgres", {"base", "model", "access", "storage"}},
      {"embed", {"base", "model"}},
      {"search", {"base", "model", "text", "access", "storage", "embed"}},
      {"jobs", {"base", "model", "access", "storage"}},
      {"service",
       {"base", "model", "text", "access", "storage", "embed", "search", "jobs", "service"}},
      {"wire", {"base", "model"}},
      {"http", {"base", "model", "access", "wire"}},
      {"mcp", {"base", "model", "access", "wire"}},
      {"surface", {"base", "model", "service", "wire", "http", "mcp"}},
      {"console", {"base", "http"}},
      {"app",
       {"base", "model", "text", "access", "storage", "storage/sqlite", "storage/postgres", "embed",
        "search", "jobs", "service", "wire", "http", "mcp", "surface", "console"}},
  };
  return table;
}

// Third-party headers that may appear in some folders only.
const std::vector<std::pair<std::regex, std::set<std::string>>>& restricted() {
  static const std::vector<std::pair<std::regex, std::set<std::string>>> rules = {
      {std::regex("^sqlite3\\.h$"), {"storage/sqlite"}},
      {std::regex("^boost/(beast|asio|url)"), {"http"}},
      {std::regex("^boost/json"), {"model", "wire"}},
      {std::regex("^curl/"), {"embed", "app"}},
      {std::regex("^hnswlib/"), {"search"}},
      {std::regex("^prometheus/"), {"http"}},
      {std::regex("^CLI/"), {"app"}},
  };
  return rules;
}

std::string folder_of(const std::string& path) {
  static const std::regex adapter("^(storage/(?:sqlite|postgres))/.*");
  std::smatch match;
  if (std::regex_match(path, match, adapter)) return match[1];
  return path.substr(0, path.find('/'));
}

// service/chat and surface/chat: the name after the family.
std::string family_member(const std::string& path) {
  const size_t first = path.find('/');
  return path.substr(first + 1, path.find('/', first + 1) - first - 1);
}

std::string judge(const std::string& file, const std::string& included) {
  const std::string from = folder_of(file);
  const std::string to = folder_of(included);
  const auto row = allowed().find(from);
  if (row == allowed().end()) return file + ": unknown folder " + from;
  if (from == to) {
    const bool other_surface = from == "surface" && family_member(file) != family_member(included);
    return other_surface ? file + " includes another surface: " + included : "";
  }
  // A test may use the adapter that makes the interface real.
  if (file.ends_with("_test.cpp") && to == "storage/sqlite") return "";
  return row->second.contains(to) ? "" : file + " may not include " + included;
}

TEST(LayersTest, EveryIncludeFollowsTheDirection) {
  const fs::path src = fs::path(HOLDFAST_SOURCE_DIR) / "src";
  static const std::regex ours("^\\s*#include \"([^\"]+)\".*");
  static const std::regex theirs("^\\s*#include <([^>]+)>.*");
  int files = 0;

  for (const auto& entry : fs::recursive_directory_iterator(src)) {
    const std::string extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".h") continue;
    ++files;
    const std::string file = fs::relative(entry.path(), src);
    std::ifstream stream(entry.path());
    std::smatch match;
    for (std::string line; std::getline(stream, line);) {
      if (std::regex_match(line, match, ours)) {
        EXPECT_EQ(judge(file, match[1]), "");
      } else if (std::regex_match(line, match, theirs) && !file.ends_with("_test.cpp")) {
        const std::string header = match[1];
        for (const auto& [pattern, folders] : restricted()) {
          if (std::regex_search(header, pattern)) {
            EXPECT_TRUE(folders.contains(folder_of(file)))
                << file << " may not include <" << header << ">";
          }
        }
      }
    }
  }

  EXPECT_GT(files, 30);
}

TEST(LayersTest, AnIncludeAgainstTheDirectionIsFound) {
  EXPECT_NE(judge("base/x.cpp", "model/value.h"), "");
  EXPECT_NE(judge("service/native/x.cpp", "storage/sqlite/sqlite_store.h"), "");
  EXPECT_NE(judge("surface/chat/x.cpp", "surface/recall/y.h"), "");
  EXPECT_NE(judge("http/x.cpp", "mcp/y.h"), "");
  EXPECT_NE(judge("service/native/x.cpp", "wire/schema.h"), "");
  EXPECT_EQ(judge("surface/chat/x.cpp", "service/chat/y.h"), "");
}

}  // namespace
