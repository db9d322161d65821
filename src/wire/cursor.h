// Opaque, signed page cursors. The text is base64 of the payload's JSON object with a member `mac`
// added, so a contract that fixes visible members (like `id`) can have them, and nothing in it can
// be altered. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::wire {

namespace reason {
inline constexpr std::string_view kCursorInvalid = "cursor_invalid";
}  // namespace reason

enum class CursorAlphabet { kUrlSafe, kStandard };  // unpadded, padded

class CursorCodec {
 public:
  // `secret` must not be known to clients; `purpose` keeps a cursor of one list from working on
  // another.
  explicit CursorCodec(std::string secret, std::string purpose = {},
                       CursorAlphabet alphabet = CursorAlphabet::kUrlSafe)
      : secret_(std::move(secret)), purpose_(std::move(purpose)), alphabet_(alphabet) {}

  // `payload` is an object without a member `mac`. An issue time in it is the caller's to put and
  // to check.
  std::string encode(const Value& payload) const;
  // Reads both alphabets, padded or not. Errors: kInvalidArgument with reason cursor_invalid for
  // everything that encode() did not make with the same secret and purpose.
  Result<Value> decode(std::string_view text) const;

 private:
  std::string mac_of(const Value& payload) const;

  const std::string secret_;
  const std::string purpose_;
  const CursorAlphabet alphabet_;
};

}  // namespace holdfast::wire
