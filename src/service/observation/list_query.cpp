#include "service/observation/list_query.h"

#include <algorithm>
#include <string_view>

namespace holdfast::service::observation {

std::vector<std::string> split_terms(std::string_view query) {
  static constexpr std::string_view kSpaces = " \t\n\r\f\v";
  std::vector<std::string> terms;
  while (true) {
    const size_t begin = query.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return terms;
    query.remove_prefix(begin);
    const size_t close = query.front() == '"' ? query.find('"', 1) : std::string_view::npos;
    const bool phrase = close != std::string_view::npos;
    const size_t end = phrase ? close : std::min(query.find_first_of(kSpaces), query.size());
    const std::string_view term = phrase ? query.substr(1, close - 1) : query.substr(0, end);
    if (!term.empty()) terms.emplace_back(term);
    query.remove_prefix(phrase ? end + 1 : end);
  }
}

}  // namespace holdfast::service::observation
