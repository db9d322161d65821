// Reminders, tasks and coordination artefacts that are stored and cannot be read.
#include "service/continuity/service_fixture.h"

namespace holdfast::service::continuity {
namespace {

// A body that is no document, one that is no JSON, and one that lost what services rely on.
const std::vector<std::string> kBroken = {R"({"body":[]})", "{", R"({"body":{"title":"left"}})"};

class DamageTest : public ServiceTest {
 protected:
  std::string remind(const std::string& title) {
    const auto made =
        call(schedule_, &ScheduleService::create,
             R"({"kind":"reminder","due_at":"2026-03-02T00:00:00Z","thread_id":"t","title":")" +
                 title + "\"}");
    EXPECT_TRUE(made);
    return text_of(*made->find("item"), "schedule_id");
  }
  static std::string id_of(const Value& answer, const char* member, const char* name) {
    return text_of(*answer.find(member), name);
  }
  std::string hand_over() {
    const auto made = call(coordination_, &CoordinationService::create_handoff,
                           R"({"recipient_peer":"bob","subject_kind":"thread","subject_id":"t"})");
    EXPECT_TRUE(made) << made.error().message;
    return id_of(*made, "handoff", "handoff_id");
  }
  std::string share(const std::string& title) {
    const auto made = call(coordination_, &CoordinationService::create_shared,
                           R"({"constraints":["c"],"task_id":"k","title":")" + title + "\"}");
    EXPECT_TRUE(made) << made.error().message;
    return id_of(*made, "shared", "shared_id");
  }
  void meet_bob() {
    ASSERT_TRUE(call(tasks_, &TaskService::register_peer,
                     R"({"peer_id":"bob","trust_level":"restricted"})"));
  }
};

TEST_F(DamageTest, ListsSkipUnreadableRemindersAndSaySo) {
  const std::string whole = remind("whole");
  for (const std::string& body : kBroken) {
    const std::string broken = remind("broken");
    replace_body(reminder_noun(), broken, body);
    const auto listed = call(schedule_, &ScheduleService::list, "{}");
    ASSERT_TRUE(listed) << listed.error().message;
    EXPECT_TRUE(flag_of(*listed, "ok"));
    EXPECT_EQ(integer_of(*listed, "count", -1), 1);
    EXPECT_EQ(integer_of(*listed, "total", -1), 1);
    EXPECT_EQ(text_of(list_of(*listed, "items").front(), "schedule_id"), whole);
    EXPECT_EQ(to_json(*listed->find("warnings")),
              R"(["schedule_row_invalid:)" + broken + R"(","schedule_rows_skipped"])");
    const auto one = call(schedule_, &ScheduleService::get, R"({"schedule_id":")" + broken + "\"}");
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(to_json(*one),
              R"({"ok":false,"item":null,"warnings":["schedule_row_invalid:)" + broken + R"("]})");
    // The next round begins without it.
    ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
      return txn.remove(access_, {.kind = reminder_noun().kind, .id = broken}, {});
    }));
  }
}

TEST_F(DamageTest, ContextsNameUnreadableReminders) {
  ASSERT_TRUE(upsert("t", "2026-02-01T00:00:00Z"));
  const std::string broken = remind("broken");
  remind("whole");
  replace_body(reminder_noun(), broken, kBroken.front());
  const auto bundle = call(retrieval_, &RetrieveService::retrieve,
                           R"({"task":"x","subject_kind":"thread","subject_id":"t"})");
  ASSERT_TRUE(bundle) << bundle.error().message;
  const Value* context = find_path(*bundle, "bundle.schedule_context");
  EXPECT_EQ(integer_of(*context->find("upcoming"), "count", -1), 1);
  EXPECT_EQ(to_json(*context->find("warnings")),
            R"(["schedule_row_invalid:)" + broken + R"(","schedule_rows_skipped"])");
}

TEST_F(DamageTest, ChangesOfUnreadableRemindersAreRefusedAsTheStoresFault) {
  const std::string broken = remind("broken");
  replace_body(reminder_noun(), broken, kBroken.front());
  const std::string id = R"({"schedule_id":")" + broken + R"(","expected_version":1)";
  const std::vector<Result<Value>> answers = {
      call(schedule_, &ScheduleService::update, id + R"(,"title":"new"})"),
      call(schedule_, &ScheduleService::acknowledge, id + "}"),
      call(schedule_, &ScheduleService::retire, id + "}"),
      call(
          schedule_, &ScheduleService::create,
          R"({"kind":"reminder","due_at":"2026-03-02T00:00:00Z","thread_id":"t","title":"broken"})")};
  for (const Result<Value>& answer : answers) {
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(answer.error().message,
              R"({"code":"schedule_db_corrupt","warnings":["schedule_db_corrupt"]})");
  }
}

TEST_F(DamageTest, AStoreThatDoesNotAnswerIsAWarningForReadersAndA503ForWriters) {
  const std::string id = remind("whole");
  store_->close();
  const auto one = call(schedule_, &ScheduleService::get, R"({"schedule_id":")" + id + "\"}");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(to_json(*one), R"({"ok":false,"item":null,"warnings":["schedule_db_unavailable"]})");
  const auto listed = call(schedule_, &ScheduleService::list, R"({"limit":3,"offset":1})");
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_EQ(to_json(*listed), R"({"ok":false,"count":0,"total":0,"limit":3,"offset":1,"items":[],)"
                              R"("warnings":["schedule_db_unavailable"]})");
  const auto retired = call(schedule_, &ScheduleService::retire,
                            R"({"expected_version":1,"schedule_id":")" + id + "\"}");
  ASSERT_FALSE(retired);
  EXPECT_EQ(retired.error().message,
            R"({"code":"schedule_db_unavailable","warnings":["schedule_db_unavailable"]})");
}

TEST_F(DamageTest, HandoffQueriesSkipUnreadableArtefacts) {
  ASSERT_TRUE(upsert("t", "2026-02-01T00:00:00Z"));
  meet_bob();
  const std::string whole = hand_over();
  const std::string broken = hand_over();
  replace_body(handoff_noun(), broken, kBroken.back());
  const auto found =
      call(coordination_, &CoordinationService::query_handoffs, R"({"recipient_peer":"bob"})");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(integer_of(*found, "count", -1), 1);
  EXPECT_EQ(integer_of(*found, "total_matches", -1), 1);
  EXPECT_EQ(to_json(*found->find("warnings")), R"(["handoff_artifact_skipped_invalid"])");
  EXPECT_EQ(text_of(list_of(*found, "handoffs").front(), "handoff_id"), whole);
  const std::string id = R"({"handoff_id":")" + broken + "\"";
  EXPECT_EQ(call(coordination_, &CoordinationService::read_handoff, id + "}").error().message,
            "Handoff artifact is invalid: " + broken);
  const auto consumed =
      call(coordination_, &CoordinationService::consume_handoff, id + R"(,"status":"deferred"})");
  ASSERT_FALSE(consumed);
  EXPECT_EQ(consumed.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(DamageTest, SharedAndReconciliationQueriesSkipUnreadableArtefacts) {
  meet_bob();
  ASSERT_TRUE(call(tasks_, &TaskService::register_peer,
                   R"({"peer_id":"local","trust_level":"restricted"})"));
  const std::string first = share("first");
  const std::string second = share("second");
  const auto claim = [](const std::string& id) {
    return R"({"source_kind":"shared","claimant_peer":"local","claim_summary":"s",)"
           R"("epistemic_status":"frame_present","observed_version":1,"source_id":")" +
           id + "\"}";
  };
  const std::string dispute = R"({"title":"x","task_id":"k","classification":"contradictory",)"
                              R"("trigger":"shared_vs_shared","claims":[)" +
                              claim(first) + "," + claim(second) + "]}";
  const auto opened = call(coordination_, &CoordinationService::open_reconciliation, dispute);
  ASSERT_TRUE(opened) << opened.error().message;
  const std::string record = id_of(*opened, "reconciliation", "reconciliation_id");

  replace_body(shared_noun(), second, kBroken.front());
  replace_body(reconciliation_noun(), record, kBroken.front());
  const auto shared = call(coordination_, &CoordinationService::query_shared, R"({"task_id":"k"})");
  ASSERT_TRUE(shared) << shared.error().message;
  EXPECT_EQ(integer_of(*shared, "count", -1), 1);
  EXPECT_EQ(to_json(*shared->find("warnings")),
            R"(["coordination_shared_artifact_skipped_invalid"])");
  const auto records =
      call(coordination_, &CoordinationService::query_reconciliations, R"({"task_id":"k"})");
  ASSERT_TRUE(records) << records.error().message;
  EXPECT_EQ(integer_of(*records, "count", -1), 0);
  EXPECT_EQ(to_json(*records->find("warnings")),
            R"(["coordination_reconciliation_artifact_skipped_invalid"])");
  const auto again = call(coordination_, &CoordinationService::open_reconciliation, dispute);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(again.error().message, "Referenced source artifact is invalid: " + second);
}

TEST_F(DamageTest, UnreadableTasksAreLeftOutOfListsAndGraphs) {
  const auto make = [&](const std::string& id) {
    ASSERT_TRUE(call(tasks_, &TaskService::create,
                     R"({"title":"x","status":"open","owner_peer":"local","thread_id":"t",)"
                     R"("blocked_by":["z"],"task_id":")" +
                         id + "\"}"));
  };
  make("whole");
  make("broken");
  replace_body(task_noun(), "broken", kBroken.front());
  const auto listed = call(tasks_, &TaskService::query, "{}");
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_EQ(integer_of(*listed, "count", -1), 1);
  const auto graph = [&](const std::string& kind, const std::string& id) {
    const auto bundle =
        call(retrieval_, &RetrieveService::retrieve,
             Value::object({{"task", "x"}, {"subject_kind", kind}, {"subject_id", id}}));
    EXPECT_TRUE(bundle) << bundle.error().message;
    return *find_path(*bundle, "bundle.graph_context");
  };
  const Value around = graph("thread", "t");
  EXPECT_EQ(list_of(around, "nodes").size(), 1U);
  EXPECT_EQ(to_json(*list_of(around, "warnings").front().find("details")),
            R"({"malformed_nodes":1,"malformed_edges":0,"malformed_anchors":0})");
  EXPECT_EQ(to_json(*list_of(graph("task", "broken"), "warnings").front().find("details")),
            R"({"reason":"malformed_source_unrecoverable"})");
  const auto changed = call(tasks_, &TaskService::update, R"({"task_id":"broken","title":"new"})");
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message, "stored task is invalid: broken");
}

}  // namespace
}  // namespace holdfast::service::continuity
