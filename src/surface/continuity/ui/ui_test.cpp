// What needs no socket: escaping, the pulse, the stream, and who may look.
#include "surface/continuity/ui/ui.h"

#include <future>

#include <gtest/gtest.h>

#include "http/pipeline.h"
#include "service/continuity/service_fixture.h"
#include "storage/sqlite/sqlite_store.h"
#include "surface/continuity/capsule_operations.h"
#include "surface/continuity/dialect.h"
#include "surface/continuity/ui/pulse.h"
#include "surface/continuity/ui/snapshot_events.h"

namespace holdfast::service::continuity {

std::unique_ptr<storage::Store> open_test_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/store.db", .clock = clock}));
}

}  // namespace holdfast::service::continuity

namespace holdfast::surface::continuity::ui {
namespace {

using http::EventSource;

TEST(HtmlTest, TextsAndAttributesAreEscaped) {
  const Html page = element("p", "<b>&\"'\x01", {{"title", "\"><i>'"}});
  EXPECT_EQ(page.source(),
            "<p title=\"&quot;&gt;&lt;i&gt;&#39;\">&lt;b&gt;&amp;&quot;&#39;\xEF\xBF\xBD</p>");
  EXPECT_EQ(element("p", Html("<") + element("i", ">")).source(), "<p>&lt;<i>&gt;</i></p>");
  EXPECT_EQ(address({"a/b", "\"?#"}), "/ui/a%2Fb/%22%3F%23");
}

TEST(HtmlTest, ValuesOfEveryKindAreEscaped) {
  const Value value =
      Value::object({{"<k>", Value::array({"<t>", Value::object({{"<n>", 1.5}}), true, Value()})}});
  const std::string source = shown(value).source();
  for (const char* raw : {"<k>", "<t>", "<n>"})
    EXPECT_EQ(source.find(raw), std::string::npos) << source;
  for (const char* escaped : {"&lt;k&gt;", "&lt;t&gt;", "&lt;n&gt;", "1.5", "true", "—"})
    EXPECT_NE(source.find(escaped), std::string::npos) << escaped << source;
}

TEST(PulseTest, BeatsForThoseWhoListenAndForNobodyElse) {
  Pulse pulse(std::chrono::milliseconds(1));
  std::promise<void> twice;
  int beats = 0;
  const int64_t subscription = pulse.subscribe([&] {
    if (++beats == 2) twice.set_value();
  });
  twice.get_future().wait();
  pulse.unsubscribe(subscription);
  const int before = beats;
  std::promise<void> other;
  std::atomic<bool> done = false;
  pulse.subscribe([&] {
    if (!done.exchange(true)) other.set_value();
  });
  other.get_future().wait();
  EXPECT_EQ(beats, before);
}

TEST(SnapshotEventsTest, OneAtOnceThenOneABeat) {
  Pulse pulse(std::chrono::milliseconds(1));
  int made = 0;
  SnapshotEvents events([&]() -> Result<Value> { return Value::object({{"n", ++made}}); }, pulse);
  std::vector<http::Event> out;
  EXPECT_EQ(events.pull(out), EventSource::Pull::kWait);
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].event, "ui-snapshot");
  EXPECT_EQ(out[0].data, R"({"n":1})");
  EXPECT_EQ(out[0].retry, 5000);
  // A pull without a beat says nothing.
  EXPECT_EQ(events.pull(out), EventSource::Pull::kWait);
  EXPECT_EQ(out.size(), 1U);
  std::promise<void> woken;
  std::atomic<bool> once = false;
  events.set_wake([&] {
    if (!once.exchange(true)) woken.set_value();
  });
  woken.get_future().wait();
  EXPECT_EQ(events.pull(out), EventSource::Pull::kWait);
  EXPECT_EQ(out.size(), 2U);
  events.stop();
  EXPECT_EQ(events.pull(out), EventSource::Pull::kEnd);
  events.closed();
}

TEST(SnapshotEventsTest, AFailureEndsTheStream) {
  Pulse pulse(std::chrono::hours(1));
  SnapshotEvents events([]() -> Result<Value> { return unavailable("gone"); }, pulse);
  std::vector<http::Event> out;
  EXPECT_EQ(events.pull(out), EventSource::Pull::kEnd);
  EXPECT_TRUE(out.empty());
}

class UiTest : public service::continuity::ServiceTest {
 protected:
  void mount_ui(bool require_localhost) {
    const Services services{.capsules = capsules_,
                            .reads = reads_,
                            .schedule = schedule_,
                            .tasks = tasks_,
                            .retrieval = retrieval_,
                            .plans = plans_};
    for (auto& one : capsule_operations(services)) operations_.push_back(std::move(one));
    for (auto& one : work_operations(services)) operations_.push_back(std::move(one));
    ui_ = mount(router_, {.owner = *owner_,
                          .operations = operations_,
                          .reads = reads_,
                          .tasks = tasks_,
                          .posture = {.require_localhost = require_localhost}});
    pipeline_ = std::make_unique<http::Pipeline>(
        http::PipelineSettings{.router = router_,
                               .authenticator = *tokens_,
                               .clock = clock_,
                               .metrics = metrics_,
                               .access_log = http::AccessLog::kOff});
  }
  http::Reply get(const std::string& target, const std::string& from) {
    http::Request request = http::make_request("GET", target, "", {{"Host", "localhost"}});
    request.local_process = false;
    request.peer_address = from;
    return pipeline_->handle(std::move(request));
  }

  struct NoGrants : access::GrantSource {
    Result<std::optional<access::Grant>> find_grant(std::string_view) const override {
      return std::optional<access::Grant>();
    }
  };
  const NoGrants grants_;
  const std::unique_ptr<access::Authenticator> owner_ = access::make_open_authenticator();
  const std::unique_ptr<access::Authenticator> tokens_ =
      access::make_token_authenticator(grants_, clock_);
  std::deque<Operation> operations_;
  const ContinuityDialect dialect_;
  const http::SurfaceMount elsewhere_{.name = "test", .dialect = &dialect_};
  http::Router router_{elsewhere_};
  http::Metrics metrics_;
  std::unique_ptr<Ui> ui_;
  std::unique_ptr<http::Pipeline> pipeline_;
};

TEST_F(UiTest, OnlyThisMachineMayLook) {
  mount_ui(true);
  for (const char* here : {"127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "unix"})
    EXPECT_EQ(get("/ui/tasks", here).status, 200) << here;
  for (const char* path :
       {"/ui", "/ui/", "/ui/continuity", "/ui/continuity/user/a", "/ui/tasks", "/ui/tasks/a",
        "/ui/schedule", "/ui/context", "/ui/graph", "/ui/graph/task/a", "/ui/docs",
        "/ui/docs/trust", "/ui/events", "/ui/style.css", "/ui/live.js"}) {
    for (const char* there : {"203.0.113.5", "10.0.0.1", "2001:db8::1", "::ffff:10.0.0.1"}) {
      const http::Reply reply = get(path, there);
      EXPECT_EQ(reply.status, 403) << path << there;
      EXPECT_EQ(reply.body, R"({"detail":"Operator UI is local-only"})") << path;
      EXPECT_EQ(reply.events, nullptr) << path;
    }
  }
}

TEST_F(UiTest, TheRuleCanBeSwitchedOff) {
  mount_ui(false);
  EXPECT_EQ(get("/ui/tasks", "203.0.113.5").status, 200);
}

TEST_F(UiTest, WhatCannotBeReadIsAPageToo) {
  mount_ui(true);
  ASSERT_TRUE(upsert("t", "2026-02-01T00:00:00Z"));
  ASSERT_TRUE(call(tasks_, &service::continuity::TaskService::create,
                   R"({"title":"x","status":"open","owner_peer":"local","task_id":"k"})"));
  replace_body(service::continuity::task_noun(), "k", "{}");
  EXPECT_EQ(get("/ui/tasks", "::1").status, 200);
  const http::Reply broken = get("/ui/tasks/k", "::1");
  EXPECT_EQ(broken.status, 400);
  EXPECT_NE(broken.body.find("stored task is invalid: k"), std::string::npos);
  EXPECT_NE(broken.headers.get("Content-Type").find("text/html"), std::string::npos);
}

}  // namespace
}  // namespace holdfast::surface::continuity::ui
