// What is known after kills at any moment is what is known without: whole memories, compared by
// their export.
#include <csignal>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "recall_client.h"

namespace holdfast::testing {
namespace {

constexpr int kItems = 60;

// Decisions that replace one another, facts with new values, work that goes on, questions that come
// back.
Value item(int n) {
  const std::string number = std::to_string(n);
  const std::string crew = std::to_string(n % 3);
  Value more = Value::object({{"thread_ref", "t" + std::to_string(n % 5)},
                              {"occurred_at", "2026-05-01T10:" + std::to_string(10 + n % 50) + ":" +
                                                  (n >= 50 ? "30Z" : "00Z")}});
  const auto as = [&](const char* kind, const char* role) {
    more.set("artifact_kind", kind);
    more.set("role", role);
  };
  switch (n % 6) {
    case 0:
      return recall_item(number, "We decided to paint depot " + crew + " in grey tones.", more);
    case 1:
      as("message", "user");
      return recall_item(number, "Which colour does depot " + crew + " get this summer?", more);
    case 2:
      return recall_item(number, "We decided to use crane " + number + " for depot " + crew + ".",
                         more);
    case 3:
      as("tool_use_summary", "assistant");
      return recall_item(number, "Progress: sanded wall " + number + " of depot " + crew + ".",
                         more);
    case 4:
      as("message", "user");
      return recall_item(number, "Our foreman is worker " + number + ".", more);
    default:
      as("todo_snapshot", "assistant");
      return recall_item(number, "Next step: order paint for wall " + number + ".", more);
  }
}

Value without(const Value& object, const std::set<std::string>& names) {
  if (const auto* elements = object.if_array()) {
    Value out = Value::array();
    for (const Value& element : *elements) out.push(without(element, names));
    return out;
  }
  const auto* members = object.if_object();
  if (members == nullptr) return object;
  Value out = Value::object();
  for (const auto& member : *members) {
    if (!names.contains(member.name)) out.set(member.name, without(member.value, names));
  }
  return out;
}

// Every memory as it stands at the end, apart from when it was written. Of threads only what is
// active, whatever its name: how many drafts a summary went through depends on the moment.
std::multiset<std::string> memories_in(const std::string& data) {
  std::map<std::string, Value> last;
  std::stringstream lines(run_holdfast({"export", "-", "--data", data}).out);
  for (std::string line; std::getline(lines, line);) {
    const Value entry = parsed(line);
    if (at(entry, "object.kind") == Value("recall_memory"))
      last[to_json(at(entry, "object.id"))] = at(entry, "object.body");
  }
  std::multiset<std::string> out;
  for (const auto& [id, body] : last) {
    std::set<std::string> ignored = {"created_at", "superseded_at"};
    const Value type = at(body, "type");
    if (type == Value("thread_summary") || type == Value("task_checkpoint")) {
      if (at(body, "lifecycle") != Value("active")) continue;
      ignored.insert({"id", "supersedes"});
    }
    out.insert(to_json(without(body, ignored)));
  }
  return out;
}

TEST(RecallCrashTest, KillsChangeNothing) {
  TemporaryFolder folder;
  {
    ServerProcess server{folder / "calm", {"--rate-limits", "off"}};
    RecallClient client(server.port());
    for (int n = 0; n < kItems; ++n) ASSERT_EQ(client.store(item(n)).status, 200);
    client.drain();
  }
  {
    ServerProcess server{folder / "rough", {"--rate-limits", "off"}};
    for (int n = 0; n < kItems; ++n) {
      ASSERT_EQ(RecallClient(server.port()).store(item(n)).status, 200);
      if (n % 7 == 6) server.restart(SIGKILL);
    }
    server.restart(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    server.restart(SIGKILL);
    RecallClient(server.port()).drain();
  }
  const auto calm = memories_in(folder / "calm");
  ASSERT_GT(calm.size(), 20U);
  EXPECT_EQ(memories_in(folder / "rough"), calm);
}

}  // namespace
}  // namespace holdfast::testing
