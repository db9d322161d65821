// Lists against an oracle: made-up filters, sorts and pages by callers who may see different
// things, while observations are made, changed, looked at, cited and deleted. An item must be what
// the routes that made and changed it answered.
#include <gtest/gtest.h>

#include "contract/observations/made_up_lists.h"

namespace holdfast::testing {
namespace {

class ObservationsListsTest : public ::testing::Test {
 protected:
  Value& any() { return oracle_.nth(made_up_.below(oracle_.size())); }

  void create() {
    const auto answer = api_.send(made_up_.once_in(3) ? "boss" : "ann", "POST", "/observations",
                                  to_json(made_up_.observation()));
    ASSERT_EQ(answer.status, 201) << answer.body;
    oracle_.keep(at(answer, "data"));
  }
  // Several with the same times. What they are is read from the store, which counts as a look.
  void create_batch() {
    Value items = Value::array();
    for (int i = 0; i < 5; ++i) items.push(made_up_.observation());
    const auto answer = api_.send(
        "boss", "POST", "/observations/batch",
        to_json(Value::object({{"commit_id", api_.fresh()}, {"observations", std::move(items)}})));
    ASSERT_EQ(size_at(answer, "data.created"), 5U) << answer.body;
    const Value created = at(answer, "data.created");
    for (const Value& one : *created.if_array()) look(text_of(one, "id"));
  }
  void look(const std::string& id) {
    const auto answer = api_.get("boss", "/observations/" + id);
    ASSERT_EQ(answer.status, 200) << answer.body;
    oracle_.keep(at(answer, "data"));
  }
  void change() {
    Value& item = any();
    const bool by_boss = text_of(item, "created_by_id") == "principal_boss";
    if (!by_boss && text_of(item, "sensitivity") == "sensitive") return;  // its maker may not
    Value changes = Value::object();
    if (made_up_.once_in(2)) changes.set("title", made_up_.any_of(kTitles));
    if (made_up_.once_in(2)) changes.set("summary_md", made_up_.any_of(kSummaries));
    if (made_up_.once_in(2)) changes.set("tags", Value::array({made_up_.any_of(kTags), "green"}));
    if (made_up_.once_in(4))
      changes.set("sensitivity", made_up_.once_in(2) ? "sensitive" : "normal");
    if (text_of(item, "workspace_id") == "workspace_open" && made_up_.once_in(2))
      changes.set("linked_subcortex_id", made_up_.once_in(3) ? Value() : Value("subcortex_den"));
    const auto answer = api_.send(by_boss ? "boss" : "ann", "PATCH",
                                  "/observations/" + text_of(item, "id"), to_json(changes));
    ASSERT_EQ(answer.status, 200) << answer.body << to_json(changes);
    Value now = at(answer, "data");
    for (const auto& [name, value] : *item.if_object()) {
      if (now.find(name) == nullptr) now.set(name, value);
    }
    oracle_.keep(now);
  }
  void remove() {
    const std::string id = text_of(any(), "id");
    ASSERT_EQ(api_.send("boss", "DELETE", "/observations/" + id).status, 204);
    oracle_.forget(id);
  }
  void cite() {
    Value& item = any();
    const auto answer = api_.send(
        "boss", "POST", "/api/v2/threads",
        to_json(Value::object({{"subcortex_id", "subcortex_lab"},
                               {"title", "What this is about"},
                               {"body_md", "It cites an observation."},
                               {"linked_observation_ids", Value::array({text_of(item, "id")})}})));
    ASSERT_EQ(answer.status, 201) << answer.body;
    item.find("stats")->set("citation_count", count_of(item, "stats.citation_count") + 1);
  }
  void do_something() {
    const size_t choice = made_up_.below(20);
    if (choice < 8) return create();
    if (choice < 9) return create_batch();
    if (choice < 13) return change();
    if (choice < 16) return look(text_of(any(), "id"));
    if (choice < 18) return cite();
    remove();
  }

  void check(const std::string& who) {
    const Asked asked = made_up_.list(who, text_of(any(), "created_at"));
    SCOPED_TRACE(who + " " + asked.target);
    const std::vector<Value> wanted = oracle_.expected(who, asked);
    const std::vector<Value> found = api_.listed(who, asked.target, [&](const HttpAnswer& page) {
      EXPECT_EQ(at(page, "meta.total_count"), Value(wanted.size()));
    });
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      ASSERT_EQ(to_json(sorted_members(found[i])), to_json(wanted[i]));
  }

  MadeUp made_up_{29};
  ObservationServer api_{{}, kRegistryOfMany};
  ListOracle oracle_;
};

TEST_F(ObservationsListsTest, AnswerWhatAnOracleSays) {
  for (const char* seeded : {"zeta", "alpha", "obs_0"}) look(seeded);
  for (int i = 0; i < 40; ++i) create();
  for (int round = 0; round < 14; ++round) {
    for (int i = 0; i < 12; ++i) do_something();
    for (int i = 0; i < 10; ++i) {
      for (const char* who : {"boss", "ann", "lab", "eve"}) check(who);
      if (HasFailure()) return;
    }
    if (round % 5 == 4) api_.server().restart();
  }
}

}  // namespace
}  // namespace holdfast::testing
