// From what a caller typed to what is looked for: long texts are cut down to the question, the
// question becomes terms, and some words say what kind of object is meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::substrate {

struct SanitizedQuery {
  std::string text = {};
  bool was_sanitized = false;
  std::string method = {};  // passthrough, labeled_line, question_sentence, tail_truncation
  int64_t original_length = 0;
  int64_t clean_length = 0;
};
SanitizedQuery sanitize_query(std::string_view given);

// What a query is limited to. An empty list is no limit.
struct Filters {
  std::vector<std::string> object_types = {};
  std::vector<std::string> kinds = {};
  std::vector<std::string> statuses = {};
  std::vector<std::string> node_ids = {};
  std::vector<std::string> source_ids = {};
  bool include_temporary = false;
  bool operator==(const Filters&) const = default;
};

struct QueryPlan {
  std::vector<std::string> terms = {};  // lower case; the whole phrase first
  Filters inferred = {};                // by the words of the phrase
};
QueryPlan plan_query(std::string_view phrase);

// What the caller gave, and what the words suggest for the dimensions the caller left open.
Filters with_inferred(const Filters& given, const Filters& inferred);

}  // namespace holdfast::service::substrate
