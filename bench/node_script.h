// Clients in another language, as most callers are: a script that measures and prints two numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace holdfast::bench {

// Ends the program if Node or the script fails. Arguments must hold no quotes.
std::pair<double, double> run_node(const std::vector<std::string>& script_and_arguments);

}  // namespace holdfast::bench
