// A line of an import file: whatever it says, it is read or refused, and what was read comes back
// as it was.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/json_text.h"
#include "model/object_codec.h"
#include "surface/native/archive_operations.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace holdfast;
  const auto value = parse_json(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!value) return 0;
  if (const auto object = decode_object_exactly(*value)) {
    const auto again = decode_object_exactly(encode_object_exactly(*object));
    if (!again || !(*again == *object)) std::abort();
  }
  if (const auto entry = decode_entry_exactly(*value)) {
    const auto again = decode_entry_exactly(encode_entry_exactly(*entry));
    if (!again || !(*again == *entry)) std::abort();
  }
  const Value body = Value::object({{"changes", Value::array({*value})}});
  const auto request = surface::native::import_changes().request.read_body(body, {});
  if (!request && request.error().issues.empty()) std::abort();
  return 0;
}
