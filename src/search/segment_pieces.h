// The sections of a segment, one behind the other, where they were made: most are in the memory of
// who made them, and are not copied. docs/search.md has the format.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "search/numbering.h"
#include "search/segment.h"

namespace holdfast::search {

// Neither copied nor moved: its pieces point into it.
class SegmentPieces {
 public:
  SegmentPieces();
  SegmentPieces(const SegmentPieces&) = delete;
  SegmentPieces& operator=(const SegmentPieces&) = delete;

  // What is put stays where it is and must not change any more.
  template <typename T>
  void put(Section id, const std::vector<T>& values) {
    put_bytes(id, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void put_bytes(Section id, std::string_view bytes);
  // Where each text begins, and in the section behind that the texts.
  void put_texts(Section offsets, const Numbering& numbering);
  // One to be filled and put, kept as long as the pieces.
  std::vector<uint32_t>& table(size_t size) { return tables_.emplace_back(size); }

  // All of them, the header first. Nothing is put afterwards.
  std::vector<std::string_view> take(uint32_t documents);

 private:
  void add(std::string_view bytes);

  SegmentHeader header_;
  std::vector<std::string_view> pieces_;
  std::deque<std::vector<uint32_t>> tables_;
  std::deque<std::string> texts_;
};

}  // namespace holdfast::search
