// Posting lists: the documents that have a term, with the weighted frequency in each.
//
// In a segment a list is cut into blocks of 128 documents; a block holds the gaps between documents
// and the frequencies less one, each packed in as many bits as the largest needs. Lists of more
// than one block have a skip entry a block with the largest frequency and the smallest length in
// it: whatever the average length becomes, no document of the block scores higher than these two
// together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast::search {

inline constexpr uint32_t kBlockDocs = 128;
inline constexpr uint32_t kNoDoc = UINT32_MAX;
// Readers load eight bytes at a time: whatever holds packed blocks has this much room after them.
inline constexpr size_t kPackedPadding = 8;

struct BlockBound {
  uint16_t max_tf = 0;
  uint16_t min_length = UINT16_MAX;

  void add(uint16_t tf, uint16_t length) {
    max_tf = tf > max_tf ? tf : max_tf;
    min_length = length < min_length ? length : min_length;
  }
};

struct SkipEntry {
  uint32_t last_doc = 0;
  uint32_t offset = 0;  // of the block, from the beginning of the list
  BlockBound bound = {};
};

// A list where it lies: packed in a segment, or plain in a memtable. A view; the part of the index
// owns the bytes.
struct PostingList {
  uint32_t count = 0;
  BlockBound bound = {};
  const uint8_t* packed = nullptr;
  const SkipEntry* skips = nullptr;  // of a packed list with more than one block
  const uint32_t* docs = nullptr;
  const uint16_t* tfs = nullptr;  // nullptr: every frequency is 1

  uint32_t block_count() const { return (count + kBlockDocs - 1) / kBlockDocs; }
};

// Appends the packed form. `lengths` is the column of the segment; an empty `tfs` means 1
// everywhere. Skip entries are appended only for lists of more than one block. Returns the bound of
// the whole list.
BlockBound pack_postings(std::span<const uint32_t> docs, std::span<const uint16_t> tfs,
                         std::span<const uint16_t> lengths, std::string& packed,
                         std::vector<SkipEntry>& skips);

// Walks a list from its first document on. Not thread-safe.
class PostingCursor {
 public:
  explicit PostingCursor(const PostingList& list);

  // kNoDoc at the end.
  uint32_t doc() const { return doc_; }
  uint16_t tf() const { return tfs_[at_]; }

  void next() {
    if (++at_ < in_block_) {
      doc_ = docs_[at_];
    } else {
      load_block(block_ + 1);
    }
  }
  // Calls `use(doc, tf)` for every document before `to`; then it is at the next.
  template <typename Use>
  void for_each_until(uint32_t to, Use&& use) {
    while (doc_ < to) {
      uint32_t at = at_;
      const uint32_t end = in_block_;
      for (; at < end && docs_[at] < to; ++at) use(docs_[at], tfs_[at]);
      if (at == end) {
        load_block(block_ + 1);
      } else {
        at_ = at;
        doc_ = docs_[at];
      }
    }
  }
  // To the first document at or after `target`; never goes back.
  void advance(uint32_t target);

  const PostingList& list() const { return list_; }
  // Calls `use(bound)` for every block that may hold a document in [from, to). `from` never falls
  // between calls.
  template <typename Use>
  void for_each_bound(uint32_t from, uint32_t to, Use&& use) {
    if (list_.skips == nullptr) {
      use(list_.bound);
      return;
    }
    const uint32_t blocks = list_.block_count();
    while (bound_block_ < blocks && list_.skips[bound_block_].last_doc < from) ++bound_block_;
    for (uint32_t block = bound_block_; block < blocks; ++block) {
      if (block > bound_block_ && list_.skips[block - 1].last_doc + 1 >= to) break;
      use(list_.skips[block].bound);
    }
  }

 private:
  void load_block(uint32_t block);
  void unpack(uint32_t block);

  PostingList list_;
  uint32_t doc_ = kNoDoc;
  uint32_t at_ = 0;
  uint32_t in_block_ = 0;
  uint32_t block_ = 0;
  uint32_t bound_block_ = 0;
  std::array<uint32_t, kBlockDocs> docs_;
  std::array<uint16_t, kBlockDocs> tfs_;
};

}  // namespace holdfast::search
