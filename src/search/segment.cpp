#include "search/segment.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/prefetch.h"
#include "search/bytes.h"

namespace holdfast::search {
namespace {

class HeapBytes : public SegmentBytes {
 public:
  explicit HeapBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::span<const uint8_t> view() const override {
    return {reinterpret_cast<const uint8_t*>(bytes_.data()), bytes_.size()};
  }

 private:
  std::string bytes_;
};

class MappedBytes : public SegmentBytes {
 public:
  MappedBytes(void* data, size_t size) : data_(data), size_(size) {}
  ~MappedBytes() override { ::munmap(data_, size_); }
  std::span<const uint8_t> view() const override {
    return {static_cast<const uint8_t*>(data_), size_};
  }

 private:
  void* data_;
  size_t size_;
};

Error damaged_segment(std::string detail) {
  return Error{.code = ErrorCode::kCorrupted,
               .message = "A part of the search index cannot be read.",
               .detail = std::move(detail)};
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

constexpr uint32_t kStride = 64;  // from one landmark to the next

std::string get_text(const uint8_t*& at) {
  const uint64_t size = get_varint(at);
  std::string text(reinterpret_cast<const char*>(at), size);
  at += size;
  return text;
}

}  // namespace

std::unique_ptr<SegmentBytes> own_bytes(std::string bytes) {
  return std::make_unique<HeapBytes>(std::move(bytes));
}

Result<std::unique_ptr<SegmentBytes>> map_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return Error{.code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kInternal,
                 .message = "A file of the search index cannot be opened.",
                 .detail = path};
  }
  struct stat info = {};
  const bool known = ::fstat(fd, &info) == 0;
  const auto size = static_cast<size_t>(info.st_size);
  if (!known || size == 0) {
    ::close(fd);
    return damaged_segment(path + " is empty");
  }
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (data == MAP_FAILED) return damaged_segment(path + " cannot be mapped");
  return std::unique_ptr<SegmentBytes>(std::make_unique<MappedBytes>(data, size));
}

Segment::Segment(std::unique_ptr<SegmentBytes> bytes, const SegmentHeader& header)
    : bytes_(std::move(bytes)), base_(bytes_->view().data()), header_(header) {
  columns_ = {.count = header_.documents,
              .number = section<int64_t>(kNumbers),
              .at = section<int64_t>(kTimes),
              .hash = section<uint64_t>(kHashes),
              .key = section<uint64_t>(kKeys),
              .label = section<uint32_t>(kDocLabels),
              .conversation = section<uint32_t>(kDocConversations),
              .speaker = section<uint32_t>(kDocSpeakers),
              .kind = section<uint16_t>(kDocKinds),
              .length = section<uint16_t>(kLengths),
              .blob_at = section<uint32_t>(kBlobOffsets),
              .blob = section<uint8_t>(kBlobs),
              .blob_bytes = header_.sections[kBlobs].size,
              .form_stem = section<uint32_t>(kFormStems)};
}

Result<std::unique_ptr<Segment>> Segment::open(std::unique_ptr<SegmentBytes> bytes,
                                               Tables& tables) {
  const auto view = bytes->view();
  if (view.size() < sizeof(SegmentHeader)) return damaged_segment("a segment is too short");
  const auto header = load<SegmentHeader>(view.data());
  if (header.magic != kSegmentMagic || header.version != kSegmentVersion)
    return damaged_segment("a segment has another format");
  if (header.size != view.size()) return damaged_segment("a segment is cut off");
  for (const auto& extent : header.sections) {
    if (extent.offset > view.size() || extent.size > view.size() - extent.offset) {
      return damaged_segment("a section of a segment lies outside of it");
    }
  }
  std::unique_ptr<Segment> segment(new Segment(std::move(bytes), header));
  for (uint32_t i = 0; i < segment->text_count(kLabelOffsets); ++i) {
    segment->label_values_.push_back(decode_label(segment->text(kLabelOffsets, i)));
    segment->labels_.push_back(tables.label_id(segment->label_values_.back()));
  }
  for (uint32_t i = 0; i < segment->text_count(kKindOffsets); ++i) {
    segment->kind_names_.emplace_back(segment->text(kKindOffsets, i));
    segment->kinds_.push_back(tables.kind_id(segment->kind_names_.back()));
  }
  segment->mark_all_alive(header.documents);
  const Columns& columns = segment->columns_;
  if (columns.count > 0) segment->largest_number_ = columns.number[columns.count - 1];
  segment->set_landmarks();
  return segment;
}

std::string_view Segment::text(Section offsets, uint32_t id) const {
  const uint32_t* const begins = section<uint32_t>(offsets);
  const char* const bytes = section<char>(static_cast<Section>(offsets + 1));
  return {bytes + begins[id], begins[id + 1] - begins[id]};
}

uint32_t Segment::text_count(Section offsets) const {
  return static_cast<uint32_t>(header_.sections[offsets].size / sizeof(uint32_t) - 1);
}

void Segment::set_landmarks() {
  landmarks_.reserve(stem_count() / kStride + 1);
  for (uint32_t stem = 0; stem < stem_count(); stem += kStride)
    landmarks_.push_back(beginning_of(stem_text(stem)));
}

Segment::Stems Segment::stems_around(std::string_view wanted) const {
  const auto [equal, more] =
      std::equal_range(landmarks_.begin(), landmarks_.end(), beginning_of(wanted));
  const auto stem_at = [&](auto landmark) {
    return static_cast<uint32_t>(landmark - landmarks_.begin()) * kStride;
  };
  const Stems stems{.from = equal == landmarks_.begin() ? 0 : stem_at(equal - 1) + 1,
                    .to = more == landmarks_.end() ? stem_count() : stem_at(more)};
  // Most often these are all.
  const uint32_t end = std::min(stems.to, stems.from + kStride);
  const uint32_t* const begins = section<uint32_t>(kStemOffsets);
  const char* const bytes = section<char>(static_cast<Section>(kStemOffsets + 1));
  for (uint32_t i = stems.from; i < end; i += kCacheLine / sizeof(uint32_t)) prefetch(begins + i);
  for (size_t at = begins[stems.from]; at < begins[end]; at += kCacheLine) prefetch(bytes + at);
  return stems;
}

uint32_t Segment::lower_bound(Section offsets, std::string_view wanted) const {
  const bool is_stem = offsets == kStemOffsets;
  auto [from, to] = is_stem ? stems_around(wanted) : Stems{.to = text_count(offsets)};
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (text(offsets, middle) < wanted) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

std::optional<uint32_t> Segment::find(Section offsets, std::string_view wanted) const {
  const uint32_t id = lower_bound(offsets, wanted);
  if (id == text_count(offsets) || text(offsets, id) != wanted) return std::nullopt;
  return id;
}

std::pair<uint32_t, uint32_t> Segment::facets_of(std::string_view name) const {
  return {lower_bound(kFacetOffsets, std::string(name) + '\0'),
          lower_bound(kFacetOffsets, std::string(name) + '\1')};
}

std::vector<uint32_t> Segment::stems_with_prefix(std::string_view prefix) const {
  std::vector<uint32_t> found;
  for (uint32_t id = lower_bound(kStemOffsets, prefix); id < stem_count(); ++id) {
    if (!stem_text(id).starts_with(prefix)) break;
    found.push_back(id);
  }
  return found;
}

PostingList Segment::list(const ListEntry& entry) const {
  return {
      .count = entry.count,
      .bound = entry.bound,
      .packed = section<uint8_t>(kPostings) + entry.postings_at,
      .skips = entry.count > kBlockDocs ? section<SkipEntry>(kSkips) + entry.first_skip : nullptr};
}

std::span<const uint32_t> Segment::conversation_docs(uint32_t id) const {
  const uint32_t* const begins = section<uint32_t>(kConversationBegins);
  return {section<uint32_t>(kConversationDocs) + begins[id], begins[id + 1] - begins[id]};
}

std::optional<uint32_t> Segment::find_number(ObjectNumber number) const {
  const std::span numbers(columns_.number, columns_.count);
  const auto it = std::ranges::lower_bound(numbers, number);
  if (it == numbers.end() || *it != number) return std::nullopt;
  return static_cast<uint32_t>(it - numbers.begin());
}

std::string encode_label(const Label& label) {
  std::string out;
  put_varint(out, static_cast<uint64_t>(label.visibility));
  put_varint(out, static_cast<uint64_t>(label.sensitivity));
  put_text(out, label.container);
  put_text(out, label.owner);
  put_varint(out, label.compartments.size());
  for (const std::string& compartment : label.compartments) put_text(out, compartment);
  return out;
}

Label decode_label(std::string_view bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  Label label;
  label.visibility = static_cast<Visibility>(get_varint(at));
  label.sensitivity = static_cast<Sensitivity>(get_varint(at));
  label.container = get_text(at);
  label.owner = get_text(at);
  for (uint64_t left = get_varint(at); left > 0; --left) label.compartments.push_back(get_text(at));
  return label;
}

}  // namespace holdfast::search
