// Arguments of a tool that a modern client repeats in headers, so that what stands between client
// and server can route by them: schema properties with "x-mcp-header": "<N>" ↔ Mcp-Param-<N>.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/rpc.h"
#include "model/value.h"
#include "wire/headers.h"

namespace holdfast::mcp {

struct MirroredParameter {
  std::string header;             // without the prefix
  std::vector<std::string> path;  // member names from the arguments down
};

// Those of an input schema. kInvalidArgument: a name that is no HTTP token, one used twice, a
// property of another type than string, integer or boolean, or one not reached through `properties`
// alone.
Result<std::vector<MirroredParameter>> mirrored_parameters(const Value& input_schema);

// The value of Mcp-Name or Mcp-Param-*: literal, or Base64 of UTF-8 between `=?base64?` and `?=`.
// Nothing if it claims the latter and is not.
std::optional<std::string> decode_mirrored(std::string_view header_value);

// Exactly one header field of that name, trimmed; nothing if there is none or they differ.
std::optional<std::string> single_header(const wire::Headers& headers, std::string_view name);

// Whether the Mcp-Param headers say what the arguments say: -32020 names the first that does not.
std::optional<RpcError> check_mirrored(const std::vector<MirroredParameter>& parameters,
                                       const Value& arguments, const wire::Headers& headers);

RpcError header_mismatch(std::string message);

}  // namespace holdfast::mcp
