// Finds credentials in text and takes them out: key blocks, header values, assignments, URLs with
// passwords, well-known token shapes. Rules are tables; linear time; no regular expressions.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

inline constexpr std::string_view kRedacted = "[REDACTED]";

// The text with every credential replaced by kRedacted. What was redacted once stays as it is.
std::string redact_secrets(std::string_view text);

}  // namespace holdfast::text
