// Bringing a file to the schema of this program. Forward only; the version is PRAGMA user_version.
#pragma once

#include <string>
#include <vector>

#include "storage/sqlite/connection.h"

namespace holdfast::storage::sqlite {

struct Migration {
  int version;
  const char* name;
  const char* sql;  // sets user_version itself, so that both change together
};

// In order, from 1. Made from migrations/*.sql when the program is built.
const std::vector<Migration>& migrations();

// Refuses a file that a newer Holdfast wrote (kConflict, reason newer_version) and one that is no
// store at all (kCorrupted), by its first bytes, without opening it as a database. A file that does
// not exist is fine.
Status check_file(const std::string& path);

// Runs what is missing, each migration in a transaction of its own. Errors as check_file, for what
// only shows in the opened database; nothing is changed then.
Status migrate(Connection& db);

}  // namespace holdfast::storage::sqlite
