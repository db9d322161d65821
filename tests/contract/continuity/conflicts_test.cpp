// Every conflict that the contract names: its text, and that nothing is written on one. Jobs that
// are tried, forced or repeated.
#include <gtest/gtest.h>

#include "contract/continuity/calls.h"

namespace holdfast::testing {
namespace {

constexpr const char* kOlder =
    "Incoming continuity capsule is older than the current stored capsule";
constexpr const char* kEqual =
    "Incoming continuity capsule conflicts with the current stored capsule timestamp";
constexpr const char* kBefore = "2025-12-01T00:00:00Z";
constexpr const char* kStored = "2026-01-01T00:00:00Z";

class ConflictsTest : public ::testing::Test {
 protected:
  HttpAnswer send(const std::string& method, const std::string& target, const std::string& body) {
    return HttpClient(server_.port()).request(method, target, body);
  }
  std::string position() { return text_at(relay_.get("/health"), "latest_commit"); }
  void expect_conflict(const std::string& method, const std::string& target,
                       const std::string& body, const std::string& detail) {
    const std::string before = position();
    const auto answer = send(method, target, body);
    EXPECT_EQ(answer.status, 409) << target << answer.body;
    const Value told = at(answer, "detail");
    const Value* code = told.find("code");
    EXPECT_EQ(code != nullptr ? *code->if_string() : text_at(answer, "detail"), detail) << target;
    EXPECT_EQ(position(), before) << target;
  }
  void expect_conflict(const std::string& target, const std::string& body,
                       const std::string& detail) {
    expect_conflict("POST", target, body, detail);
  }
  HttpAnswer must(const std::string& target, const std::string& body) {
    const auto answer = relay_.post(target, body);
    EXPECT_EQ(answer.status / 100, 2) << target << answer.body;
    return answer;
  }
  HttpAnswer job(const std::string& name, const std::string& arguments,
                 const std::string& more = {}) {
    return relay_.post("/v1/ops/run",
                       R"({"job_id":")" + name + R"(","arguments":)" + arguments + more + "}");
  }

  TemporaryFolder folder_;
  ServerProcess server_{folder_ / "data", {"--rate-limits", "off", "--test-clock"}};
  Relay relay_{server_.port()};
};

TEST_F(ConflictsTest, WritesOfCapsulesThatAreNotNewer) {
  ASSERT_EQ(relay_.upsert({.extra = R"(,"thread_descriptor":{"label":"L"})"}).status, 200);
  const std::string signals = R"(,"signals":[{"kind":"user_confirmation","source_ref":"r",)"
                              R"("observed_at":"2026-01-01T00:00:00Z","summary":"s"}])";
  for (const auto& [at, detail] :
       std::map<std::string, std::string>{{kBefore, kOlder}, {kStored, kEqual}}) {
    const std::string when = R"(,"updated_at":")" + at + "\"";
    const CapsuleText changed{.at = at, .loop = "another"};
    expect_conflict("/v1/continuity/upsert", upsert_text(changed), detail);
    CapsuleText merged = changed;
    merged.envelope = R"(,"merge_mode":"preserve")";
    expect_conflict("/v1/continuity/upsert", upsert_text(merged), detail);
    expect_conflict("/v1/continuity/patch",
                    subject_text("thread", "parser",
                                 when + R"(,"operations":[{"target":"continuity.open_loops",)"
                                        R"("action":"append","value":"x"}])"),
                    detail);
    expect_conflict("/v1/continuity/lifecycle",
                    subject_text("thread", "parser", when + R"(,"transition":"suspend")"), detail);
    const std::string candidate = to_json(*parsed(upsert_text(changed)).find("capsule"));
    expect_conflict(
        "/v1/continuity/revalidate",
        subject_text("thread", "parser",
                     signals + R"(,"outcome":"correct","candidate_capsule":)" + candidate),
        detail);
  }
  must("/v1/continuity/upsert",
       upsert_text({.id = "keyed", .envelope = R"(,"idempotency_key":"k")"}));
  expect_conflict("/v1/continuity/upsert",
                  upsert_text({.id = "other", .envelope = R"(,"idempotency_key":"k")"}),
                  "Idempotency key was already used with a different request");
}

TEST_F(ConflictsTest, TasksPeersAndReminders) {
  must("/v1/tasks", R"({"task_id":"k","title":"t","owner_peer":"p","status":"done"})");
  expect_conflict("/v1/tasks", R"({"task_id":"k","title":"t","owner_peer":"p"})",
                  "Task already exists: k");
  expect_conflict("PATCH", "/v1/tasks/k", R"({"status":"open"})",
                  "Invalid task status transition: done -> open");
  must("/v1/peers/register", R"({"peer_id":"u","base_url":"http://u","trust_level":"untrusted"})");
  expect_conflict(
      "/v1/peers/register",
      R"({"peer_id":"u","base_url":"http://u","trust_level":"trusted","public_key":"k"})",
      "Trust transition not allowed: untrusted -> trusted");

  const auto reminder = [](const std::string& title, const std::string& more) {
    return R"({"kind":"reminder","due_at":"2099-01-01T00:00:00Z","title":")" + title + "\"" + more +
           "}";
  };
  const std::string items = "/v1/schedule/items";
  must(items, reminder("a", R"(,"schedule_id":"sched_a","idempotency_key":"ka")"));
  must(items, reminder("b", R"(,"schedule_id":"sched_b","idempotency_key":"kb")"));
  expect_conflict(items, reminder("c", R"(,"schedule_id":"sched_a")"), "schedule_id_conflict");
  expect_conflict(items, reminder("c", R"(,"idempotency_key":"ka")"), "idempotency_key_conflict");
  expect_conflict(items, reminder("a", R"(,"schedule_id":"sched_a","idempotency_key":"kb")"),
                  "idempotency_key_conflict");
  const std::string one = items + "/sched_a";
  expect_conflict("PATCH", one, R"({"expected_version":2,"title":"x"})",
                  "schedule_version_conflict");
  expect_conflict(one + "/retire", R"({"expected_version":2})", "schedule_version_conflict");
  must(one + "/acknowledge", R"({"expected_version":1})");
  expect_conflict("PATCH", one, R"({"expected_version":2,"title":"x"})",
                  "schedule_status_conflict");
  expect_conflict(one + "/acknowledge", R"({"status":"done"})", "schedule_status_conflict");
  expect_conflict(one + "/acknowledge", R"({"reason":"other"})", "schedule_status_conflict");
  must(one + "/retire", R"({"expected_version":2})");
  expect_conflict(one + "/retire", R"({"reason":"other"})", "schedule_status_conflict");
}

TEST_F(ConflictsTest, Coordination) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  must("/v1/peers/register", R"({"peer_id":"u","base_url":"http://u","trust_level":"untrusted"})");
  must("/v1/peers/register", R"({"peer_id":"local","base_url":"http://l"})");
  const auto handoff = [](const std::string& peer) {
    return subject_text("thread", "parser", R"(,"recipient_peer":")" + peer + "\"");
  };
  const std::string coordination = "/v1/coordination/";
  expect_conflict(coordination + "handoff/create", handoff("u"), "Peer is untrusted: u");
  expect_conflict(coordination + "shared/create",
                  R"({"title":"t","constraints":["c"],"participant_peers":["u"]})",
                  "Peer is untrusted: u");
  const std::string handed =
      text_at(must(coordination + "handoff/create", handoff("local")), "handoff.handoff_id");
  const std::string consume = coordination + "handoff/" + handed + "/consume";
  must(consume, R"({"status":"deferred","note":"n"})");
  expect_conflict(consume, R"({"status":"deferred"})", "Handoff has already been consumed");

  std::string claims;
  for (const char* title : {"a", "b"}) {
    const std::string id =
        text_at(must(coordination + "shared/create",
                     std::string(R"({"constraints":["c"],"title":")") + title + "\"}"),
                "shared.shared_id");
    expect_conflict(coordination + "shared/" + id + "/update",
                    R"({"expected_version":2,"title":"x","constraints":["c"]})",
                    "Shared coordination version conflict");
    claims += (claims.empty() ? "" : ",") +
              std::string(R"({"source_kind":"shared","source_id":")") + id +
              R"(","claimant_peer":"local","claim_summary":"s","observed_version":1,)"
              R"("epistemic_status":"frame_present"})";
  }
  const std::string record =
      text_at(must(coordination + "reconciliation/open",
                   R"({"title":"t","task_id":"k","classification":"contradictory",)"
                   R"("trigger":"shared_vs_shared","claims":[)" +
                       claims + "]}"),
              "reconciliation.reconciliation_id");
  const std::string resolve = coordination + "reconciliation/" + record + "/resolve";
  expect_conflict(resolve, R"({"expected_version":2,"resolution_outcome":"rejected"})",
                  "Reconciliation version conflict");
  must(resolve, R"({"expected_version":1,"resolution_outcome":"rejected"})");
  expect_conflict(resolve, R"({"expected_version":2,"resolution_outcome":"conflicted"})",
                  "Reconciliation has already been resolved");
}

TEST_F(ConflictsTest, JobsAreTriedForcedAndRepeated) {
  ASSERT_EQ(relay_.upsert({}).status, 200);
  const std::string path = text_at(
      must("/v1/continuity/archive", subject_text("thread", "parser", R"(,"reason":"over")")),
      "archived_path");
  must("/_test/clock", R"({"advance_seconds":8640000})");
  const std::string one = R"({"source_archive_path":")" + path + "\"}";
  const std::string many = R"({"source_archive_paths":[")" + path + "\"]}";
  std::string before = position();
  EXPECT_EQ(text_at(job("continuity_retention_apply", many, R"(,"dry_run":true)"),
                    "job_result.results.0.status"),
            "cold_stored");
  EXPECT_EQ(position(), before);
  EXPECT_EQ(job("continuity_cold_rehydrate", one, R"(,"force":true)").status, 404);
  // Forcing a job that nobody runs is running it.
  EXPECT_EQ(
      text_at(job("continuity_cold_store", one, R"(,"force":true)"), "job_result.artifact_state"),
      "cold");
  before = position();
  EXPECT_EQ(text_at(job("continuity_cold_store", one), "detail"),
            "Continuity archive envelope not found");
  const auto tried = job("continuity_cold_rehydrate", one, R"(,"dry_run":true,"force":true)");
  EXPECT_EQ(text_at(tried, "job_result.artifact_state"), "archived") << tried.body;
  EXPECT_EQ(text_at(tried, "job_result.latest_commit"), before);
  EXPECT_EQ(position(), before);
  EXPECT_EQ(job("continuity_cold_rehydrate", one).status, 200);
  EXPECT_EQ(text_at(job("continuity_cold_rehydrate", one), "detail"),
            "Continuity cold stub not found");
  EXPECT_EQ(job("no_such_job", "{}").status, 404);
}

}  // namespace
}  // namespace holdfast::testing
