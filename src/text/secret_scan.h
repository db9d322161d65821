// Says where a text holds credentials and personal numbers, and how bad that is. Unlike
// redact_secrets (secrets.h), which takes out whatever looks suspicious, this judges: each finding
// has a rule, a severity and a place, and nothing is reported that only resembles a secret. Rules
// are tables (secret_rules.h); linear time; no regular expressions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::text {

enum class SecretSeverity : uint8_t { kMedium, kHigh, kCritical };
// medium, high, critical
std::string_view severity_name(SecretSeverity severity);

struct SecretFinding {
  std::string_view code = {};  // the rule: AWS_ACCESS_KEY, PAYMENT_CARD, ...; lives for ever
  SecretSeverity severity = SecretSeverity::kMedium;
  // In code points of the text without invisible characters (soft hyphen, zero-width characters,
  // byte order mark), which are no hiding place.
  size_t position = 0;
  size_t length = 0;
};

// By position, then in the order of the rules.
std::vector<SecretFinding> find_secrets(std::string_view text);

}  // namespace holdfast::text
