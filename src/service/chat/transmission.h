// The record of one piece of work that a client may come back for: a chat answered later, a
// distillation. It never holds a text of the conversation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/noun.h"
#include "model/value.h"
#include "search/index.h"
#include "storage/store.h"

namespace holdfast::service::chat {

struct Attempt {
  std::string id = {};
  std::string provider = {};
  bool succeeded = true;
  Timestamp created_at = {};
  std::optional<int64_t> output_chars = {};
  std::optional<std::string> error = {};
};

struct CharUsage {
  int64_t input_chars = 0;
  int64_t output_chars = 0;
  Timestamp created_at = {};
};

// A run of a chat that was counted.
struct ChatCall {
  std::string user = {};
  std::string day = {};  // it ended on
  std::string request_id = {};
  std::string thread_id = {};
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
  int64_t latency_ms = 0;
  int64_t cost_micros = 0;  // millionths of a dollar
};

enum class TransmissionStatus { kProcessing, kCompleted, kFailed };

struct Transmission {
  std::string user = {};
  std::string packet_type = "chat";  // chat, memory_distill
  bool canonical = true;
  std::string thread_id = {};
  std::string request_id = {};  // of a chat; empty: it had none
  TransmissionStatus status = TransmissionStatus::kProcessing;
  Timestamp created_at = {};
  std::optional<int64_t> status_code = {};
  std::optional<bool> retryable = {};
  std::optional<std::string> error_code = {};
  std::vector<Attempt> attempts = {};
  std::vector<CharUsage> usage = {};
  std::string trace_run_id = {};  // empty: none
  std::string trace_level = "info";
  int64_t event_count = 0;
  Value phase_counts = {};
  // The run that made this record: a chat then writes one object and not two. Later ones are
  // objects of their own (usage.h).
  std::optional<ChatCall> call = {};
  // Of a distillation.
  std::string trigger_message_id = {};
  std::optional<std::string> memory_id = {};
  std::optional<std::string> mood_anchor = {};
  std::string rigor = "normal";
  int64_t reaffirmed = 0;
};

const Noun<Transmission>& transmission_noun();
const Noun<ChatCall>& call_noun();
ObjectKey transmission_key(const std::string& id);

namespace facet {
inline constexpr std::string_view kPending = "chat_pending";  // the packet type, while it is
inline constexpr std::string_view kDay = "chat_day";          // day_value of a run
}  // namespace facet
std::string day_value(const std::string& user, const std::string& day);

inline constexpr std::string_view kCancelledByClear = "cancelled_by_clear";
inline constexpr std::string_view kContextMissing = "context_missing";
inline constexpr std::string_view kDistillFailed = "distill_failed";

// Ends every distillation of the user that is under way: what it would have stored is not wanted
// any more.
Status cancel_distillations(storage::WriteTxn& txn, const access::SpaceAccess& access,
                            const search::Index& index);

}  // namespace holdfast::service::chat

namespace holdfast {

template <>
struct EnumNames<service::chat::TransmissionStatus> {
  using Status = service::chat::TransmissionStatus;
  static constexpr std::array<std::pair<Status, std::string_view>, 3> kNames = {
      {{Status::kProcessing, "processing"},
       {Status::kCompleted, "completed"},
       {Status::kFailed, "failed"}}};
};

}  // namespace holdfast
