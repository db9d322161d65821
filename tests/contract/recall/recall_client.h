// The recall surface as a test sees it.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {

// An item of container "yard" unless `more` says otherwise; `more` wins over the rest.
inline Value recall_item(const std::string& id, const std::string& content,
                         const Value& more = {}) {
  Value item = Value::object({{"source_type", "chat"},
                              {"source_id", id},
                              {"content_type", "text/plain"},
                              {"content", content},
                              {"artifact_kind", "assistant_output"},
                              {"role", "assistant"},
                              {"container_ref", "yard"},
                              {"visibility", "container"}});
  if (const auto* members = more.if_object()) {
    for (const auto& member : *members) item.set(member.name, member.value);
  }
  return item;
}

class RecallClient {
 public:
  explicit RecallClient(int port, const std::string& token = "") : client_(port) {
    if (!token.empty()) headers_["Authorization"] = "Bearer " + token;
  }

  HttpAnswer send(const std::string& method, const std::string& target, const Value& body = {}) {
    return client_.request(method, target, body.is_null() ? "" : to_json(body), headers_);
  }
  HttpAnswer store(const Value& item) { return send("POST", "/items", Value::array({item})); }
  std::string stored_id(const Value& item) { return text_at(store(item), "0.source_item_id"); }
  HttpAnswer processing(const std::string& id) {
    return send("GET", "/items/" + id + "/processing");
  }
  // The newest memory of that type that rests on the item; empty if there is none.
  std::string memory_of(const std::string& id, const std::string& type) {
    const Value made = at(processing(id), "produced_memory_provenance");
    std::string found;
    for (const Value& one : made.if_array() != nullptr ? *made.if_array() : std::vector<Value>()) {
      if (at(one, "memory_kind") == Value(type)) found = *at(one, "memory_object_id").if_string();
    }
    return found;
  }
  HttpAnswer expand(const std::string& memory, const std::string& container = "yard") {
    return send("GET", "/memory/" + memory + "/expand?container_ref=" + container);
  }
  HttpAnswer ask(const std::string& text, const Value& more = {}, const char* path = "/query") {
    Value query =
        Value::object({{"text", text}, {"container_ref", "yard"}, {"visibility", "container"}});
    if (const auto* members = more.if_object()) {
      for (const auto& member : *members) query.set(member.name, member.value);
    }
    return send("POST", path, query);
  }

  // Until nothing is pending, processing or being rebuilt, twice in a row.
  void drain() {
    int idle = 0;
    for (int i = 0; i < 800 && idle < 3; ++i) {
      const auto health = send("GET", "/debug/queue/health");
      const bool quiet = at(health, "status_counts.pending").is_null() &&
                         at(health, "status_counts.processing").is_null() &&
                         size_at(health, "leased_thread_scopes") == 0;
      idle = quiet ? idle + 1 : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    EXPECT_EQ(idle, 3) << "the queue did not become idle";
  }

 private:
  HttpClient client_;
  std::map<std::string, std::string> headers_ = {{"Content-Type", "application/json"}};
};

}  // namespace holdfast::testing
