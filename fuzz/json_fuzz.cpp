// Whatever parse_json accepts is written as text that reads back the same, in every form of
// writing.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "model/json_text.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lenient = parse_json(text, {.allow_duplicates = true});
  const auto value = parse_json(text);
  HOLDFAST_ASSERT(!value || lenient);
  if (!value) return 0;
  const auto again = parse_json(to_json(*value));
  HOLDFAST_ASSERT(again && *again == *value);
  const auto pretty = parse_json(to_pretty_json(*value));
  HOLDFAST_ASSERT(pretty && *pretty == *value);
  const auto canonical = parse_json(to_canonical_json(*value));
  HOLDFAST_ASSERT(canonical && json_equal(*canonical, *value));
  return 0;
}
