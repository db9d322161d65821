// Queries by texts: what is kept of one answer for the next must never show in it.
#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

constexpr const char* kPieces[] = {"tests passed", "tests, passed", "Tests Passed", "7 of 9",
                                   "passed in",    "straße",        "quo\"te",      "x",
                                   "90%",          "two\nlines"};
// As it stands in an address, and what that looks for in small letters.
struct Query {
  const char* written;
  const char* wanted;
};
constexpr Query kQueries[] = {{"%22tests+passed%22", "tests passed"},
                              {"TESTS", "tests"},
                              {"x", "x"},
                              {"%25", "%"},
                              {"7", "7"},
                              {"stra%C3%9Fe", "straße"},
                              {"wo%0Alin", "wo\nlin"},
                              {"quo%22te", "quo\"te"},
                              {"sts,", "sts,"}};

struct Kept {
  std::string title = {};
  std::string summary = {};
  bool sensitive = false;
};

std::string small(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

class ObservationsTextsTest : public ::testing::Test {
 protected:
  std::string made_up(size_t pieces) {
    std::string text = "made up text";
    for (auto left = 1 + random_() % 3; left > 0; --left)
      text += std::string(" ") + kPieces[random_() % pieces];
    return text;
  }

  void create() {
    // A title has no second line.
    const Kept kept{.title = made_up(std::size(kPieces) - 1),
                    .summary = made_up(std::size(kPieces)),
                    .sensitive = random_() % 4 == 0};
    const std::string id =
        api_.made("ann", Value::object({{"title", kept.title},
                                        {"summary_md", kept.summary},
                                        {"sensitivity", kept.sensitive ? "sensitive" : "normal"}}));
    kept_[id] = kept;
  }
  // One that its maker may see.
  std::string any() {
    for (const auto& [id, kept] : kept_) {
      if (!kept.sensitive && random_() % 3 == 0) return id;
    }
    return "";
  }
  void change() {
    const std::string id = any();
    if (id.empty()) return;
    kept_[id].summary = made_up(std::size(kPieces));
    const auto answer = api_.send("ann", "PATCH", "/observations/" + id,
                                  to_json(Value::object({{"summary_md", kept_[id].summary}})));
    ASSERT_EQ(answer.status, 200) << answer.body;
  }
  void remove() {
    const std::string id = any();
    if (id.empty()) return;
    ASSERT_EQ(api_.send("ann", "DELETE", "/observations/" + id).status, 204);
    kept_.erase(id);
  }

  std::vector<std::string> expected(const Query& query, bool cleared) const {
    std::vector<std::string> ids;
    for (const auto& [id, kept] : kept_) {
      const bool has = small(kept.title).find(query.wanted) != std::string::npos ||
                       small(kept.summary).find(query.wanted) != std::string::npos;
      if (has && (cleared || !kept.sensitive)) ids.push_back(id);
    }
    return ids;
  }
  void check(const std::string& who, bool cleared) {
    for (const Query& query : kQueries) {
      const std::vector<std::string> wanted = expected(query, cleared);
      std::vector<std::string> found;
      for (const Value& item :
           api_.listed(who, "/observations?limit=7&sort=created_at&q=" + std::string(query.written),
                       [&](const HttpAnswer& page) {
                         ASSERT_EQ(at(page, "meta.total_count"), Value(wanted.size()))
                             << who << query.written;
                       }))
        found.push_back(*item.find("id")->if_string());
      ASSERT_EQ(found, wanted) << who << query.written;
    }
  }

  std::mt19937 random_{11};
  ObservationServer api_;
  std::map<std::string, Kept> kept_;  // ids grow, so that this is the order of their creation too
};

TEST_F(ObservationsTextsTest, AnswersFollowWhateverIsMadeChangedAndDeleted) {
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 12; ++i) {
      const auto choice = random_() % 10;
      if (choice < 6) {
        create();
      } else if (choice < 9) {
        change();
      } else {
        remove();
      }
    }
    check("ann", false);
    check("boss", true);
    if (HasFailure()) return;
    if (round == 6) api_.server().restart();
  }
}

}  // namespace
}  // namespace holdfast::testing
