// Files that are either whole or absent.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::search {

// Makes an empty file.
Status create_file(const std::string& path);
// Writes a file that exists, the pieces one behind the other, and makes it durable. kNotFound if it
// was unlinked meanwhile, kStorageFull or kInternal; then a partial file may be left.
Status write_file(const std::string& path, std::span<const std::string_view> pieces);
// Renames within a folder and makes that durable.
Status rename_file(const std::string& from, const std::string& to);
// Writes `path`.tmp, then renames it.
Status replace_file(const std::string& path, std::string_view bytes);
// Makes the names in a folder durable.
Status sync_folder(const std::string& folder);
// kNotFound if there is none.
Result<std::string> read_file(const std::string& path);

}  // namespace holdfast::search
