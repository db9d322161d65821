// What happened in a run, stage by stage, without a word of its content.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/value.h"
#include "service/chat/chat_types.h"

namespace holdfast::service::chat {

// The stages of a run, in order.
enum class Stage {
  kNormalize,
  kModality,
  kIntent,
  kRisk,
  kPolicy,
  kBreakpoint,
  kRetrieval,
  kCompose,
  kModelCall,
  kOutput,
};

struct TraceEvent {
  std::string id = {};
  Timestamp at = {};
  std::string actor = "solserver";
  Stage stage = Stage::kNormalize;
  std::string status = "completed";  // started, completed, blocked, failed, warning
  std::string summary = {};          // short, content-free
  Value detail = {};  // members of the canonical event: gate_result, driver_blocks, model_usage...
};

class Trace {
 public:
  Trace(const Clock& clock, const ChatRun& run);

  // The last member is a pair of a member name of the canonical event and its object, if any.
  void add(Stage stage, std::string status, std::string summary = {}, Value detail = {});
  void add_model(Stage stage, std::string status, std::string summary, Value detail);

  const std::string& run_id() const { return run_id_; }
  size_t count() const { return events_.size(); }
  // At most the 50 newest, in order.
  Value events(const ChatRun& run, const std::string& transmission_id) const;
  // How many events each phase has, by its flat name.
  Value phase_counts() const;

 private:
  const Clock& clock_;
  std::string run_id_;
  std::vector<TraceEvent> events_;
};

}  // namespace holdfast::service::chat
