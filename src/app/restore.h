// A data folder from a backup.
#pragma once

#include <string>

#include "app/data_folder.h"
#include "base/result.h"

namespace holdfast::app {

// The folder must be empty or new. The copy is opened and checked before it gets its name, so a
// damaged or foreign file leaves the folder as it was.
Status restore_backup(const std::string& file, const FolderPaths& paths);

}  // namespace holdfast::app
