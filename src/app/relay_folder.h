// `holdfast import cognirelay` and `holdfast export cognirelay`: a memory as a folder of files in a
// git repository, and back.
#pragma once

#include "app/command.h"

namespace holdfast::app {

// Adds the files of a folder to the space. What is there already stays; safe to repeat.
Status import_relay(CommandRun& run, const std::string& folder);
// Writes the space into a new folder: one commit a change, with its message.
Status export_relay(CommandRun& run, const std::string& folder);

}  // namespace holdfast::app
