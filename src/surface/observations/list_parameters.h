// The query language of GET /observations.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "service/observation/list_query.h"
#include "wire/cursor.h"
#include "wire/object_shape.h"
#include "wire/query_string.h"

namespace holdfast::surface::observations {

struct ListParameters {
  service::observation::ListQuery query = {};
  std::string cursor = {};  // as sent; empty: none
  std::string digest = {};  // of filters and sort: a cursor works with the same ones only
};

// kInvalidArgument with every issue. Relative times are those of `now`.
Result<ListParameters> read_list_parameters(const wire::QueryString& query, Timestamp now);

// The same for /openapi.json. Filters may be negated by a `!` behind their name.
std::vector<wire::ParameterDescription> list_parameter_descriptions();

// A cursor's place in the list, bound to its filters and good for a day.
std::string encode_cursor(const wire::CursorCodec& codec,
                          const service::observation::ListPlace& place, const std::string& last_id,
                          const std::string& digest, Timestamp now);
// kInvalidArgument: cursor_invalid or cursor_expired.
Result<service::observation::ListPlace> decode_cursor(const wire::CursorCodec& codec,
                                                      const std::string& text,
                                                      const std::string& digest, Timestamp now);

}  // namespace holdfast::surface::observations
