// The texts of one sort (forms, stems, facets, ...) of the parts that a segment is made of: first
// gathered, then numbered anew. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "search/bytes.h"
#include "search/string_pool.h"

namespace holdfast::search {

class Numbering {
 public:
  static constexpr uint32_t kNoText = UINT32_MAX;

  // `kept`: the texts lie in the inputs and stay there, so that those of a single input, which has
  // each once, need be neither compared nor copied.
  explicit Numbering(size_t inputs, bool kept = false)
      : once_(kept && inputs == 1), local_(inputs) {}

  // The gathered number of a text that an input calls `id`.
  template <typename TextOf>
  uint32_t gather(size_t input, uint32_t id, TextOf&& text_of) {
    auto& local = local_[input];
    if (id >= local.size()) local.resize(id + size_t{1}, kNoText);
    if (local[id] == kNoText) local[id] = add(text_of(id));
    return local[id];
  }
  // The gathered numbers of an input's texts; kNoText for those that no document has.
  const std::vector<uint32_t>& gathered(size_t input) const { return local_[input]; }
  uint32_t add(std::string_view text) {
    if (!once_) return pool_.intern(text);
    texts_.push_back(text);
    return size() - 1;
  }
  uint32_t size() const { return once_ ? static_cast<uint32_t>(texts_.size()) : pool_.size(); }
  std::string_view gathered_text(uint32_t id) const { return once_ ? texts_[id] : pool_.text(id); }

  void number_as_gathered() {
    ordered_.resize(size());
    std::iota(ordered_.begin(), ordered_.end(), 0U);
    final_ = ordered_;
  }
  void number_by_text() {
    order([](uint32_t) { return 0U; });
  }
  // Frequent ones first: their numbers take fewer bytes in the token sequences.
  template <typename CountOf>
  void number_by_count(CountOf&& count_of) {
    order([&](uint32_t id) { return UINT32_MAX - count_of(id); });
  }
  uint32_t final_id(uint32_t gathered_id) const { return final_[gathered_id]; }
  uint32_t final_id(size_t input, uint32_t id) const { return final_[local_[input][id]]; }
  uint32_t gathered_at(uint32_t final_id) const { return ordered_[final_id]; }

  // Of all texts, one behind the other.
  size_t text_bytes() const {
    size_t bytes = 0;
    for (uint32_t id = 0; id < size(); ++id) bytes += gathered_text(id).size();
    return bytes;
  }
  void write(std::vector<uint32_t>& offsets, std::string& bytes) const {
    offsets.reserve(ordered_.size() + 1);
    bytes.reserve(text_bytes());
    offsets.push_back(0);
    for (const uint32_t id : ordered_) {
      bytes.append(gathered_text(id));
      offsets.push_back(static_cast<uint32_t>(bytes.size()));
    }
  }

 private:
  // What mostly decides, beside each other in memory: the rank, then the first bytes of the text.
  struct Key {
    uint32_t rank = 0;
    uint32_t id = 0;
    uint64_t beginning = 0;
  };

  // By rank, then by text.
  template <typename RankOf>
  void order(RankOf&& rank_of) {
    std::vector<Key> keys(size());
    for (uint32_t id = 0; id < keys.size(); ++id)
      keys[id] = {.rank = rank_of(id), .id = id, .beginning = beginning_of(gathered_text(id))};
    std::ranges::sort(keys, [this](const Key& a, const Key& b) {
      if (a.rank != b.rank) return a.rank < b.rank;
      if (a.beginning != b.beginning) return a.beginning < b.beginning;
      return gathered_text(a.id) < gathered_text(b.id);
    });
    ordered_.resize(keys.size());
    final_.resize(keys.size());
    for (uint32_t i = 0; i < keys.size(); ++i) {
      ordered_[i] = keys[i].id;
      final_[keys[i].id] = i;
    }
  }

  const bool once_;
  std::vector<std::string_view> texts_;  // gathered, where once_
  StringPool pool_;                      // the same where not
  std::vector<std::vector<uint32_t>> local_;
  std::vector<uint32_t> ordered_;
  std::vector<uint32_t> final_;
};

}  // namespace holdfast::search
