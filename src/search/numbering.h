// The texts of one sort (forms, stems, facets, ...) of the parts that a segment is made of: first
// gathered, then numbered anew. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

  // So many texts an input has.
  void make_room(size_t input, uint32_t count) {
    local_[input].resize(count, kNoText);
    if (once_) texts_.reserve(count);
  }
  // The gathered number of a text that an input calls `id`.
  template <typename TextOf>
  uint32_t gather(size_t input, uint32_t id, TextOf&& text_of) {
    auto& local = local_[input];
    if (id >= local.size()) local.resize(id + size_t{1}, kNoText);
    if (local[id] == kNoText) local[id] = add(text_of(id));
    return local[id];
  }
  // All texts of an input, so many. Some at a time: where each belongs is looked up in memory that
  // is far, so it is asked for ahead.
  template <typename TextOf>
  void gather_all(size_t input, uint32_t count, TextOf&& text_of) {
    constexpr uint32_t kAtOnce = 16;
    std::array<std::string_view, kAtOnce> texts;
    std::array<uint32_t, kAtOnce> hashes = {};
    make_room(input, count);
    for (uint32_t first = 0; first < count; first += kAtOnce) {
      const uint32_t some = std::min(kAtOnce, count - first);
      for (uint32_t i = 0; i < some; ++i) texts[i] = text_of(first + i);
      if (!once_) {
        for (uint32_t i = 0; i < some; ++i) hashes[i] = StringPool::hash_of(texts[i]);
        for (uint32_t i = 0; i < some; ++i) pool_.fetch_slot(hashes[i]);
        for (uint32_t i = 0; i < some; ++i) pool_.fetch_place(hashes[i]);
        for (uint32_t i = 0; i < some; ++i) pool_.fetch_bytes(hashes[i]);
      }
      for (uint32_t i = 0; i < some; ++i)
        local_[input][first + i] = once_ ? add(texts[i]) : pool_.intern(texts[i], hashes[i]);
    }
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
  // What decides, beside each other in memory: the rank, then eight bytes of the text.
  struct Key {
    uint32_t rank = 0;
    uint32_t id = 0;
    uint64_t bytes = 0;
  };

  // By rank, then by text.
  template <typename RankOf>
  void order(RankOf&& rank_of) {
    std::vector<Key> keys(size());
    for (uint32_t id = 0; id < keys.size(); ++id)
      keys[id] = {.rank = rank_of(id), .id = id, .bytes = beginning_of(gathered_text(id))};
    sort(keys);
    order_equals(keys, sizeof(Key::bytes));
    ordered_.resize(keys.size());
    final_.resize(keys.size());
    for (uint32_t i = 0; i < keys.size(); ++i) {
      ordered_[i] = keys[i].id;
      final_[keys[i].id] = i;
    }
  }

  // By rank, then by bytes. Many byte by byte, from the last that tells any apart: no comparison to
  // guess wrong about.
  static void sort(std::span<Key> keys) {
    constexpr size_t kMany = 1024;
    if (keys.size() < kMany) {
      std::ranges::sort(keys, {}, [](const Key& key) { return std::pair(key.rank, key.bytes); });
      return;
    }
    std::vector<Key> other(keys.size());
    std::span<Key> from = keys;
    std::span<Key> to = other;
    for (unsigned shift = 0; shift < 64; shift += 8) {
      if (deal(from, to, [&](const Key& key) { return key.bytes >> shift & 0xff; }))
        std::swap(from, to);
    }
    for (unsigned shift = 0; shift < 32; shift += 8) {
      if (deal(from, to, [&](const Key& key) { return key.rank >> shift & 0xff; }))
        std::swap(from, to);
    }
    if (from.data() != keys.data()) std::ranges::copy(from, keys.begin());
  }
  // By one byte, those with the same in the order they have. False: all have the same.
  template <typename ByteOf>
  static bool deal(std::span<const Key> from, std::span<Key> to, ByteOf&& byte_of) {
    std::array<uint32_t, 256> next = {};
    for (const Key& key : from) ++next[byte_of(key)];
    if (next[byte_of(from.front())] == from.size()) return false;
    std::exclusive_scan(next.begin(), next.end(), next.begin(), 0U);
    for (const Key& key : from) to[next[byte_of(key)]++] = key;
    return true;
  }

  // Orders those that the bytes before `depth` do not tell apart, by the ones that follow.
  void order_equals(std::span<Key> keys, size_t depth) {
    for (size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      const Key first = keys[begin];
      const auto is_equal = [&](const Key& key) {
        return key.rank == first.rank && key.bytes == first.bytes;
      };
      for (end = begin + 1; end < keys.size() && is_equal(keys[end]);) ++end;
      if (end - begin > 1) order_equal(keys.subspan(begin, end - begin), depth);
    }
  }
  void order_equal(std::span<Key> keys, size_t depth) {
    constexpr size_t kFew = 8;
    constexpr size_t kDeep = 256;  // few texts are alike so far, and each step takes some stack
    if (keys.size() <= kFew || depth >= kDeep) {
      std::ranges::sort(keys, {}, [this](const Key& key) { return gathered_text(key.id); });
      return;
    }
    // Those that end before come first; with as many zeros behind them they would seem equal.
    const auto ended = std::partition(keys.begin(), keys.end(), [&](const Key& key) {
      return gathered_text(key.id).size() <= depth;
    });
    const auto shorter = keys.first(static_cast<size_t>(ended - keys.begin()));
    const auto longer = keys.subspan(shorter.size());
    std::ranges::sort(shorter, {}, [this](const Key& key) { return gathered_text(key.id).size(); });
    for (Key& key : longer) key.bytes = beginning_of(gathered_text(key.id).substr(depth));
    sort(longer);
    order_equals(longer, depth + sizeof(Key::bytes));
  }

  const bool once_;
  std::vector<std::string_view> texts_;  // gathered, where once_
  StringPool pool_;                      // the same where not
  std::vector<std::vector<uint32_t>> local_;
  std::vector<uint32_t> ordered_;
  std::vector<uint32_t> final_;
};

}  // namespace holdfast::search
