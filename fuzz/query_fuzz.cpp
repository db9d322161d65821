// Query strings: decoding never fails badly, encoding reads back, and a schema over any query ends
// in a value or in issues.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/utf8.h"
#include "wire/cursor.h"
#include "wire/schema.h"

using namespace holdfast;

namespace {

struct Listing {
  int limit = 25;
  bool explain = false;
  double score = 0;
  std::vector<std::string> tags;
  std::optional<Timestamp> since;
};

const wire::Schema<Listing>& schema() {
  static const wire::Schema<Listing> listing =
      wire::Schema<Listing>()
          .query("limit", &Listing::limit, wire::range(1, 100))
          .query("explain", &Listing::explain)
          .query("score", &Listing::score)
          .query("tag", &Listing::tags, wire::comma_list(), wire::each(wire::length(1, 9)),
                 wire::items(0, 5))
          .query("since", &Listing::since);
  return listing;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  HOLDFAST_ASSERT(wire::percent_decode(wire::percent_encode(text), true) == text);
  const auto query = wire::QueryString::parse(text);
  std::string again;
  for (const auto& parameter : query.all()) {
    HOLDFAST_ASSERT(is_valid_utf8(parameter.name) && is_valid_utf8(parameter.value));
    again +=
        wire::percent_encode(parameter.name) + '=' + wire::percent_encode(parameter.value) + '&';
  }
  // A parameter without name or value ("=") is dropped by its encoding no more than by its first
  // reading.
  HOLDFAST_ASSERT(wire::QueryString::parse(again).all() == query.all());
  const auto listing = schema().read({.query = &query}, {});
  HOLDFAST_ASSERT(listing || !listing.error().issues.empty());
  HOLDFAST_ASSERT(!wire::CursorCodec("secret").decode(text));
  return 0;
}
