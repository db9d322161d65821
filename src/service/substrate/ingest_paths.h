// Paths that callers name.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/call_context.h"
#include "service/substrate/ingest_service.h"

namespace holdfast::service::substrate {

// Absolute, `~` expanded, links resolved as far as the path exists. kPermissionDenied with
// kPathRefused for a caller who may not read there, whether or not there is anything.
Result<std::string> resolve_path(const CallContext& call, const IngestOptions& options,
                                 const std::string& path);

// Absolute, `~` expanded, links as they are. kInvalidArgument if that is not UTF-8 text.
Result<std::string> absolute_path(const std::string& path);

// The last part of a path.
std::string file_name(std::string_view path);

// The bytes of a regular file. kInvalidArgument with `<refusal>: <path>` if it is none, kTooLarge.
Result<std::string> read_file(const std::string& path, std::string_view refusal, size_t max_bytes);

}  // namespace holdfast::service::substrate
