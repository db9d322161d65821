// How often the decision to inject is right, on the labelled set of injection_set.json.
#pragma once

#include <string>
#include <vector>

namespace holdfast::relevance {

struct InjectionCounts {
  int right = 0;   // injected, and a block holds what the label asks for
  int wrong = 0;   // injected where silence was right, or something else
  int missed = 0;  // silent (or something else) where there was something to say
  int quiet = 0;   // rightly silent

  double precision() const { return right + wrong == 0 ? 0 : double(right) / (right + wrong); }
  double recall() const { return right + missed == 0 ? 0 : double(right) / (right + missed); }
};

struct InjectionReport {
  InjectionCounts tuned = {};
  InjectionCounts held_out = {};
  std::vector<std::string> mistakes = {};  // one line each
};

// Stores the threads of the file in a server of its own and asks every question.
InjectionReport measure_injection(const std::string& file);

}  // namespace holdfast::relevance
