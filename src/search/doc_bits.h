// A set of documents of one part, as bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "search/postings.h"

namespace holdfast::search {

// How many bits are set. The instruction for it is not on every x86-64, and what compilers call in
// its place takes longer than this.
inline size_t ones_in(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return word * 0x0101010101010101 >> 56;
}

class DocBits {
 public:
  // Empty, for documents 0 to count - 1.
  explicit DocBits(uint32_t count) : words_((size_t{count} + 63) / 64) {}
  // Those of the bits that are documents.
  DocBits(uint32_t count, const std::vector<uint64_t>& bits) : DocBits(count) {
    for (size_t i = 0; i < words_.size() && i < bits.size(); ++i) words_[i] = bits[i];
  }

  bool none() const {
    return std::ranges::all_of(words_, [](uint64_t word) { return word == 0; });
  }
  void add(const PostingList& list) {
    for (PostingCursor cursor(list); cursor.doc() != kNoDoc; cursor.next()) add(cursor.doc());
  }
  void add(uint32_t doc) { words_[doc >> 6] |= uint64_t{1} << (doc & 63); }
  void remove(uint32_t doc) { words_[doc >> 6] &= ~(uint64_t{1} << (doc & 63)); }
  void add(const DocBits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void keep(const DocBits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void remove(const DocBits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  // Leaves those for which good(doc) is true.
  template <typename Good>
  void keep_if(Good&& good) {
    for (size_t i = 0; i < words_.size(); ++i) {
      uint64_t kept = 0;
      for (uint64_t left = words_[i]; left != 0; left &= left - 1) {
        const auto bit = static_cast<uint32_t>(std::countr_zero(left));
        kept |= uint64_t{good(static_cast<uint32_t>(i * 64 + bit)) ? 1U : 0U} << bit;
      }
      words_[i] = kept;
    }
  }

  // Leaves of the 64 documents of each word those that mask(word) has.
  template <typename Mask>
  void keep_masked(Mask&& mask) {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != 0) words_[i] &= mask(i);
    }
  }

  size_t count() const {
    size_t count = 0;
    for (const uint64_t word : words_) count += ones_in(word);
    return count;
  }
  template <typename Use>
  void for_each(Use&& use) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t left = words_[i]; left != 0; left &= left - 1)
        use(static_cast<uint32_t>(i * 64 + static_cast<uint32_t>(std::countr_zero(left))));
    }
  }
  // The last document first: the newest, mostly. Ends when use(doc) is false; passes over the 64
  // documents of a word for which skip(word) is true.
  template <typename Use, typename Skip>
  void for_each_from_the_end(Use&& use, Skip&& skip) const {
    for (size_t i = words_.size(); i-- > 0;) {
      if (words_[i] == 0 || skip(i)) continue;
      for (uint64_t left = words_[i]; left != 0;) {
        const auto bit = static_cast<uint32_t>(63 - std::countl_zero(left));
        left &= ~(uint64_t{1} << bit);
        if (!use(static_cast<uint32_t>(i * 64 + bit))) return;
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace holdfast::search
