// How many pages the Markdown tree of a space holds (`projection_count`): counted by the index,
// never by looking at objects or files.
#pragma once

#include <cstdint>

#include "access/space_access.h"
#include "base/result.h"
#include "search/index.h"

namespace holdfast::service::substrate {

// Modules of a repository that get an API page.
inline constexpr int64_t kMaxApiPages = 30;

Result<int64_t> count_pages(const search::Index& index, const access::SpaceAccess& access);

}  // namespace holdfast::service::substrate
