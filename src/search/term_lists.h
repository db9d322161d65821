// Lists of documents by term, as a segment under way needs them: made of the documents, or of the
// lists that its inputs have. Not thread-safe.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "search/numbering.h"
#include "search/postings.h"

namespace holdfast::search {

// Filled in one pass after their sizes are known.
class Lists {
 public:
  void size_up(const std::vector<uint32_t>& counts, bool with_tfs) {
    next_.reserve(counts.size() + 1);
    uint64_t sum = 0;
    next_.push_back(0);
    for (const uint32_t count : counts) {
      next_.push_back(sum);
      sum += count;
    }
    docs_.resize(sum);
    if (with_tfs) tfs_.resize(sum);
  }
  void add(uint32_t term, uint32_t doc) { docs_[next_[term + 1]++] = doc; }
  void add(uint32_t term, uint32_t doc, uint16_t tf) {
    tfs_[next_[term + 1]] = tf;
    add(term, doc);
  }
  // As in a memtable; once all are filled.
  PostingList list(uint32_t term) const {
    const size_t begin = next_[term];
    return {.count = static_cast<uint32_t>(next_[term + 1] - begin),
            .docs = docs_.data() + begin,
            .tfs = tfs_.empty() ? nullptr : tfs_.data() + begin};
  }

 private:
  // Where a term's next document goes, one place further than the term: once all are filled, each
  // list begins where the one before it ended.
  std::vector<uint64_t> next_;
  std::vector<uint32_t> docs_;
  std::vector<uint16_t> tfs_;
};

// Those of inputs that have their terms in the order of the final numbers, and whose documents
// follow each other, input after input.
class JoinedLists {
 public:
  // `numbering` must outlive it.
  explicit JoinedLists(const Numbering& numbering) : numbering_(numbering) {}

  void add_input(uint32_t documents) {
    inputs_.push_back({.first_doc = documents_, .final = final_id(inputs_.size(), 0)});
    documents_ += documents;
  }
  // The list of the next term, as in a memtable: they are asked for one after the other. It is
  // valid until then. `list_of(input, id)` gives that of an input.
  template <typename ListOf>
  PostingList list(uint32_t term, ListOf&& list_of) {
    docs_.clear();
    tfs_.clear();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      Input& input = inputs_[i];
      if (input.final != term) continue;
      append(list_of(i, input.next), input.first_doc);
      input.final = final_id(i, ++input.next);
    }
    return {.count = static_cast<uint32_t>(docs_.size()), .docs = docs_.data(), .tfs = tfs_.data()};
  }

 private:
  struct Input {
    uint32_t first_doc = 0;
    uint32_t next = 0;   // the input's own number of its next term,
    uint32_t final = 0;  // and the final one
  };

  uint32_t final_id(size_t input, uint32_t id) const {
    const bool is_one = id < numbering_.gathered(input).size();
    return is_one ? numbering_.final_id(input, id) : Numbering::kNoText;
  }
  void append(const PostingList& list, uint32_t first_doc) {
    for (uint32_t number = 0; number < list.block_count(); ++number) {
      block_.load(list, number);
      for (uint32_t at = 0; at < block_.size(); ++at) {
        docs_.push_back(first_doc + block_.doc(at));
        tfs_.push_back(block_.tf(at));
      }
    }
  }

  const Numbering& numbering_;
  std::vector<Input> inputs_;
  uint32_t documents_ = 0;
  PostingBlock block_;
  std::vector<uint32_t> docs_;
  std::vector<uint16_t> tfs_;
};

}  // namespace holdfast::search
