// The parts of a repository's payload that are about code.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "service/substrate/repo_code.h"

namespace holdfast::service::substrate {

// The first elements of a list, at most `limit`.
template <typename T>
std::span<const T> first(const std::vector<T>& list, size_t limit) {
  return std::span<const T>(list).first(std::min(list.size(), limit));
}

Value symbol_list(const std::vector<text::CodeSymbol>& symbols, size_t limit);
Value module_list(const std::vector<RepoModule>& modules);

// Adds code_intelligence, module_dependencies, inheritance_graph, call_index, framework_entries and
// api_inventory.
void add_intelligence(Value& payload, std::string_view parser, const RepoScan& scan,
                      const std::vector<RepoModule>& modules);

}  // namespace holdfast::service::substrate
