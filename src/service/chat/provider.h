// Who writes the answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "service/chat/chat_types.h"
#include "service/chat/gates.h"
#include "service/chat/linter.h"

namespace holdfast::service::chat {

// Everything one attempt may look at.
struct ProviderInput {
  const ChatRun& run;
  const Material& material;
  const std::vector<DriverBlock>& blocks;
  const Mode& mode;
  const Sentinel& sentinel;
  int64_t max_output_tokens = 0;
  // Of the attempt before: what it wrote and what it broke. Empty at the first.
  std::string previous = {};
  std::vector<Violation> violations = {};
};

struct ProviderAnswer {
  std::string text = {};
  std::vector<std::string> flags = {};
  std::string model = {};
  std::optional<int64_t> prompt_tokens = {};  // as the provider counted
  std::optional<int64_t> completion_tokens = {};
};

namespace reason {
// The answer is not what was asked for: invalid_json, schema_invalid or payload_too_large in the
// detail.
inline constexpr std::string_view kOutputContract = "output_contract_failed";
inline constexpr std::string_view kNotConfigured = "provider_not_configured";
}  // namespace reason

// Thread-safe.
class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string name() const = 0;
  // kRateLimited, kUnavailable, kDeadlineExceeded, kInvalidArgument (refused for good), kCorrupted
  // (broken answer; with reason output_contract_failed if it was readable but unusable).
  virtual Result<ProviderAnswer> answer(const ProviderInput& input, Deadline deadline) = 0;
};

}  // namespace holdfast::service::chat
