#include "search/segment_pieces.h"

namespace holdfast::search {

SegmentPieces::SegmentPieces() { add({reinterpret_cast<const char*>(&header_), sizeof header_}); }

void SegmentPieces::put_bytes(Section id, std::string_view bytes) {
  static constexpr std::string_view kPadding{"\0\0\0\0\0\0\0", 7};
  add(kPadding.substr(0, -header_.size & 7));
  header_.sections[id] = {header_.size, bytes.size()};
  add(bytes);
}

void SegmentPieces::put_texts(Section offsets, const Numbering& numbering) {
  std::vector<uint32_t>& begins = table(0);
  std::string& bytes = texts_.emplace_back();
  numbering.write(begins, bytes);
  put(offsets, begins);
  put_bytes(static_cast<Section>(offsets + 1), bytes);
}

std::vector<std::string_view> SegmentPieces::take(uint32_t documents) {
  header_.documents = documents;
  return std::move(pieces_);
}

void SegmentPieces::add(std::string_view bytes) {
  pieces_.push_back(bytes);
  header_.size += bytes.size();
}

}  // namespace holdfast::search
