// The rules of a capsule beyond its shape. The first that is broken is reported.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/value.h"

namespace holdfast::service::continuity {

// Also cleans the thread descriptor (keywords, anchors): the contract rewrites it silently.
Status check_capsule(Value& capsule);
// verification_state and capsule_health, where a caller may say them.
Status check_verification(const Value& capsule);
// Few scalars, and the kind of an interaction boundary exactly where there is one.
Status check_metadata(const Value& capsule);
Status check_size(const Value& capsule);

// What is wrong with continuity.related_documents; `embedded` tells whether it carries content.
struct DocumentsProblem {
  std::string detail = {};  // empty: nothing
  bool embedded = false;
};
DocumentsProblem related_documents_problem(const Value& documents);

// How long the texts of a capsule's lists may be, beside what its shape says.
struct TextLimit {
  std::string_view path = {};  // inside the capsule: continuity.open_loops
  size_t min = 0;
  size_t max = 0;
};
std::vector<TextLimit> text_limits();

}  // namespace holdfast::service::continuity
