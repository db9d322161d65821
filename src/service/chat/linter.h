// Whether an answer keeps the rules of its driver blocks (validators.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/chat/driver_blocks.h"

namespace holdfast::service::chat {

struct Violation {
  std::string block_id = {};
  LintRule rule = LintRule::kMustNot;
  std::vector<std::string> phrases = {};  // to avoid, or to include

  // `<block id>:<rule>`; never a phrase, definitions are not echoed.
  std::string flag() const;
};

std::vector<Violation> lint(const std::vector<DriverBlock>& blocks, std::string_view answer);

// For the embedded provider: the sentences outside quotations that break a must-not are left out,
// and required phrases are added as the last line.
std::string mended(const std::vector<Violation>& violations, std::string_view answer);

}  // namespace holdfast::service::chat
