// Copying and checking a whole store.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {

// Copies what `source` sees into a new file, under a temporary name until it is complete and on
// disk. `source` holds a read transaction, so writers cannot make the copy start over.
// kAlreadyExists if the file is there.
Status copy_database(Connection& source, const std::string& path,
                     const std::function<void(double)>& progress);

// One sentence for everything that is not as it must be. `source` holds a read transaction.
Result<std::vector<std::string>> find_damage(Connection& source);

}  // namespace holdfast::storage::sqlite
