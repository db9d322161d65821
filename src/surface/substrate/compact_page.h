// An object as a page: everything, or what fits a budget with a note of what was cut.
#pragma once

#include <cstddef>
#include <string>

#include "model/value.h"
#include "service/substrate/query_service.h"

namespace holdfast::surface::substrate {

struct PageStyle {
  bool full = false;
  size_t max_items = 10;
  bool include_segments = false;
  size_t snippet_chars = 360;
};

Value encode_page(service::substrate::PageAnswer page, const PageStyle& style);
Value encode_missing_page(const std::string& id);

}  // namespace holdfast::surface::substrate
