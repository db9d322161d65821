// What a list of observations is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/object.h"

namespace holdfast::service::observation {

struct FieldFilter {
  std::string facet = {};
  std::vector<std::string> values = {};  // any of them; negated: none of them
  bool negated = false;
};

enum class SortField : uint8_t { kCreatedAt, kUpdatedAt, kTitle, kType, kViews, kCitations };
struct SortBy {
  SortField field = SortField::kCreatedAt;
  bool descending = true;
};

// A place in a sorted list: strictly after it goes on.
struct ListPlace {
  struct Key {
    int64_t number = 0;
    std::string text = {};
  };
  std::vector<Key> keys = {};
  ObjectNumber number = 0;
};

struct ListQuery {
  std::vector<FieldFilter> filters = {};
  std::optional<Timestamp> from = {};   // created at or after
  std::optional<Timestamp> until = {};  // created before
  std::vector<std::string> terms = {};  // every one occurs in title or summary, in any case
  bool asks_for_sensitive = false;      // by a filter that is not negated
  std::vector<SortBy> sort = {{}};
  size_t limit = 25;
  std::optional<ListPlace> after = {};
};

// Words and "phrases" of a query, without the quotes; empty ones are left out.
std::vector<std::string> split_terms(std::string_view query);

}  // namespace holdfast::service::observation
