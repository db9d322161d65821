#include "bench/node_script.h"

#include <cstdio>
#include <cstdlib>

namespace holdfast::bench {

std::pair<double, double> run_node(const std::vector<std::string>& script_and_arguments) {
  std::string command = "node";
  for (const std::string& word : script_and_arguments) command += " '" + word + "'";
  FILE* const output = popen(command.c_str(), "r");
  std::pair<double, double> numbers;
  const bool read =
      output != nullptr && std::fscanf(output, "%lf %lf", &numbers.first, &numbers.second) == 2;
  if (output == nullptr || pclose(output) != 0 || !read) {
    std::fprintf(stderr, "failed: %s\n", command.c_str());
    std::exit(1);
  }
  return numbers;
}

}  // namespace holdfast::bench
