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
#include <utility>
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

// One block of a list, unpacked.
class PostingBlock {
 public:
  // Makes it that block of the list; empty behind the last.
  void load(const PostingList& list, uint32_t block);

  uint32_t number() const { return number_; }
  uint32_t size() const { return size_; }
  uint32_t doc(uint32_t at) const { return docs_[at]; }
  uint16_t tf(uint32_t at) const { return tfs_[at]; }
  // How many of the first `most` documents come before `doc`.
  uint32_t count_before(uint32_t doc, uint32_t most) const;

 private:
  void unpack(const PostingList& list);

  uint32_t number_ = kNoDoc;
  uint32_t size_ = 0;
  std::array<uint32_t, kBlockDocs> docs_;
  std::array<uint16_t, kBlockDocs> tfs_;
};

// Goes through a list from its first document on. Not thread-safe.
class PostingCursor {
 public:
  explicit PostingCursor(const PostingList& list) : list_(list) { block_.load(list_, 0); }

  // kNoDoc at the end.
  uint32_t doc() const { return at_ < block_.size() ? block_.doc(at_) : kNoDoc; }
  void next() {
    if (++at_ < block_.size()) return;
    block_.load(list_, block_.number() + 1);
    at_ = 0;
  }

 private:
  PostingList list_;
  PostingBlock block_;
  uint32_t at_ = 0;
};

// Goes through a list that is not empty from its end to its beginning, past what is of no interest.
// The documents and ends of ranges it is given never rise from call to call. Not thread-safe.
class PostingWalk {
 public:
  explicit PostingWalk(const PostingList& list);

  // All documents of the list lie between these two.
  uint32_t first_doc() const { return first_doc_; }
  uint32_t last_doc() const { return last_doc_; }

  // Where the block begins that has the last documents before `to`.
  uint32_t block_begin(uint32_t to) {
    pass_blocks_after(to);
    return lowest_ > 0 ? last_of(lowest_ - 1) + 1 : first_doc_;
  }
  // Calls `use(bound)` for every block that may hold a document in [from, to).
  template <typename Use>
  void for_each_bound(uint32_t from, uint32_t to, Use&& use) {
    if (to <= first_doc_ || from > last_doc_) return;
    if (list_.skips == nullptr) {
      use(list_.bound);
      return;
    }
    pass_blocks_after(to);
    for (uint32_t block = lowest_ + 1; block-- > 0 && list_.skips[block].last_doc >= from;)
      use(list_.skips[block].bound);
  }
  // Calls `use(doc, tf)` for every document in [from, to), the last first.
  template <typename Use>
  void for_each(uint32_t from, uint32_t to, Use&& use) {
    for_each(
        from, to, [](uint32_t) {}, std::forward<Use>(use));
  }
  // The same, and some steps before each `fetch(doc)`, also for some that are not used.
  template <typename Fetch, typename Use>
  void for_each(uint32_t from, uint32_t to, Fetch&& fetch, Use&& use) {
    constexpr uint32_t kAhead = 12;
    if (to <= first_doc_ || from > last_doc_) return;
    pass_blocks_after(to);
    while (true) {
      enter_block();
      uint32_t at = left_;
      while (at > 0 && block_.doc(at - 1) >= to) --at;
      for (uint32_t i = 1; i <= kAhead && i <= at; ++i) fetch(block_.doc(at - i));
      while (at > 0 && block_.doc(at - 1) >= from) {
        --at;
        if (at >= kAhead) fetch(block_.doc(at - kAhead));
        use(block_.doc(at), block_.tf(at));
      }
      left_ = at;
      if (at > 0 || lowest_ == 0 || last_of(lowest_ - 1) < from) return;
      --lowest_;
    }
  }
  // The frequency in that document; 0 if it is not in the list.
  uint16_t tf_in(uint32_t doc) {
    if (doc < first_doc_ || doc > last_doc_) return 0;
    pass_blocks_after(doc + 1);
    enter_block();
    if (left_ > 0 && block_.doc(left_ - 1) > doc) left_ = block_.count_before(doc + 1, left_);
    return left_ > 0 && block_.doc(left_ - 1) == doc ? block_.tf(left_ - 1) : uint16_t{0};
  }

 private:
  // Of a block that is not the last.
  uint32_t last_of(uint32_t block) const {
    return list_.skips != nullptr ? list_.skips[block].last_doc
                                  : list_.docs[size_t{block} * kBlockDocs + kBlockDocs - 1];
  }
  void pass_blocks_after(uint32_t to) {
    while (lowest_ > 0 && last_of(lowest_ - 1) + 1 >= to) --lowest_;
  }
  void enter_block() {
    if (block_.number() == lowest_) return;
    block_.load(list_, lowest_);
    left_ = block_.size();
  }

  PostingList list_;
  PostingBlock block_;
  uint32_t first_doc_;
  uint32_t last_doc_;
  uint32_t lowest_;  // the block where the walk is
  uint32_t left_;    // documents of it that were not passed
};

}  // namespace holdfast::search
