// Reminders as the SQLite file of the published folder layout.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::app {

// The rows of the table that has a schedule_id. kInvalidArgument for what is no such file.
Result<std::vector<Value>> read_schedule_file(const std::string& path);
// A new file.
Status write_schedule_file(const std::string& path, const std::vector<Value>& reminders);

}  // namespace holdfast::app
