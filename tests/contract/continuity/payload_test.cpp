// What a body or a query may hold, at the bounds and past them.
#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

class PayloadTest : public ::testing::Test {
 protected:
  HttpAnswer patch(const std::string& target, const std::string& json) {
    return HttpClient(server_.port()).request("PATCH", target, json);
  }
  std::string remind(const std::string& more) {
    const auto made = relay_.post(
        "/v1/schedule/items",
        R"({"kind":"reminder","title":"t","due_at":"2099-01-01T00:00:00Z")" + more + "}");
    EXPECT_EQ(made.status, 201) << made.body;
    return "/v1/schedule/items/" + text_at(made, "item.schedule_id");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off"}};
  Relay relay_{server_.port()};
};

TEST_F(PayloadTest, EveryOffsetHasItsPage) {
  remind("");
  const auto last = relay_.get("/v1/schedule/items?offset=10000&limit=200");
  EXPECT_EQ(last.status, 200) << last.body;
  EXPECT_EQ(text_at(last, "count"), "0");
  EXPECT_EQ(text_at(last, "total"), "1");
  EXPECT_EQ(relay_.get("/v1/schedule/items?offset=10001").status, 422);
  for (const char* query : {"handoffs/query?sender_peer=local", "shared/query?owner_peer=local",
                            "reconciliations/query?owner_peer=local"}) {
    for (const char* offset : {"9990", "10000", "9223372036854775807"}) {
      const auto page = relay_.get(std::string("/v1/coordination/") + query + "&offset=" + offset);
      EXPECT_EQ(page.status, 200) << query << offset << page.body;
      EXPECT_EQ(text_at(page, "count"), "0");
    }
  }
}

TEST_F(PayloadTest, ParametersOfThePathAreUnknownInClosedBodies) {
  const std::string item = remind("");
  const std::string id = item.substr(item.rfind('/') + 1);
  const std::string body = R"({"expected_version":1,"schedule_id":")" + id + "\"";
  for (const auto& refused :
       {patch(item, body + R"(,"title":"u"})"), relay_.post(item + "/acknowledge", body + "}"),
        relay_.post(item + "/retire", body + "}")}) {
    EXPECT_EQ(refused.status, 422) << refused.body;
    EXPECT_EQ(text_at(refused, "detail.message"), "unexpected field: schedule_id");
  }
  const auto shared =
      relay_.post("/v1/coordination/shared/create", R"({"title":"t","constraints":["c"]})");
  const auto refused =
      relay_.post("/v1/coordination/shared/" + text_at(shared, "shared.shared_id") + "/update",
                  R"({"expected_version":1,"title":"t","constraints":["d"],"shared_id":"x"})");
  EXPECT_EQ(refused.status, 422) << refused.body;
  EXPECT_EQ(text_at(refused, "detail.0.type"), "extra_forbidden");
  EXPECT_EQ(text_at(refused, "detail.0.loc"), R"(["body","shared_id"])");
}

TEST_F(PayloadTest, RefusalsShowWhatWasSent) {
  EXPECT_EQ(
      relay_.post("/v1/continuity/list", "").body,
      R"({"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]})");
  EXPECT_EQ(text_at(relay_.post("/v1/continuity/list", "[]"), "detail.0.type"),
            "model_attributes_type");
  const std::string sent = R"({"anchor_value":"x"})";
  const auto refused = relay_.post("/v1/continuity/list", sent);
  EXPECT_EQ(text_at(refused, "detail.0.msg"), "Value error, anchor_value requires anchor_kind");
  EXPECT_EQ(text_at(refused, "detail.0.input"), sent);
  // Neither the path nor the second name of a member is part of it.
  const std::string consume = "/v1/coordination/handoff/handoff_x/consume";
  const std::string reasoned = R"({"reason":"r"})";
  EXPECT_EQ(text_at(relay_.post(consume, reasoned), "detail.0.input"), reasoned);
  const std::string both = R"({"status":"rejected","note":"a","reason":"b"})";
  EXPECT_EQ(text_at(relay_.post(consume, both), "detail.0.input"), both);
}

TEST_F(PayloadTest, HalfASubjectIsNotCleared) {
  const std::string item = remind(R"(,"subject_kind":"thread","subject_id":"t")");
  for (const char* half : {"subject_kind", "subject_id"}) {
    const auto refused =
        patch(item, R"({"expected_version":1,")" + std::string(half) + R"(":null})");
    EXPECT_EQ(refused.status, 422) << refused.body;
    EXPECT_EQ(text_at(refused, "detail.message"),
              "subject_kind and subject_id must be supplied or cleared together");
  }
  const auto cleared =
      patch(item, R"({"expected_version":1,"subject_kind":null,"subject_id":null})");
  EXPECT_EQ(text_at(cleared, "item.subject_id"), "null") << cleared.body;
}

TEST_F(PayloadTest, OnlyRoutesThatChangeSomethingLimitTheirBody) {
  const std::string text(300'000, 'w');
  const auto read = relay_.post("/v1/context/retrieve", R"({"task":")" + text + "\"}");
  EXPECT_EQ(read.status, 200) << read.body.substr(0, 200);
  const auto written =
      relay_.post("/v1/tasks", R"({"task_id":"k","owner_peer":"p","title":")" + text + "\"}");
  EXPECT_EQ(written.status, 413);
  EXPECT_EQ(relay_.post("/v1/schedule/items", R"({"note":")" + text + "\"}").status, 413);
}

TEST_F(PayloadTest, EveryWordOfALongTaskIsLookedFor) {
  ASSERT_EQ(
      relay_.post("/v1/tasks", R"({"task_id":"k","owner_peer":"p","title":"the zebra crossing"})")
          .status,
      200);
  std::string task;
  for (int i = 0; i < 500; ++i) task += "filler" + std::to_string(i) + " ";
  for (const std::string& text : {task + "zebra", "zebra " + task + "crossing"}) {
    const auto found = relay_.post("/v1/context/retrieve", R"({"task":")" + text + "\"}");
    EXPECT_EQ(size_at(found, "bundle.recent_relevant"), 1U) << text.size();
    EXPECT_EQ(text_at(found, "bundle.recent_relevant.0.path"), "tasks/open/k.json");
  }
  EXPECT_EQ(size_at(relay_.post("/v1/context/retrieve", R"({"task":")" + task + "\"}"),
                    "bundle.recent_relevant"),
            0U);
}

TEST_F(PayloadTest, IdsOfControlCharactersAndBlanksAreEmpty) {
  for (const char* id : {"\\u0081", "\\u0001\\u3000\\u0001", "\\u00a0", "\\t"}) {
    const auto refused = relay_.post("/v1/continuity/read", subject_text("user", id));
    EXPECT_EQ(refused.status, 400) << id << refused.body;
    EXPECT_EQ(text_at(refused, "detail"), "Normalized subject_id is empty");
  }
  EXPECT_EQ(relay_.post("/v1/continuity/read", subject_text("user", "\\u200b")).status, 404);
  const auto anchored = relay_.upsert(
      {.extra = R"(,"thread_descriptor":{"label":"L","scope_anchors":["a\u0085b"]})"});
  EXPECT_EQ(anchored.status, 400) << anchored.body;
}

TEST_F(PayloadTest, SchemasPublishTheLeastOfNumbersEvenIfItIsZero) {
  const auto tools = relay_.get("/v1/discovery/tools");
  const Value all = at(tools, "tools");
  for (const Value& tool : *all.if_array()) {
    const Value offset = at(tool, "input_schema.properties.offset");
    if (offset.is_null()) continue;
    EXPECT_EQ(at(offset, "minimum"), Value(0)) << to_json(tool);
  }
}

}  // namespace
}  // namespace holdfast::testing
