// Prints precision and recall of the injection decision.
//
//   injection_relevance [injection_set.json] [--mistakes]
#include <cstdio>
#include <cstring>

#include "relevance/injection_report.h"

namespace {

void print(const char* name, const holdfast::relevance::InjectionCounts& counts) {
  std::printf("%-9s precision %.3f  recall %.3f  (right %d, wrong %d, missed %d, quiet %d)\n", name,
              counts.precision(), counts.recall(), counts.right, counts.wrong, counts.missed,
              counts.quiet);
}

}  // namespace

int main(int argc, char** argv) {
  std::string file = HOLDFAST_INJECTION_SET;
  bool mistakes = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--mistakes") == 0) {
      mistakes = true;
    } else {
      file = argv[i];
    }
  }
  const auto report = holdfast::relevance::measure_injection(file);
  print("tuned", report.tuned);
  print("held out", report.held_out);
  if (mistakes) {
    for (const std::string& line : report.mistakes) std::puts(line.c_str());
  }
  return 0;
}
