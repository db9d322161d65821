// What the chat surface can be told at the start (docs/api/chat.md lists the variables).
#pragma once

#include <chrono>
#include <string>

namespace holdfast::service::chat {

enum class Enforcement { kStrict, kWarn, kOff };

struct ChatSettings {
  Enforcement enforcement = Enforcement::kStrict;
  int64_t max_regenerations = 1;
  int64_t max_output_tokens = 4000;
  bool trace_debug_allowed = true;
  bool audit_always = false;
  bool inline_processing = true;  // false: flat requests are answered 202
  std::chrono::hours idempotency_lifetime{48};
  std::chrono::seconds hazy_after{0};  // 0: memories do not fade
  double price_in_per_1k = 0;
  double price_out_per_1k = 0;
  std::string default_user = {};
  std::string driver_block_file = {};  // a JSON file with more blocks
  // The provider.
  bool openai = false;
  bool fall_back_to_embedded = false;
  bool distill_openai = false;
  std::string openai_base_url = "https://api.openai.com/v1";
  std::string openai_api_key = {};
  std::string openai_model = {};
  bool openai_json_mode = true;
  std::chrono::milliseconds openai_timeout{60'000};
  int64_t openai_retries = 0;
};

}  // namespace holdfast::service::chat
