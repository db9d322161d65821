// What the contract says about requests that are wrong: in which order that is found out, what is
// told, and what is told nowhere.
#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

std::string details(const HttpAnswer& answer) {
  std::string out;
  const Value list = at(answer, "error.details");
  for (size_t i = 0; list.is_array() && i < list.if_array()->size(); ++i) {
    const std::string entry = "error.details." + std::to_string(i);
    out += (i > 0 ? " " : "") + text_at(answer, entry + ".field") + "=" +
           text_at(answer, entry + ".code");
  }
  return out;
}

class ObservationsRulesTest : public ::testing::Test {
 protected:
  HttpAnswer batch(const std::string& items, const char* more = "") {
    return api_.send(
        "ann", "POST", "/observations/batch",
        R"({"commit_id":")" + api_.fresh() + R"(","observations":[)" + items + "]" + more + "}");
  }
  static std::string item(const Value& changes = {}) {
    return to_json(ObservationServer::body(changes));
  }

  // A finished file of one byte.
  std::string uploaded(const std::string& who) {
    const auto begun = api_.send(who, "POST", "/api/v2/attachments",
                                 R"({"filename":"a.txt","content_type":"text/plain",)"
                                 R"("size_bytes":1,"workspace_id":"workspace_open"})");
    const std::string url = text_at(begun, "data.upload_url");
    const auto put = HttpClient(api_.server().port())
                         .request("PUT", url.substr(url.find("/uploads")), "x",
                                  {{"Content-Type", "text/plain"}});
    EXPECT_EQ(put.status, 204) << put.body;
    return text_at(begun, "data.id");
  }

  ObservationServer api_;
};

TEST_F(ObservationsRulesTest, AParameterThatARouteDoesNotKnowIsRefused) {
  const std::string id = api_.made("ann");
  const std::string one = "/observations/" + id + "?expand=all";

  for (const auto& answer :
       {api_.get("ann", one), api_.send("ann", "PATCH", one, R"({"tags":[]})"),
        api_.send("ann", "DELETE", one), api_.get("ann", "/api/v2/workspaces/workspace_open?a&b=1"),
        api_.send("ann", "POST", "/observations?expand=all", item())}) {
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_EQ(text_at(answer, "error.details.0.code"), "UNKNOWN_FIELD");
  }
  const auto both = api_.send("ann", "PATCH", one, R"({"title":"x"})");
  EXPECT_EQ(details(both), "body.title=STRING_TOO_SHORT query.expand=UNKNOWN_FIELD");
  EXPECT_EQ(api_.get("ann", "/observations/none?expand=all").status, 404);
  EXPECT_EQ(text_at(api_.get("ann", "/observations/" + id), "data.stats.view_count"), "1")
      << "a refused look is none";
}

TEST_F(ObservationsRulesTest, WhatThePathNamesIsLookedForBeforeTheBodyIsJudged) {
  const std::pair<const char*, const char*> cases[] = {
      {"POST", "/api/v2/attachments/none/complete"}, {"POST", "/api/v2/workspaces/none/members"},
      {"POST", "/api/v2/threads/none/comments"},     {"POST", "/api/v2/artifacts/none/evidence"},
      {"POST", "/api/v2/subcortexes/none/archive"},  {"PATCH", "/api/v2/threads/none"},
      {"PUT", "/api/v2/workspaces/none/repos"}};
  for (const auto& [method, path] : cases)
    EXPECT_EQ(api_.send("boss", method, path, R"({"wrong":1})").status, 404) << path;
}

TEST_F(ObservationsRulesTest, ABodyThatMayBeLeftOutNeedsNoType) {
  const std::string file = uploaded("ann");

  const auto done = api_.send("ann", "POST", "/api/v2/attachments/" + file + "/complete");

  EXPECT_EQ(text_at(done, "data.status"), "ready") << done.body;
  EXPECT_EQ(api_.send("ann", "POST", "/observations").status, 415);
}

TEST_F(ObservationsRulesTest, LimitsOfMetadataAreThoseOfTheResult) {
  Value many = Value::object();
  for (int i = 0; i < 150; ++i) many.set("old" + std::to_string(i), i);
  const std::string target =
      "/observations/" + api_.made("ann", Value::object({{"metadata", many}}));
  Value exchange = Value::object();
  for (int i = 0; i < 150; ++i) exchange.set("old" + std::to_string(i), nullptr);
  for (int i = 0; i < 150; ++i) exchange.set("new" + std::to_string(i), i);

  const auto exchanged = api_.send("ann", "PATCH", target,
                                   to_json(Value::object({{"metadata", std::move(exchange)}})));
  EXPECT_EQ(exchanged.status, 200) << exchanged.body;

  const auto refused =
      api_.send("ann", "PATCH", target,
                to_json(Value::object({{"title", "x"}, {"metadata", std::move(many)}})));
  EXPECT_EQ(details(refused), "body.title=STRING_TOO_SHORT body.metadata=OBJECT_TOO_LARGE");
}

TEST_F(ObservationsRulesTest, ManyMembersOfAPatchCostNoSquare) {
  const std::string target = "/observations/" + api_.made("ann");
  std::string patch = R"({"metadata":{)";
  for (int i = 0; patch.size() < 1'000'000; ++i)
    patch += (i > 0 ? "," : "") + std::string("\"k") + std::to_string(i) + "\":1";

  const auto refused = api_.send("ann", "PATCH", target, patch + "}}");

  EXPECT_EQ(details(refused), "body.metadata=OBJECT_TOO_LARGE body.metadata=OBJECT_TOO_LARGE");
}

TEST_F(ObservationsRulesTest, ManyFilesCostNoSquare) {
  std::string ids;
  for (int i = 0; ids.size() < 1'000'000; ++i)
    ids += (i > 0 ? "," : "") + std::string("\"a") + std::to_string(i) + "\"";
  ids.append(R"(,"a7")");

  const auto refused = api_.send("ann", "POST", "/observations",
                                 item().insert(1, R"("attachment_ids":[)" + ids + "],"));

  EXPECT_TRUE(details(refused).starts_with("body.attachment_ids=ARRAY_TOO_LARGE"))
      << refused.status << details(refused);
}

TEST_F(ObservationsRulesTest, ASecretIsToldNowhere) {
  const std::string key = std::string("AKIA") + "Q3ZX7M2N4K8P1R5T";
  const auto named = api_.create(
      "ann", Value::object({{"metadata", Value::object({{key, Value::object({{"a", 1}})}})}}));
  EXPECT_EQ(details(named), "body.metadata.[hidden]=AWS_ACCESS_KEY");

  const auto failed = batch(item() + "," + item(Value::object({{"title", "Found " + key}})) + "," +
                            item(Value::object({{"title", "Found " + key}, {"type", "none"}})) +
                            "," + item(Value::object({{"title", "Fine"}})));
  ASSERT_EQ(failed.status, 201) << failed.body;
  EXPECT_EQ(failed.body.find(key), std::string::npos) << failed.body;
  EXPECT_EQ(text_at(failed, "data.failed.0.title"), "null");
  EXPECT_EQ(text_at(failed, "data.failed.2.title"), "Fine");
  EXPECT_FALSE(folder_contains(api_.server().data(), key));

  const std::string invalid = item(Value::object(
      {{"metadata", Value::object({{key, Value::object({{std::string(101, 'x'), 1}})}})}}));
  const auto names = batch(invalid);
  ASSERT_EQ(names.status, 200) << names.body;
  EXPECT_EQ(text_at(names, "data.failed.0.error.details.0.field"),
            "body.metadata.[hidden]." + std::string(100, 'x'));
  EXPECT_FALSE(folder_contains(api_.server().data(), key));

  for (const Value& wrong :
       {Value::object({{"source", Value::object({{"type", key}})}}),
        Value::object({{"source", key}}), Value::object({{"code_links", Value::array({key})}}),
        Value::object({{"code_links",
                        Value::array({Value::object({{"repo", "a"}, {"line_start", key}})})}})}) {
    const auto refused = api_.create("ann", wrong);
    EXPECT_EQ(refused.status, 400) << refused.body;
    EXPECT_EQ(refused.body.find(key), std::string::npos) << refused.body;
  }
}

// Of its items, those that have a commit id of their own are made all the same.
TEST_F(ObservationsRulesTest, ASecretCommitIdIsToldNowhere) {
  const std::string key = std::string("AKIA") + "Q3ZX7M2N4K8P1R5T";
  const std::string own = item(parsed(R"({"source":{"commit_id":"c"}})"));
  const auto send = [&](const std::string& who, const std::string& id, const std::string& items) {
    return api_.send(who, "POST", "/observations/batch",
                     R"({"commit_id":")" + id + R"(","observations":[)" + items + "]}");
  };

  for (const auto& answer :
       {send("ann", key, own + "," + item()), send("ann", key, own + "," + item()),
        send("bot", key, item()), send("ann", key, own)}) {
    EXPECT_EQ(answer.body.find(key), std::string::npos) << answer.body;
    const bool conflict = answer.status == 409;
    EXPECT_EQ(text_at(answer, conflict ? "error.details.commit_id" : "data.commit_id"), "[hidden]")
        << answer.body;
  }
  const std::string password = "password=hunter2hunter2";
  EXPECT_EQ(text_at(send("bot", password, own), "data.commit_id"), "[hidden]");
  EXPECT_EQ(text_at(send("ann", password, own), "data.commit_id"), password) << "T3 may store it";
}

TEST_F(ObservationsRulesTest, ARepositoryIsNamedUnlessItsNameIsASecret) {
  const auto made = api_.send("boss", "POST", "/api/v2/workspaces",
                              R"({"slug":"strict","name":"Strict","visibility":"internal",)"
                              R"("settings":{"code_link_policy":"registered"}})");
  const std::string workspace = text_at(made, "data.id");
  const auto linked = [&](const std::string& repo) {
    const Value links = Value::array({Value::object({{"repo", repo}})});
    return api_.create("boss", Value::object({{"workspace_id", workspace}, {"code_links", links}}));
  };
  const std::string key = std::string("AKIA") + "Q3ZX7M2N4K8P1R5T";

  EXPECT_NE(text_at(linked("acme/gone"), "error.message").find("acme/gone"), std::string::npos);
  const auto secret = linked("acme/" + key);
  EXPECT_EQ(details(secret), "body.code_links[0].repo=INVALID_REFERENCE");
  EXPECT_EQ(secret.body.find(key), std::string::npos) << secret.body;
}

TEST_F(ObservationsRulesTest, EachItemOfARefusedBatchHasACodeOfItsOwn) {
  const auto refused = batch(item(Value::object({{"title", "x"}})) + "," +
                                 item(Value::object({{"workspace_id", "none"}})) + "," +
                                 item(Value::object({{"linked_thread_id", "thread_old"}})),
                             R"(,"fail_on_error":true)");

  EXPECT_EQ(details(refused),
            "body.observations[0].title=STRING_TOO_SHORT "
            "body.observations[1].workspace_id=INVALID_REFERENCE "
            "body.observations[2].linked_thread_id=RESOURCE_ARCHIVED");
}

TEST_F(ObservationsRulesTest, AConflictNamesTheRequestAsItsAnswerDid) {
  std::string items = item();
  for (int i = 1; i < 100; ++i) items += "," + item();
  const std::string list = R"("observations":[)" + items + "]}";
  const std::string other = R"("observations":[)" + item() + "]}";
  for (int round = 0; round < 5; ++round) {
    const std::string head = R"({"commit_id":")" + api_.fresh() + R"(",)";
    const std::string key = api_.fresh();
    const auto first = api_.send("boss", "POST", "/observations/batch", head + list, key);
    ASSERT_EQ(first.status, 201) << first.body;

    for (const auto& conflict :
         {api_.send("boss", "POST", "/observations/batch", head + other, key),
          api_.send("boss", "POST", "/observations/batch", head + other)}) {
      EXPECT_EQ(text_at(conflict, "error.details.original_request_id"),
                text_at(first, "meta.request_id"));
      EXPECT_EQ(text_at(conflict, "error.details.original_timestamp"),
                text_at(first, "meta.timestamp"));
    }
  }
}

TEST_F(ObservationsRulesTest, DetailsComeInTheOrderOfTheTables) {
  const auto link = api_.create(
      "ann", Value::object({{"code_links", parsed(R"([{"repo":"a","other":1,"commit_sha":"0123g67",
                                                      "line_start":5,"line_end":3}])")}}));
  EXPECT_EQ(details(link),
            "body.code_links[0].line_end=NUMBER_OUT_OF_RANGE "
            "body.code_links[0].commit_sha=INVALID_FORMAT "
            "body.code_links[0].other=UNKNOWN_FIELD");
  const auto bounds =
      api_.get("ann", "/observations?created_at.lte=x&created_at.gte=x&created_at.lt=x");
  EXPECT_EQ(details(bounds),
            "query.created_at.lt=INVALID_FORMAT query.created_at.gte=INVALID_FORMAT "
            "query.created_at.lte=INVALID_FORMAT");
  const auto filters = api_.get(
      "ann", "/observations?zz=1&limit=x&sort=x&tag=&sensitivity=x&source_type=x&type=x&task_id=");
  EXPECT_EQ(details(filters),
            "query.task_id=INVALID_FORMAT query.type=INVALID_ENUM query.source_type=INVALID_ENUM "
            "query.sensitivity=INVALID_ENUM query.tag=INVALID_FORMAT query.sort=INVALID_ENUM "
            "query.limit=INVALID_TYPE query.zz=UNKNOWN_FIELD");
  const auto both = api_.send("ann", "POST", "/observations?type=x", item(parsed(R"({"foo":1})")));
  EXPECT_EQ(details(both), "body.foo=UNKNOWN_FIELD query.type=UNKNOWN_FIELD");
}

TEST_F(ObservationsRulesTest, ControlCharactersAreRefusedInEveryString) {
  EXPECT_EQ(details(api_.get("ann", "/observations?workspace_id=a%07&tag=%00,b")),
            "query.workspace_id=INVALID_FORMAT query.tag=INVALID_FORMAT");
  const auto note = api_.send("ann", "POST", "/api/v2/threads/thread_a/comments",
                              R"({"body_md":"x","citations":[{"type":"url","ref":"x",)"
                              R"("note":"a\u0007"}]})");
  EXPECT_EQ(details(note), "body.citations[0].note=INVALID_FORMAT");
}

TEST_F(ObservationsRulesTest, AZeroCharacterIsOfTheWrongFormAlsoAmongWords) {
  const std::string changes = R"({"type":"oth\u0000er","sensitivity":"nor\u0000mal",)"
                              R"("source":{"type":"\u0000"}})";
  EXPECT_EQ(details(api_.create("ann", parsed(changes))),
            "body.type=INVALID_FORMAT body.sensitivity=INVALID_FORMAT "
            "body.source.type=INVALID_FORMAT");
  const auto items = batch(item(parsed(R"({"type":"oth\u0000er"})")));
  EXPECT_EQ(text_at(items, "data.failed.0.error.details.0.code"), "INVALID_FORMAT") << items.body;
  const std::string id = api_.made("ann");
  const auto patched =
      api_.send("ann", "PATCH", "/observations/" + id, R"({"sensitivity":"sensitive\u0000"})");
  EXPECT_EQ(details(patched), "body.sensitivity=INVALID_FORMAT");
  const auto key = api_.send("ann", "POST", "/api/v2/auth/api-keys",
                             R"({"name":"n","type":"pat","scopes":["re\u0000ad","fly"]})");
  EXPECT_EQ(details(key), "body.scopes[0]=INVALID_FORMAT body.scopes[1]=INVALID_ENUM");
}

TEST_F(ObservationsRulesTest, ACursorKnowsTheUsualOrderByItsName) {
  for (int i = 0; i < 3; ++i) api_.made("ann");
  const std::string cursor = text_at(api_.get("ann", "/observations?limit=1"), "pagination.cursor");
  const std::string encoded = in_address(cursor);

  const auto named = api_.get("ann", "/observations?sort=-created_at&limit=1&cursor=" + encoded);

  EXPECT_EQ(named.status, 200) << named.body;
  EXPECT_EQ(api_.get("ann", "/observations?sort=created_at&cursor=" + encoded).status, 400);
}

TEST_F(ObservationsRulesTest, NullIsNoOwnerAndNoAddress) {
  const auto agent =
      api_.send("boss", "POST", "/api/v2/principals",
                R"({"handle":"robot","display_name":"R","kind":"agent","owner_id":null})");
  EXPECT_EQ(details(agent), "body.owner_id=REQUIRED");
  const auto human =
      api_.send("boss", "POST", "/api/v2/principals",
                R"({"handle":"jim","display_name":"J","kind":"human","email":null})");
  EXPECT_EQ(details(human), "body.email=REQUIRED body.password=REQUIRED");
}

TEST_F(ObservationsRulesTest, EveryLookHasACountOfItsOwn) {
  const std::string id = api_.made("ann");
  constexpr int kLooks = 200;
  std::array<std::vector<std::string>, 4> seen;
  std::vector<std::thread> lookers;
  for (auto& mine : seen) {
    lookers.emplace_back([&] {
      for (int i = 0; i < kLooks; ++i) {
        mine.push_back(text_at(api_.get("ann", "/observations/" + id), "data.stats.view_count"));
      }
    });
  }
  for (std::thread& looker : lookers) looker.join();

  std::set<std::string> once;
  for (const auto& mine : seen) once.insert(mine.begin(), mine.end());
  EXPECT_EQ(once.size(), seen.size() * kLooks);
}

// The first of them takes the right to see the observation away, also from the others.
TEST_F(ObservationsRulesTest, ARepetitionIsAnsweredLikeTheRequestThatOvertookIt) {
  for (int round = 0; round < 150; ++round) {
    const std::string target = "/observations/" + api_.made("ann");
    const std::string key = api_.fresh();
    std::array<int, 16> statuses = {};
    std::vector<std::thread> callers;
    for (int& status : statuses) {
      callers.emplace_back([&] {
        status = api_.send("ann", "PATCH", target, R"({"sensitivity":"sensitive"})", key).status;
      });
    }
    for (std::thread& caller : callers) caller.join();
    for (const int status : statuses) EXPECT_EQ(status, 200) << round;
  }
}

TEST_F(ObservationsRulesTest, AFileIsRefusedForClearanceOnlyIfNothingElseIsMissing) {
  const std::string file = uploaded("ann");
  ASSERT_EQ(api_.send("ann", "POST", "/api/v2/attachments/" + file + "/complete").status, 200);
  const std::string target = "/api/v2/attachments/" + file;
  const auto key = api_.send("eve", "POST", "/api/v2/auth/api-keys",
                             R"({"name":"k","type":"pat","scopes":["read"],"subcortex_scope":[]})");
  const auto look = [&] {
    return HttpClient(api_.server().port())
        .request("GET", target, "", {{"Authorization", "Bearer " + text_at(key, "data.key")}})
        .status;
  };
  const Value files = Value::array({file});

  api_.made("ann", Value::object({{"attachment_ids", files}, {"sensitivity", "sensitive"}}));
  EXPECT_EQ(look(), 403);
  api_.made("ann", Value::object({{"attachment_ids", files}, {"linked_thread_id", "thread_a"}}));
  EXPECT_EQ(look(), 404) << "the other use is refused for its subcortex";
}

TEST_F(ObservationsRulesTest, CapitalsInsideAQueryDoNotMakeItMatchMore) {
  for (int i = 0; i < 4; ++i) api_.made("ann");
  for (int i = 0; i < 2; ++i) api_.made("ann", Value::object({{"title", "Hello world"}}));

  const auto found = api_.get("ann", "/observations?q=wO&limit=1");

  EXPECT_EQ(text_at(found, "meta.total_count"), "2") << found.body;
}

TEST_F(ObservationsRulesTest, QueriesFoldLettersOneByOne) {
  api_.made("ann", Value::object({{"title", "İzmir in 12 µs"}}));

  const auto found = [&](const char* query) {
    return size_at(api_.get("ann", std::string("/observations?q=") + query), "data");
  };
  EXPECT_EQ(found("12+%CE%BCs"), 1U) << "the Greek letter for the sign";
  EXPECT_EQ(found("%C4%B0ZM%C4%B0R"), 0U) << "the second i has no dot of its own";
  EXPECT_EQ(found("%C4%B0ZMIR"), 1U);
  EXPECT_EQ(found("izmir"), 0U);
}

// The registry with some observations.
std::string registry_with(const std::vector<std::string>& ids, const std::string& more) {
  std::string list;
  for (const std::string& id : ids) {
    list +=
        (list.empty() ? "" : ",") + (R"({"id":")" + id + R"(","workspace_id":"workspace_open",)");
    list += R"("created_by_id":"principal_ann","type":"decision","title":"Decided long ago",)"
            R"("summary_md":"In a thread that is closed.")" +
            more + "}";
  }
  std::string registry = kRegistry;
  return registry.insert(registry.rfind('}'), R"(,"observations":[)" + list + "]");
}

// Of the whole list, two a page.
std::vector<std::string> listed_ids(ObservationServer& api, const std::string& sort) {
  std::vector<std::string> ids;
  for (const Value& item : api.listed("ann", "/observations?limit=2&sort=" + sort))
    ids.push_back(*item.find("id")->if_string());
  return ids;
}

// In both directions.
void expect_listed(ObservationServer& api, const std::string& sort,
                   std::vector<std::string> wanted) {
  EXPECT_EQ(listed_ids(api, sort), wanted);
  std::ranges::reverse(wanted);
  EXPECT_EQ(listed_ids(api, "-" + sort), wanted);
}

TEST(ObservationSeedsTest, StandAmongOthersByTheirIds) {
  const std::string old_ulid = "obs_01H80000000000000000000000";
  const std::string far_ulid = "obs_01ZZ0000000000000000000000";
  const std::vector<std::string> before = {"0first", "obs_", "obs_01", old_ulid, "obs_01H8OBS001"};
  const std::vector<std::string> after = {far_ulid, "obs_05", "obs_1",      "obs_7ZZZZZZZZZ",
                                          "obs_8",  "obs_zz", "obs_\u00e9", "p"};
  std::vector<std::string> seeds = after;
  seeds.insert(seeds.end(), before.begin(), before.end());
  ObservationServer api({}, registry_with(seeds, ""));
  const Value decision = Value::object({{"type", "decision"}});
  std::vector<std::string> wanted = before;
  for (int i = 0; i < 3; ++i) wanted.push_back(api.made("ann", decision));
  wanted.insert(wanted.end(), after.begin(), after.end());

  expect_listed(api, "type", wanted);
}

TEST(ObservationSeedsTest, StandByTheirIdsWhicheverFileNamedThem) {
  const std::string same = R"(,"created_at":"2025-01-15T10:30:00Z")";
  const std::string ulid = "obs_01JHMY8EG0000000000000000";  // of about that time
  ObservationServer api({}, registry_with({"obs_zz", ulid + "5", "obs_00"}, same));
  const std::string made = api.made("ann", Value::object({{"type", "decision"}}));
  api.change_registry(
      registry_with({"obs_zz", ulid + "5", "obs_00", "obs_mm", ulid + "3", ulid + "7"}, same));

  api.server().restart();

  const std::vector<std::string> wanted = {"obs_00", ulid + "3", ulid + "5", ulid + "7",
                                           made,     "obs_mm",   "obs_zz"};
  expect_listed(api, "type", wanted);
  std::vector<std::string> by_time = wanted;
  by_time.erase(by_time.begin() + 4);
  by_time.push_back(made);
  expect_listed(api, "created_at", by_time);

  const std::string patch = R"({"tags":["changed"]})";
  for (const std::string& id : {std::string("obs_mm"), ulid + "3"})
    ASSERT_EQ(api.send("ann", "PATCH", "/observations/" + id, patch).status, 200);

  expect_listed(api, "type", wanted);
}

TEST(ObservationSeedsTest, MayBeLinkedToWhatIsArchived) {
  ObservationServer api({}, registry_with({"obs_1"}, R"(,"linked_thread_id":"thread_old")"));

  EXPECT_EQ(text_at(api.get("ann", "/observations/obs_1"), "data.linked_thread.id"), "thread_old");
}

TEST(ObservationSeedsTest, KeepATagOnce) {
  ObservationServer api({}, registry_with({"obs_1"}, R"(,"tags":["b","a","b"])"));

  EXPECT_EQ(to_json(at(api.get("ann", "/observations/obs_1"), "data.tags")), R"(["b","a"])");
}

TEST(ObservationSeedsTest, NameNoFileThatIsNotThere) {
  TemporaryFolder folder;
  std::ofstream(folder / "seed.json")
      << registry_with({"obs_1"}, R"(,"attachment_ids":["attach_none"])");

  const auto refused = run_holdfast({"serve", "--data", folder / "data", "--listen", "127.0.0.1:0",
                                     "--auth", "tokens", "--bootstrap", folder / "seed.json"});

  EXPECT_EQ(refused.status, 2) << refused.err;
  EXPECT_NE(refused.err.find("obs_1"), std::string::npos) << refused.err;
}

// The file is given at every start: what was deleted since stays so, also once nothing of it is
// kept.
TEST(ObservationSeedsTest, StayDeleted) {
  ObservationServer api({"--test-clock"}, registry_with({"obs_1", "obs_2", "obs_3"}, ""));
  ASSERT_EQ(api.send("ann", "DELETE", "/observations/obs_1").status, 204);
  ASSERT_LT(api.send("boss", "DELETE", "/holdfast/v1/objects/observation/obs_3").status, 300);
  ASSERT_EQ(api.send("boss", "DELETE", "/api/v2/threads/thread_a").status, 204);
  const std::string parent = "/holdfast/v1/objects/subcortex/subcortex_lab";
  ASSERT_LT(api.send("boss", "DELETE", parent).status, 300) << "what names it is known as well";

  api.server().restart();

  EXPECT_EQ(api.get("ann", "/observations/obs_1").status, 404);
  EXPECT_EQ(api.get("ann", "/observations/obs_3").status, 404) << "it was erased";
  EXPECT_EQ(api.get("ann", "/api/v2/threads/thread_a").status, 404);
  EXPECT_EQ(text_at(api.get("ann", "/observations"), "meta.total_count"), "1");

  constexpr const char* kMonth = R"({"advance_seconds":2678400})";
  ASSERT_EQ(api.send("boss", "POST", "/api/v2/_test/clock", kMonth).status, 200);
  const std::string history = "/holdfast/v1/objects/observation/obs_1/history";
  for (int i = 0; i < 400 && api.get("boss", history).status != 404; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  ASSERT_EQ(api.get("boss", history).status, 404) << "it is purged";
  api.server().restart();

  EXPECT_EQ(api.get("ann", "/observations/obs_1").status, 404);
  EXPECT_EQ(api.get("ann", "/observations/obs_2").status, 200);
}

// They are not looked through for secrets when they come in; a patch that changes nothing is no
// reason to.
TEST(ObservationSeedsTest, StayAsTheyWereUntilSomethingChanges) {
  ObservationServer api({}, registry_with({"obs_1"}, R"(,"metadata":{"password":"hunter2hunter2"})"
                                                     R"(,"created_at":"2025-01-15T10:30:00Z")"));

  const auto patched = api.send("ann", "PATCH", "/observations/obs_1", "{}");

  EXPECT_EQ(text_at(patched, "data.updated_at"), "2025-01-15T10:30:00.000Z") << patched.body;
}

}  // namespace
}  // namespace holdfast::testing
