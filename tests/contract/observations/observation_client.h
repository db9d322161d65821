// A server with a small registry, and short ways to talk to its observations.
#pragma once

#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {

inline constexpr const char* kRegistry = R"({
  "principals": [
    {"id": "principal_boss", "handle": "boss", "kind": "human", "trust_tier": 4, "sensitivity_clearance": "sensitive"},
    {"id": "principal_ann", "handle": "ann", "kind": "human", "trust_tier": 3},
    {"id": "principal_bot", "handle": "bot", "kind": "agent", "trust_tier": 1, "owner_id": "principal_ann"},
    {"id": "principal_eve", "handle": "eve", "kind": "human", "trust_tier": 3}],
  "tokens": [
    {"token": "token-boss-000000", "principal_id": "principal_boss", "scopes": ["admin"], "sensitivity_clearance": "sensitive"},
    {"token": "token-ann-0000000", "principal_id": "principal_ann", "scopes": ["read", "write:observations", "write:threads", "write"]},
    {"token": "token-bot-0000000", "principal_id": "principal_bot", "scopes": ["read", "write:observations"]},
    {"token": "token-eve-0000000", "principal_id": "principal_eve", "scopes": ["read", "write:observations"]}],
  "workspaces": [
    {"id": "workspace_open", "slug": "open", "name": "Open", "visibility": "internal", "owner_id": "principal_boss",
     "members": [{"principal_id": "principal_ann"}, {"principal_id": "principal_bot"}, {"principal_id": "principal_eve"}]},
    {"id": "workspace_shut", "slug": "shut", "name": "Shut", "visibility": "private", "owner_id": "principal_boss",
     "members": [{"principal_id": "principal_ann"}]}],
  "subcortexes": [
    {"id": "subcortex_lab", "slug": "lab", "workspace_id": "workspace_open", "name": "Lab", "status": "active"}],
  "threads": [
    {"id": "thread_a", "subcortex_id": "subcortex_lab", "title": "A thread", "created_by_id": "principal_ann"},
    {"id": "thread_old", "subcortex_id": "subcortex_lab", "title": "A closed thread", "status": "archived"}]
})";

// A cursor as it may stand in an address.
inline std::string in_address(const std::string& cursor) {
  std::string out;
  for (const char c : cursor)
    out += c == '+' ? "%2B" : c == '/' ? "%2F" : c == '=' ? "%3D" : std::string(1, c);
  return out;
}

class ObservationServer {
 public:
  explicit ObservationServer(const std::vector<std::string>& more = {},
                             const std::string& registry = kRegistry)
      : server_(folder_ / "data", with(more, registry)) {}

  ServerProcess& server() { return server_; }
  // What the next start reads.
  void change_registry(const std::string& registry) {
    std::ofstream(folder_ / "bootstrap.json") << registry;
  }

  HttpAnswer send(const std::string& who, const std::string& method, const std::string& target,
                  const std::string& body = "", const std::string& key = "") {
    std::map<std::string, std::string> headers = {
        {"Authorization", "Bearer token-" + who + "-" + std::string(9 - who.size() + 1, '0')}};
    if (!body.empty()) headers["Content-Type"] = "application/json";
    if (method != "GET") headers["Idempotency-Key"] = key.empty() ? fresh() : key;
    return HttpClient(server_.port()).request(method, target, body, headers);
  }
  HttpAnswer get(const std::string& who, const std::string& target) {
    return send(who, "GET", target);
  }
  HttpAnswer create(const std::string& who, const Value& changes = {}) {
    return send(who, "POST", "/observations", to_json(body(changes)));
  }
  std::string made(const std::string& who, const Value& changes = {}) {
    const HttpAnswer answer = create(who, changes);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return text_at(answer, "data.id");
  }

  // The items of all pages; `target` has a query. Each page must be the last or have a cursor.
  std::vector<Value> listed(const std::string& who, const std::string& target,
                            const std::function<void(const HttpAnswer&)>& look_at = {}) {
    std::vector<Value> items;
    std::string cursor;
    do {
      const HttpAnswer page = get(who, target + cursor);
      EXPECT_EQ(page.status, 200) << page.body;
      if (page.status != 200) break;
      if (look_at) look_at(page);
      const Value data = at(page, "data");
      for (const Value& item : *data.if_array()) items.push_back(item);
      const Value next = at(page, "pagination.cursor");
      EXPECT_EQ(at(page, "pagination.has_more"), Value(next.is_string()));
      cursor = next.is_string() ? "&cursor=" + in_address(*next.if_string()) : "";
    } while (!cursor.empty());
    return items;
  }

  static Value body(const Value& changes = {}) {
    Value value = Value::object({{"workspace_id", "workspace_open"},
                                 {"type", "test_result"},
                                 {"title", "Unit tests pass"},
                                 {"summary_md", "All 45 tests passed."}});
    if (changes.is_object()) {
      for (const auto& [name, change] : *changes.if_object()) value.set(name, change);
    }
    return value;
  }
  static std::string fresh() {
    static int count = 0;
    return "test:key:" + std::to_string(++count);
  }

 private:
  std::vector<std::string> with(const std::vector<std::string>& more, const std::string& registry) {
    change_registry(registry);
    std::vector<std::string> arguments = {
        "--auth", "tokens", "--bootstrap", folder_ / "bootstrap.json", "--rate-limits", "off"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  TemporaryFolder folder_;
  ServerProcess server_;
};

}  // namespace holdfast::testing
