// Short ways to talk to the continuity API in tests.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "support/json.h"
#include "support/process.h"

namespace holdfast::testing {

struct CapsuleText {
  std::string kind = "thread";
  std::string id = "parser";
  std::string at = "2026-01-01T00:00:00Z";
  std::string loop = "unicode names";
  std::string extra = {};       // further members of the capsule, each with a comma before it
  std::string envelope = {};    // further members of the request, likewise
  std::string continuity = {};  // further members of the state, likewise
};

inline std::string upsert_text(const CapsuleText& text) {
  return R"({"subject_kind":")" + text.kind + R"(","subject_id":")" + text.id +
         R"(","capsule":{"subject_kind":")" + text.kind + R"(","subject_id":")" + text.id +
         R"(","updated_at":")" + text.at + R"(","verified_at":")" + text.at +
         R"(","source":{"producer":"tester","update_reason":"manual"},)"
         R"("confidence":{"continuity":1,"relationship_model":0.5},"continuity":{)"
         R"("top_priorities":["green"],"active_concerns":[],"active_constraints":["none new"],)"
         R"("open_loops":[")" +
         text.loop +
         R"("],"stance_summary":"Go on until everything is green again.","drift_signals":[])" +
         text.continuity + "}" + text.extra + "}" + text.envelope + "}";
}

inline std::string subject_text(const std::string& kind, const std::string& id,
                                const std::string& more = {}) {
  return R"({"subject_kind":")" + kind + R"(","subject_id":")" + id + "\"" + more + "}";
}

class Relay {
 public:
  explicit Relay(int port, const std::string& token = {}) : client_(port) {
    if (!token.empty()) headers_["Authorization"] = "Bearer " + token;
  }
  HttpAnswer post(const std::string& target, const std::string& json) {
    return client_.request("POST", target, json, headers_);
  }
  HttpAnswer get(const std::string& target) { return client_.request("GET", target, "", headers_); }
  HttpAnswer upsert(const CapsuleText& text) {
    return post("/v1/continuity/upsert", upsert_text(text));
  }

 private:
  HttpClient client_;
  std::map<std::string, std::string> headers_ = {};
};

}  // namespace holdfast::testing
