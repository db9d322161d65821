// The rules that a driver block's definition has for answers: lines below `Validators:`.
//
//   - Must-not: "I sent/added"        none of these may occur (outside quotations)
//   - Must-have: "Next step"          each must occur
//   - Must-have-any: "a", "b"         one of them must occur
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::chat {

enum class LintRule { kMustNot, kMustHave, kMustHaveAny };

struct Phrase {
  std::string text = {};    // as written
  std::string folded = {};  // as compared
};

struct Validator {
  LintRule rule = LintRule::kMustNot;
  std::vector<Phrase> phrases = {};
};

// Shared by the copies of a block: parsing costs more than checking.
using Validators = std::shared_ptr<const std::vector<Validator>>;

Validators parse_validators(std::string_view definition);

// Folded, straight quotes, one blank between words.
std::string comparable(std::string_view text);

}  // namespace holdfast::service::chat
