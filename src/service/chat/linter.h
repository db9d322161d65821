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

// What violations ask of another answer.
struct Demands {
  std::vector<std::string> avoided = {};   // comparable
  std::vector<std::string> required = {};  // verbatim

  // Whether it may be said; quoted, it may in any case.
  bool allow(std::string_view sentence) const;
};
Demands demands_of(const std::vector<Violation>& violations);

}  // namespace holdfast::service::chat
