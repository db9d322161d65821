// How alike two texts are, letter by letter.
#include <algorithm>
#include <array>
#include <vector>

#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostCompared = 400;

// The longest run of bytes that both have, the first of several.
struct Block {
  size_t a = 0;
  size_t b = 0;
  size_t size = 0;
};

Block longest_block(std::string_view a, std::string_view b) {
  Block best;
  std::vector<size_t> ending(b.size() + 1, 0);  // length of the run that ends before b[j]
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = b.size(); j > 0; --j) {
      ending[j] = a[i] == b[j - 1] ? ending[j - 1] + 1 : 0;
      const size_t size = ending[j];
      const Block here{.a = i + 1 - size, .b = j - size, .size = size};
      if (size > best.size ||
          (size == best.size && size > 0 && here.a == best.a && here.b < best.b))
        best = here;
    }
  }
  return best;
}

// The longest block, then what matches on either side of it.
size_t matching_bytes(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return 0;
  const Block block = longest_block(a, b);
  if (block.size == 0) return 0;
  return block.size + matching_bytes(a.substr(0, block.a), b.substr(0, block.b)) +
         matching_bytes(a.substr(block.a + block.size), b.substr(block.b + block.size));
}

}  // namespace

bool is_similar(std::string_view a, std::string_view b, double least) {
  // No more can match than the bytes that both have; most pairs are told apart by that.
  std::array<int, 256> counts = {};
  for (const char c : a.substr(0, kMostCompared)) ++counts.at(static_cast<unsigned char>(c));
  int shared = 0;
  for (const char c : b.substr(0, kMostCompared))
    shared += counts.at(static_cast<unsigned char>(c))-- > 0 ? 1 : 0;
  const size_t total = std::min(a.size(), kMostCompared) + std::min(b.size(), kMostCompared);
  return 2.0 * shared >= least * static_cast<double>(total) && similarity_of(a, b) >= least;
}

double similarity_of(std::string_view a, std::string_view b) {
  a = a.substr(0, kMostCompared);
  b = b.substr(0, kMostCompared);
  if (a.empty() || b.empty()) return a == b ? 1 : 0;
  return 2.0 * static_cast<double>(matching_bytes(a, b)) / static_cast<double>(a.size() + b.size());
}

}  // namespace holdfast::service::recall
