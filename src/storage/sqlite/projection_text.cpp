#include "storage/sqlite/projection_text.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/sorted.h"
#include "model/json_text.h"

namespace holdfast::storage::sqlite {
namespace {

template <typename T>
std::vector<T> sorted_once(std::vector<T> items) {
  sort_once(items);
  return items;
}

Error damaged() {
  return Error{.code = ErrorCode::kCorrupted,
               .message = "A stored object cannot be read; 'holdfast verify' tells more.",
               .detail = "facets or links are not in their stored form"};
}

// The rows of the outer array; an empty text is an empty array.
Result<std::vector<Value::Array>> read_rows(std::string_view json) {
  std::vector<Value::Array> rows;
  if (json.empty()) return rows;
  auto value = parse_json(json);
  if (!value || value->if_array() == nullptr) return damaged();
  for (Value& element : *value->if_array()) {
    if (element.if_array() == nullptr) return damaged();
    rows.push_back(std::move(*element.if_array()));
  }
  return rows;
}

}  // namespace

FacetSet normalised(const std::vector<Facet>& facets) {
  std::vector<Facet> kept;
  std::ranges::copy_if(facets, std::back_inserter(kept),
                       [](const Facet& facet) { return !facet.name.starts_with('~'); });
  return {.facets = sorted_once(std::move(kept))};
}
std::vector<Link> normalised(std::vector<Link> links) { return sorted_once(std::move(links)); }

std::string write_facets(const FacetSet& set) {
  if (set.facets.empty()) return {};
  std::string json = "[";
  for (const Facet& facet : set.facets) {
    json += json.size() > 1 ? ",[" : "[";
    append_json_string(json, facet.name);
    json += ',';
    if (facet.is_number) {
      fmt::format_to(std::back_inserter(json), "{}", facet.number);
    } else {
      append_json_string(json, facet.text);
    }
    if (std::ranges::find(set.counters, facet.name) != set.counters.end()) json += ",\"counter\"";
    json += ']';
  }
  json += ']';
  return json;
}

std::string write_links(const std::vector<Link>& links) {
  if (links.empty()) return {};
  std::string json = "[";
  for (const Link& link : links) {
    json += json.size() > 1 ? ",[" : "[";
    append_json_string(json, link.relation);
    json += ',';
    append_json_string(json, link.target.kind);
    json += ',';
    append_json_string(json, link.target.id);
    json += ',';
    append_json_string(json, link.provenance);
    json += ']';
  }
  json += ']';
  return json;
}

Result<FacetSet> read_facets(std::string_view json) {
  HOLDFAST_TRY(const auto rows, read_rows(json));
  FacetSet set;
  for (const auto& row : rows) {
    if (row.size() < 2 || row[0].if_string() == nullptr) return damaged();
    if (const auto* number = row[1].if_int()) {
      set.facets.push_back(Facet::of(*row[0].if_string(), *number));
    } else if (const auto* text = row[1].if_string()) {
      set.facets.push_back(Facet::of(*row[0].if_string(), *text));
    } else {
      return damaged();
    }
    if (row.size() > 2) set.counters.push_back(*row[0].if_string());
  }
  return set;
}

bool may_have_counters(std::string_view json) {
  return json.find(",\"counter\"]") != std::string_view::npos;
}

Result<std::vector<Link>> read_links(std::string_view json) {
  HOLDFAST_TRY(const auto rows, read_rows(json));
  std::vector<Link> links;
  for (const auto& row : rows) {
    const bool texts = std::ranges::all_of(row, [](const Value& v) { return v.is_string(); });
    if (row.size() != 4 || !texts) return damaged();
    links.push_back({.relation = *row[0].if_string(),
                     .target = {.kind = *row[1].if_string(), .id = *row[2].if_string()},
                     .provenance = *row[3].if_string()});
  }
  return links;
}

}  // namespace holdfast::storage::sqlite
