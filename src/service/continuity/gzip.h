// Bytes in the gzip format: the best compression, without a name or a time, so that equal bytes
// give equal files.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::service::continuity {

std::string gzip(std::string_view bytes);
// kInvalidArgument for what is not gzip, kTooLarge beyond `most` bytes.
Result<std::string> gunzip(std::string_view packed, size_t most);

}  // namespace holdfast::service::continuity
