// What makes lists of a large, finished part quick, made when it is first asked for: the documents
// of frequent facets and of each kind and label as bits, the latest and the earliest time among
// each 64 documents, which words are prose, and where pieces of words may be. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "search/form_blocks.h"
#include "search/postings.h"

namespace holdfast::search {

class ListAids {
 public:
  // The documents of the list; nullptr if it is too short to be worth bits, or there are enough
  // others. Lives as long as this.
  const std::vector<uint64_t>* bits(uint32_t facet, const PostingList& list, uint32_t documents);
  // The documents of a kind, likewise; `kinds` has the kind of each.
  const std::vector<uint64_t>* kind_bits(uint16_t kind, std::span<const uint16_t> kinds);
  // The documents of a label, likewise.
  const std::vector<uint64_t>* label_bits(uint32_t label, std::span<const uint32_t> labels);
  // The latest of `at` among documents 0 to 63, 64 to 127, ...
  std::span<const int64_t> newest(std::span<const int64_t> at);
  std::span<const int64_t> oldest(std::span<const int64_t> at);  // the earliest
  // The first number of the same documents where theirs follow each other without a gap, otherwise
  // 0. They lie together: the numbers themselves would be fetched from all over the memory.
  std::span<const int64_t> gapless(std::span<const int64_t> numbers);
  // How many forms each stem of the part has, where it stands in prose only; 0 where it is an id or
  // a tag as well. Looks into every document, once; nullptr if they are few.
  const std::vector<uint32_t>* prose_forms(const Part& part);
  // nullptr if the forms are few.
  const FormBlocks* form_blocks(const Part& part);

 private:
  using Bits = std::unique_ptr<const std::vector<uint64_t>>;

  void find_times(std::span<const int64_t> at);

  std::once_flag once_;
  std::vector<int64_t> newest_;
  std::vector<int64_t> oldest_;
  std::once_flag gapless_once_;
  std::vector<int64_t> gapless_;
  std::once_flag prose_once_;
  std::vector<uint32_t> prose_forms_;
  std::once_flag blocks_once_;
  std::optional<FormBlocks> form_blocks_;
  Mutex mutex_;
  std::unordered_map<uint32_t, Bits> bits_ HOLDFAST_GUARDED_BY(mutex_);
  std::unordered_map<uint32_t, Bits> kinds_ HOLDFAST_GUARDED_BY(mutex_);
  std::unordered_map<uint32_t, Bits> labels_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::search
