// Reading and writing the files of a Markdown tree. Pages are derived, so nothing here is flushed
// to the disk; a page is whole or absent, because it is renamed into place.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::service::substrate {

// Makes the folders above it. kInternal or kUnavailable with the system's word in `detail`.
Status write_page(const std::string& root, const std::string& path, std::string_view text);
// No error if it is not there.
void remove_page(const std::string& root, const std::string& path);
// Nothing if it cannot be read or is far larger than a page can be.
std::optional<std::string> read_page(const std::string& root, const std::string& path);
// True if anything has that name, readable or not.
bool is_taken(const std::string& root, const std::string& path);
// Regular files below `root`, as relative paths; symbolic links are neither listed nor followed.
std::set<std::string> list_pages(const std::string& root);

}  // namespace holdfast::service::substrate
