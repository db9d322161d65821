#include "search/postings.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "search/bytes.h"
#include "search/posting_bits.h"

namespace holdfast::search {
namespace {

unsigned bits_for(uint32_t value) { return static_cast<unsigned>(std::bit_width(value)); }

// Needs room for eight bytes more than they take. Returns where the next byte goes.
uint8_t* pack_bits(std::span<const uint32_t> values, unsigned bits, uint8_t* to) {
  if (bits == 0) return to;
  uint64_t pending = 0;
  unsigned filled = 0;
  for (const uint32_t value : values) {
    pending |= static_cast<uint64_t>(value) << filled;
    filled += bits;
    std::memcpy(to, &pending, sizeof pending);
    to += filled >> 3U;
    pending >>= filled & ~7U;
    filled &= 7U;
  }
  return to + (filled > 0 ? 1 : 0);
}

size_t packed_bytes(size_t count, unsigned bits) { return (count * bits + 7) / 8; }

uint32_t bits_at(const uint8_t* bytes, size_t index, unsigned bits, uint64_t mask) {
  const size_t bit = index * bits;
  return static_cast<uint32_t>((load<uint64_t>(bytes + (bit >> 3)) >> (bit & 7)) & mask);
}

}  // namespace

BlockBound pack_postings(std::span<const uint32_t> docs, std::span<const uint16_t> tfs,
                         std::span<const uint16_t> lengths, std::string& packed,
                         std::vector<SkipEntry>& skips) {
  const size_t begin = packed.size();
  BlockBound whole;
  std::array<uint32_t, kBlockDocs> gaps;
  std::array<uint32_t, kBlockDocs> frequencies;
  std::array<uint8_t, 2 + sizeof gaps + sizeof frequencies + sizeof(uint64_t)> block;
  uint32_t next = 0;
  for (size_t from = 0; from < docs.size(); from += kBlockDocs) {
    const size_t count = std::min<size_t>(kBlockDocs, docs.size() - from);
    SkipEntry skip{.offset = static_cast<uint32_t>(packed.size() - begin)};
    uint32_t max_gap = 0;
    uint32_t max_frequency = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t doc = docs[from + i];
      const uint16_t tf = tfs.empty() ? uint16_t{1} : tfs[from + i];
      gaps[i] = doc - next;
      next = doc + 1;
      frequencies[i] = tf - 1U;
      max_gap = std::max(max_gap, gaps[i]);
      max_frequency = std::max(max_frequency, frequencies[i]);
      skip.bound.add(tf, lengths[doc]);
    }
    skip.last_doc = next - 1;
    whole.add(skip.bound.max_tf, skip.bound.min_length);
    block[0] = static_cast<uint8_t>(bits_for(max_gap));
    block[1] = static_cast<uint8_t>(bits_for(max_frequency));
    uint8_t* end = block.data() + 2;
    end = pack_bits(std::span(gaps).first(count), block[0], end);
    end = pack_bits(std::span(frequencies).first(count), block[1], end);
    packed.append(reinterpret_cast<const char*>(block.data()),
                  static_cast<size_t>(end - block.data()));
    if (docs.size() > kBlockDocs) skips.push_back(skip);
  }
  return whole;
}

namespace {

void mark(std::vector<uint64_t>& words, uint32_t doc) {
  words[doc >> 6U] |= uint64_t{1} << (doc & 63U);
}

void mark_run(std::vector<uint64_t>& words, uint32_t first, uint32_t count) {
  for (uint32_t doc = first; count > 0;) {
    const uint32_t bit = doc & 63U;
    const uint32_t here = std::min(count, 64 - bit);
    const uint64_t ones = here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1;
    words[doc >> 6U] |= ones << bit;
    doc += here;
    count -= here;
  }
}

}  // namespace

void mark_documents(const PostingList& list, std::vector<uint64_t>& words) {
  if (list.packed == nullptr) {
    for (uint32_t i = 0; i < list.count; ++i) mark(words, list.docs[i]);
    return;
  }
  uint32_t next = 0;
  for (uint32_t block = 0; block < list.block_count(); ++block) {
    const uint32_t in_block = std::min(kBlockDocs, list.count - block * kBlockDocs);
    const uint8_t* bytes = list.packed + (list.skips != nullptr ? list.skips[block].offset : 0);
    const unsigned gap_bits = bytes[0];
    bytes += 2;
    if (gap_bits == 0) {
      mark_run(words, next, in_block);
      next += in_block;
      continue;
    }
    const uint64_t gap_mask = (uint64_t{1} << gap_bits) - 1;
    for (uint32_t i = 0; i < in_block; ++i) {
      next += static_cast<uint32_t>(bits_at(bytes, i, gap_bits, gap_mask));
      mark(words, next++);
    }
  }
}

void PostingBlock::load(const PostingList& list, uint32_t block) {
  number_ = block;
  size_ = block < list.block_count() ? std::min(kBlockDocs, list.count - block * kBlockDocs) : 0;
  if (size_ == 0) return;
  if (list.packed != nullptr) return unpack(list);
  const size_t from = size_t{block} * kBlockDocs;
  std::copy_n(list.docs + from, size_, docs_.begin());
  if (list.tfs != nullptr) {
    std::copy_n(list.tfs + from, size_, tfs_.begin());
  } else {
    std::fill_n(tfs_.begin(), size_, uint16_t{1});
  }
}

void PostingBlock::unpack(const PostingList& list) {
  const uint8_t* bytes = list.packed + (list.skips != nullptr ? list.skips[number_].offset : 0);
  const unsigned gap_bits = bytes[0];
  const unsigned tf_bits = bytes[1];
  bytes += 2;
  uint32_t next = number_ == 0 ? 0 : list.skips[number_ - 1].last_doc + 1;
  const uint64_t gap_mask = (uint64_t{1} << gap_bits) - 1;
  for (size_t i = 0; i < size_; ++i) {
    next += bits_at(bytes, i, gap_bits, gap_mask);
    docs_[i] = next++;
  }
  if (tf_bits == 0) {
    std::fill_n(tfs_.begin(), size_, uint16_t{1});
    return;
  }
  bytes += packed_bytes(size_, gap_bits);
  const uint64_t tf_mask = (uint64_t{1} << tf_bits) - 1;
  for (size_t i = 0; i < size_; ++i) {
    tfs_[i] = static_cast<uint16_t>(bits_at(bytes, i, tf_bits, tf_mask) + 1);
  }
}

uint32_t PostingBlock::count_before(uint32_t doc, uint32_t most) const {
  return static_cast<uint32_t>(std::lower_bound(docs_.begin(), docs_.begin() + most, doc) -
                               docs_.begin());
}

PostingWalk::PostingWalk(const PostingList& list)
    : list_(list), lowest_(list.block_count() - 1), left_(0) {
  enter_block();
  last_doc_ = block_.doc(block_.size() - 1);
  if (list.docs != nullptr) {
    first_doc_ = list.docs[0];
  } else {
    first_doc_ = lowest_ == 0 ? block_.doc(0) : 0;
  }
}

}  // namespace holdfast::search
