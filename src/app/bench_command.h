// holdfast bench: what this machine gives, on a throw-away memory beside the data folder.
#pragma once

#include "app/command.h"

namespace holdfast::app {

Status run_bench(CommandRun& run);

}  // namespace holdfast::app
