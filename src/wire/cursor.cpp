#include "wire/cursor.h"

#include "base/assert.h"
#include "base/digest.h"
#include "model/json_text.h"

namespace holdfast::wire {
namespace {

constexpr std::string_view kMacMember = "mac";
constexpr size_t kMaxCursorLength = 8192;

Error invalid_cursor() {
  Error error = invalid_argument("This cursor was not made by this list; start again without one.");
  error.reason = reason::kCursorInvalid;
  return error;
}

std::string without_padding(std::string_view text) {
  return std::string(text.substr(0, text.find('=')));
}

// Base64 has several texts for some byte strings (unused bits at the end); only the one that
// encode() makes is ours.
bool is_canonical(std::string_view text, std::string_view bytes) {
  const std::string body = without_padding(text);
  return body == base64url_encode(bytes) || body == without_padding(base64_encode(bytes));
}

}  // namespace

std::string CursorCodec::mac_of(const Value& payload) const {
  const std::string signed_text = purpose_ + '\n' + to_canonical_json(payload);
  return base64url_encode(hmac_sha256(secret_, signed_text).substr(0, 16));
}

std::string CursorCodec::encode(const Value& payload) const {
  HOLDFAST_ASSERT(payload.is_object() && payload.find(kMacMember) == nullptr);
  Value complete = payload;
  complete.set(kMacMember, mac_of(payload));
  const std::string text = to_json(complete);
  return alphabet_ == CursorAlphabet::kUrlSafe ? base64url_encode(text) : base64_encode(text);
}

Result<Value> CursorCodec::decode(std::string_view text) const {
  if (text.size() > kMaxCursorLength) return invalid_cursor();
  const auto bytes = base64_decode(text);
  if (!bytes || !is_canonical(text, *bytes)) return invalid_cursor();
  auto value = parse_json(*bytes);
  if (!value || !value->is_object() || to_json(*value) != *bytes) return invalid_cursor();
  auto& members = *value->if_object();
  if (members.empty() || members.back().name != kMacMember || !members.back().value.is_string()) {
    return invalid_cursor();
  }
  const std::string mac = *members.back().value.if_string();
  members.pop_back();
  if (!constant_time_equal(mac, mac_of(*value))) return invalid_cursor();
  return std::move(*value);
}

}  // namespace holdfast::wire
