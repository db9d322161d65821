#include "app/caller.h"

#include <fmt/format.h>

#include "model/json_text.h"

namespace holdfast::app {

Result<Value> call_json(Caller& caller, const OutgoingCall& call) {
  HOLDFAST_TRY(const IncomingAnswer answer, caller.call(call));
  auto value = parse_json(answer.body);
  if (answer.status >= 200 && answer.status < 300) {
    if (!value)
      return internal_error(fmt::format("{} {} answered no JSON", call.method, call.target));
    return std::move(*value);
  }
  const Value* error = value ? value->find("error") : nullptr;
  const Value* message = error != nullptr ? error->find("message") : nullptr;
  const std::string* text = message != nullptr ? message->if_string() : nullptr;
  return Error{
      .code = answer.status == 404 ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
      .message = text != nullptr ? *text : fmt::format("The server answered {}.", answer.status)};
}

std::string encode_component(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace holdfast::app
