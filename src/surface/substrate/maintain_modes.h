// What the modes of memory_maintain have in common, and those that move knowledge on in its life.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "service/substrate/maintain_service.h"
#include "surface/substrate/mode_tool.h"

namespace holdfast::surface::substrate {

struct ApplyOptions {
  std::optional<bool> apply = std::nullopt;
};

// Accepts nothing but true.
const wire::Schema<ApplyOptions>& apply_schema();

// A mode that changes memory only when told to.
template <typename Input, typename Answer>
Mode changing_mode(const std::string& name, const wire::Schema<Input>& input, Answer answer) {
  return make_mode(name, input, apply_schema(),
                   [name, answer](const ModeCall& call, const Input& in,
                                  const ApplyOptions& options) -> Result<Value> {
                     if (!options.apply) {
                       return invalid_argument(
                           fmt::format("memory_maintain mode '{}' mutates memory and requires "
                                       "options.apply=true",
                                       name));
                     }
                     return answer(call, in);
                   });
}

template <typename Input, typename Answer>
Mode reading_mode(const std::string& name, const wire::Schema<Input>& input, Answer answer) {
  return make_mode(name, input, wire::Schema<NoOptions>(),
                   [answer](const ModeCall& call, const Input& in, const NoOptions&) {
                     return answer(call, in);
                   });
}

// promote_candidates, merge_duplicates, resolve_duplicates, archive_source, archive_knowledge,
// decay_stale, cycle, report.
std::vector<Mode> lifecycle_modes(service::substrate::MaintainService& service);

}  // namespace holdfast::surface::substrate
