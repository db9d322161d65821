#include "service/observation/list_query.h"

#include <string_view>

#include "base/utf8.h"

namespace holdfast::service::observation {
namespace {

// Where the first white space of any script begins; the size if there is none.
size_t find_space(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const std::string_view point = prefix_code_points(text.substr(at), 1);
    if (trim_space(point).empty()) break;
    at += point.size();
  }
  return at;
}

}  // namespace

std::vector<std::string> split_terms(std::string_view query) {
  std::vector<std::string> terms;
  while (true) {
    query = trim_space(query);
    if (query.empty()) return terms;
    const size_t close = query.front() == '"' ? query.find('"', 1) : std::string_view::npos;
    const bool phrase = close != std::string_view::npos;
    const size_t end = phrase ? close : find_space(query);
    const std::string_view term = phrase ? query.substr(1, close - 1) : query.substr(0, end);
    if (!term.empty()) terms.emplace_back(term);
    query.remove_prefix(phrase ? end + 1 : end);
  }
}

}  // namespace holdfast::service::observation
