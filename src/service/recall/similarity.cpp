// How alike two texts are, letter by letter.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostComparedLetters = 400;

// A letter as its bytes, which tell it from all others as well as its number would.
using Letters = std::u32string;
using LettersView = std::u32string_view;

Letters letters_of(std::string_view text) {
  Letters out;
  for (const char c : prefix_code_points(text, kMostComparedLetters)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80 && !out.empty()) {
      out.back() = out.back() << 8 | byte;
    } else {
      out.push_back(byte);
    }
  }
  return out;
}

// The longest run of letters that both have, the first of several.
struct Block {
  size_t a = 0;
  size_t b = 0;
  size_t size = 0;
};

Block longest_block(LettersView a, LettersView b) {
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
size_t matching_letters(LettersView a, LettersView b) {
  if (a.empty() || b.empty()) return 0;
  const Block block = longest_block(a, b);
  if (block.size == 0) return 0;
  return block.size + matching_letters(a.substr(0, block.a), b.substr(0, block.b)) +
         matching_letters(a.substr(block.a + block.size), b.substr(block.b + block.size));
}

double likeness_of(LettersView a, LettersView b) {
  if (a.empty() || b.empty()) return a == b ? 1 : 0;
  return 2.0 * static_cast<double>(matching_letters(a, b)) /
         static_cast<double>(a.size() + b.size());
}

}  // namespace

bool is_similar(std::string_view first, std::string_view second, double least) {
  const Letters a = letters_of(first);
  const Letters b = letters_of(second);
  // No more can match than the letters that both have; most pairs are told apart by that. Some
  // letters are counted as one, which only lets a pair pass.
  std::array<int, 256> counts = {};
  for (const char32_t c : a) ++counts.at(c & 0xff);
  int shared = 0;
  for (const char32_t c : b) shared += counts.at(c & 0xff)-- > 0 ? 1 : 0;
  const size_t total = a.size() + b.size();
  return 2.0 * shared >= least * static_cast<double>(total) && likeness_of(a, b) >= least;
}

double similarity_of(std::string_view a, std::string_view b) {
  return likeness_of(letters_of(a), letters_of(b));
}

}  // namespace holdfast::service::recall
