// Whatever parse_json accepts is written as text that reads back the same, in every form of
// writing, and its members are found again as pieces of that text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "model/json_pieces.h"
#include "model/json_text.h"

using namespace holdfast;

namespace {

// Names with escapes are refused.
bool has_plain_names(const Value::Object& object) {
  for (const Value::Member& member : object) {
    if (to_json(Value(member.name)) != '"' + member.name + '"') return false;
  }
  return true;
}

void check_pieces(const Value& object) {
  const std::string text = to_json(object);
  const Value::Object& members = *object.if_object();
  size_t at = 0;
  const bool read =
      json_pieces::each_member(text, [&](std::string_view name, std::string_view piece, bool) {
        HOLDFAST_ASSERT(at < members.size() && members[at].name == name);
        HOLDFAST_ASSERT(to_json(members[at++].value) == piece);
        return true;
      });
  HOLDFAST_ASSERT(read == has_plain_names(members) && (!read || at == members.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lenient = parse_json(text, {.allow_duplicates = true});
  const auto value = parse_json(text);
  if (!text.empty())  // whatever it is: nothing outside of it is read
    json_pieces::each_member(text, [](std::string_view, std::string_view, bool) { return true; });
  HOLDFAST_ASSERT(!value || lenient);
  if (!value) return 0;
  const auto again = parse_json(to_json(*value));
  HOLDFAST_ASSERT(again && *again == *value);
  const auto pretty = parse_json(to_pretty_json(*value));
  HOLDFAST_ASSERT(pretty && *pretty == *value);
  const auto canonical = parse_json(to_canonical_json(*value));
  HOLDFAST_ASSERT(canonical && json_equal(*canonical, *value));
  if (value->is_object()) check_pieces(*value);
  return 0;
}
