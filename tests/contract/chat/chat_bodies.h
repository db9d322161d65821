// What the tests of the chat surface send.
#pragma once

#include <map>
#include <string>

namespace holdfast::testing {

using Headers = std::map<std::string, std::string>;

inline std::string chat_body(const std::string& request_id, const std::string& text,
                             const std::string& more = "") {
  return R"({"request_id":")" + request_id +
         R"(","user_id":"ana","thread_id":"t1","user_message_id":"m1","packet":{"packet_id":"p",)"
         R"("packet_type":"chat","message_ids":[],"pinned_context_ref":{"id":"c","version":"1",)"
         R"("hash":"h"},"retrieval_config":{"domain_scope":"all","max_items":5,)"
         R"("per_item_max_summary_tokens":100}},"context":{"capsule_summary":"","history":[]},)"
         R"("input_text":")" +
         text + R"(","budgets":{"max_input_tokens":1000,"max_output_tokens":500,)" +
         R"("max_regenerations":1})" + more + "}";
}

inline std::string memory_body(const std::string& request_id, const std::string& content,
                               const std::string& more = "") {
  return R"({"request_id":")" + request_id + R"(","memory":{"domain":"d","content":")" + content +
         "\"" + more + R"(},"consent":{"explicit_user_consent":true}})";
}

}  // namespace holdfast::testing
