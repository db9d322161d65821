// What is true for a moment only.
#pragma once

#include <string>

namespace holdfast::service::recall {

// Whether it names ports, process ids, counts of tests or processes, commits, uptime, memory in use
// or a share of the processor. A year is none of them.
bool is_passing(const std::string& said);

}  // namespace holdfast::service::recall
