// A codec reads from a text what it reads from the text's Value, and refuses what it refuses there.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "model/codec.h"

namespace holdfast {
namespace {

struct Leaf {
  int64_t n = 0;
  std::optional<bool> b = {};
};

struct Tree {
  std::string s = {};
  std::optional<Timestamp> t = {};
  double d = 0;
  Value v = {};
  std::vector<Leaf> l = {};
  std::optional<std::vector<std::string>> w = {};
};

}  // namespace

template <>
const Codec<Leaf>& codec_of<Leaf>() {
  static const Codec<Leaf> codec = Codec<Leaf>().field("n", &Leaf::n).field("b", &Leaf::b);
  return codec;
}

namespace {

const Codec<Tree>& tree_codec() {
  static const Codec<Tree> codec = Codec<Tree>()
                                       .field("s", &Tree::s)
                                       .field("t", &Tree::t)
                                       .field("d", &Tree::d)
                                       .field("v", &Tree::v)
                                       .field("l", &Tree::l)
                                       .field("w", &Tree::w);
  return codec;
}

}  // namespace
}  // namespace holdfast

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto direct = tree_codec().decode_text(text);
  const auto value = parse_json(text);
  if (!value) {
    // A member that appears twice is all that a text may have and its Value may not.
    HOLDFAST_ASSERT(!direct || value.error().reason == json_reason::kDuplicate);
    return 0;
  }
  const auto indirect = tree_codec().decode(*value);
  HOLDFAST_ASSERT(direct.has_value() == indirect.has_value());
  if (!direct) return 0;
  const std::string written = tree_codec().encode_text(*direct);
  HOLDFAST_ASSERT(written == tree_codec().encode_text(*indirect));
  HOLDFAST_ASSERT(tree_codec().encode_text(*tree_codec().decode_text(written)) == written);
  return 0;
}
