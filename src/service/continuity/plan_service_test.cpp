// Jobs: what runs already, what is forced, what is only tried, what cannot be read.
#include "service/continuity/plan_service.h"

#include <future>

#include "service/continuity/service_fixture.h"

namespace holdfast::service::continuity {
namespace {

// Stops whoever reads it until it is let go: a job is then under way for as long as a test wants.
class GateClock : public Clock {
 public:
  explicit GateClock(Timestamp at) : at_(at) {}
  Timestamp now() const override {
    if (!reached_.exchange(true)) {
      entered.set_value();
      release.get_future().wait();
    }
    return at_;
  }
  mutable std::promise<void> entered;
  mutable std::promise<void> release;

 private:
  const Timestamp at_;
  mutable std::atomic<bool> reached_ = false;
};

class PlanServiceTest : public ServiceTest {
 protected:
  std::string archive(const std::string& id) {
    EXPECT_TRUE(upsert(id, "2026-02-01T00:00:00Z"));
    const auto done = call(
        capsules_, &CapsuleService::archive,
        Value::object({{"subject_kind", "thread"}, {"subject_id", id}, {"reason", "done with"}}));
    EXPECT_TRUE(done);
    return text_of(*done, "archived_path");
  }
  static Value job(const std::string& name, const std::string& path, bool force = false,
                   bool dry = false) {
    return Value::object({{"job_id", name},
                          {"force", force},
                          {"dry_run", dry},
                          {"arguments", Value::object({{"source_archive_path", path}})}});
  }
  Result<Value> cold_store(PlanService& plans, const std::string& path, bool force = false) {
    return call(plans, &PlanService::run_job, job("continuity_cold_store", path, force));
  }
  std::string position() { return *position_text(**store_->begin_read(kNoDeadline)); }
};

TEST_F(PlanServiceTest, AJobRunsOnceAtATimeUnlessForced) {
  const std::string path = archive("a");
  GateClock gate(clock_.now());
  PlanService plans(*store_, gatekeeper_, shelf_, gate, trail_, settings_);
  auto first = std::async(std::launch::async, [&] { return cold_store(plans, path); });
  gate.entered.get_future().wait();

  const auto second = cold_store(plans, path);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_EQ(second.error().message, "Ops job already running: continuity_cold_store");
  // Another job is not held up by it: this one is refused for what it asks for.
  const auto other = call(plans, &PlanService::run_job, job("continuity_cold_rehydrate", "x"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  // A forced one waits for its turn at the store, where the first has done the work by then.
  auto forced = std::async(std::launch::async, [&] { return cold_store(plans, path, true); });
  gate.release.set_value();
  ASSERT_TRUE(first.get());
  const auto late = forced.get();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().message, "Continuity archive envelope not found");
  // Nothing is left running.
  EXPECT_EQ(cold_store(plans, path).error().code, ErrorCode::kNotFound);
}

TEST_F(PlanServiceTest, ARefusedJobIsNotLeftRunning) {
  for (int n = 0; n < 2; ++n) {
    const auto refused = cold_store(plans_, "memory/continuity/archive/none.json");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  }
}

TEST_F(PlanServiceTest, DryRunsAnswerAsIfAndChangeNothing) {
  const std::string path = archive("a");
  const std::string before = position();
  const auto tried =
      call(plans_, &PlanService::run_job, job("continuity_cold_store", path, false, true));
  ASSERT_TRUE(tried) << tried.error().message;
  EXPECT_EQ(text_of(*tried->find("job_result"), "artifact_state"), "cold");
  EXPECT_EQ(text_of(*tried->find("job_result"), "latest_commit"), before);
  EXPECT_EQ(position(), before);
  ASSERT_TRUE(cold_store(plans_, path));
  const auto back =
      call(plans_, &PlanService::run_job, job("continuity_cold_rehydrate", path, false, true));
  ASSERT_TRUE(back) << back.error().message;
  // It is still cold: storing it again finds no envelope.
  EXPECT_FALSE(cold_store(plans_, path));
}

TEST_F(PlanServiceTest, RetentionTriesEveryPathAndKeepsGoing) {
  const std::string stale = archive("stale");
  clock_.advance(std::chrono::days(100));
  const std::string recent = archive("recent");
  const auto apply = [&](bool dry) {
    return call(
        plans_, &PlanService::run_job,
        Value::object({{"job_id", "continuity_retention_apply"},
                       {"force", false},
                       {"dry_run", dry},
                       {"arguments",
                        Value::object({{"source_archive_paths",
                                        Value::array({stale, recent, stale, "elsewhere",
                                                      "memory/continuity/archive/x.json"})}})}}));
  };
  const auto statuses = [](const Value& answer) {
    std::vector<std::string> out;
    for (const Value& row : list_of(*answer.find("job_result"), "results"))
      out.push_back(text_of(row, "status"));
    return out;
  };
  using Statuses = std::vector<std::string>;
  const auto tried = apply(true);
  ASSERT_TRUE(tried) << tried.error().message;
  EXPECT_EQ(statuses(*tried), (Statuses{"cold_stored", "skipped_not_stale",
                                        "failed_invalid_archive", "skipped_missing"}));
  const auto done = apply(false);
  EXPECT_EQ(statuses(*done), statuses(*tried));
  const Value& result = *done->find("job_result");
  EXPECT_FALSE(flag_of(result, "ok"));
  EXPECT_EQ(integer_of(result, "requested", 0), 5);
  EXPECT_EQ(integer_of(result, "unique_requested", 0), 4);
  EXPECT_EQ(integer_of(result, "cold_stored", 0), 1);
  EXPECT_EQ(integer_of(result, "failed", 0), 1);
  EXPECT_EQ(to_json(*result.find("warnings")),
            R"(["duplicate_source_archive_path:)" + stale + R"("])");
  EXPECT_EQ(statuses(*apply(false)).front(), "skipped_already_cold");
}

TEST_F(PlanServiceTest, PlansNameArchivesThatCannotBeRead) {
  const std::string path = archive("a");
  archive("b");
  const std::string stem = path.substr(path.rfind('/') + 1, path.size() - path.rfind('/') - 6);
  ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
    HOLDFAST_TRY(const Object object, txn.get(access_, {.kind = archive_noun().kind, .id = stem}));
    HOLDFAST_TRY(const StoredCapsule stored, storage::value_of(archive_noun(), object));
    auto put = storage::put_of(archive_noun(), stem, stored, Label{});
    put.body = "[]";
    HOLDFAST_CHECK_OK(txn.put(access_, put));
    return {};
  }));
  clock_.advance(std::chrono::days(100));
  const auto plan = call(plans_, &PlanService::retention, "{}");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(integer_of(*plan, "count", 0), 1);
  EXPECT_EQ(integer_of(*plan, "total_candidates", 0), 1);
  EXPECT_FALSE(flag_of(*plan, "has_more"));
  EXPECT_EQ(to_json(*plan->find("warnings")),
            R"(["continuity_retention_skipped_invalid_archive:)" + path + R"("])");
  const auto applied =
      call(plans_, &PlanService::run_job,
           Value::object(
               {{"job_id", "continuity_retention_apply"},
                {"force", false},
                {"arguments", Value::object({{"source_archive_paths", Value::array({path})}})}}));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(text_of(list_of(*applied->find("job_result"), "results").front(), "status"),
            "failed_invalid_archive");
}

TEST_F(PlanServiceTest, OperatorsAreNoUse) {
  ASSERT_TRUE(upsert("a", "2026-02-01T00:00:00Z"));
  const auto reasons = [&] {
    const auto plan = call(plans_, &PlanService::refresh, R"({"include_healthy":true})");
    return to_json(*list_of(*plan, "candidates").front().find("reason_codes"));
  };
  const Value args =
      Value::object({{"subject_kind", "thread"}, {"subject_id", "a"}, {"allow_fallback", true}});
  ASSERT_TRUE(reads_.read({.call = call_, .args = args, .raw = args, .looking = true}));
  EXPECT_EQ(reasons().find("recently_used"), std::string::npos);
  ASSERT_TRUE(reads_.read({.call = call_, .args = args, .raw = args}));
  EXPECT_NE(reasons().find("recently_used"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::service::continuity
