#include "search/manifest.h"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY  // a state on the stack
#include <xxhash.h>

#include "search/bytes.h"
#include "search/segment_format.h"
#include "text/analyzer.h"

namespace holdfast::search {
namespace {

constexpr uint64_t kManifestMagic = 0x314e414d'46444c48;  // "HLDFMAN1"

Error damaged_manifest(std::string detail) {
  return Error{.code = ErrorCode::kCorrupted,
               .message = "The list of search segments cannot be read.",
               .detail = std::move(detail)};
}

// Fixed-size values only, so that a bounds check is one comparison.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  T get() {
    if (bytes_.size() < sizeof(T)) {
      short_ = true;
      return T{};
    }
    const T value = load<T>(bytes_.data());
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  bool fits(uint64_t count, size_t each) const { return count <= bytes_.size() / each; }
  bool is_short() const { return short_; }

 private:
  std::string_view bytes_;
  bool short_ = false;
};

}  // namespace

std::string encode_manifest(const Manifest& manifest) {
  std::string out;
  put_fixed(out, kManifestMagic);
  put_fixed(out, kSegmentVersion);
  put_fixed(out, text::kAnalyzerVersion);
  put_fixed(out, manifest.position);
  put_fixed(out, manifest.position_time);
  put_fixed(out, manifest.next_file_id);
  put_fixed(out, static_cast<uint64_t>(manifest.segments.size()));
  for (const auto& segment : manifest.segments) {
    put_fixed(out, segment.id);
    put_fixed(out, segment.size);
    put_fixed(out, segment.checksum);
    put_fixed(out, static_cast<uint64_t>(segment.dead.size()));
    for (const uint32_t doc : segment.dead) put_fixed(out, doc);
  }
  put_fixed(out, checksum(out));
  return out;
}

Result<Manifest> decode_manifest(std::string_view bytes) {
  if (bytes.size() < sizeof(uint64_t)) return damaged_manifest("too short");
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (load<uint64_t>(bytes.data() + body.size()) != checksum(body))
    return damaged_manifest("checksum");
  Reader reader(body);
  if (reader.get<uint64_t>() != kManifestMagic) return damaged_manifest("not a manifest");
  if (reader.get<uint32_t>() != kSegmentVersion) return damaged_manifest("another format version");
  if (reader.get<uint32_t>() != text::kAnalyzerVersion)
    return damaged_manifest("another analyser version");
  Manifest manifest;
  manifest.position = reader.get<int64_t>();
  manifest.position_time = reader.get<int64_t>();
  manifest.next_file_id = reader.get<uint64_t>();
  const auto segments = reader.get<uint64_t>();
  for (uint64_t i = 0; i < segments && !reader.is_short(); ++i) {
    Manifest::SegmentFile file;
    file.id = reader.get<uint64_t>();
    file.size = reader.get<uint64_t>();
    file.checksum = reader.get<uint64_t>();
    const auto dead = reader.get<uint64_t>();
    if (!reader.fits(dead, sizeof(uint32_t))) return damaged_manifest("cut off");
    for (uint64_t d = 0; d < dead; ++d) file.dead.push_back(reader.get<uint32_t>());
    manifest.segments.push_back(std::move(file));
  }
  if (reader.is_short()) return damaged_manifest("cut off");
  return manifest;
}

std::string segment_file_name(uint64_t id) { return fmt::format("segment-{:08}", id); }

uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

uint64_t checksum(std::span<const std::string_view> pieces) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const std::string_view piece : pieces)
    XXH3_64bits_update(&state, piece.data(), piece.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace holdfast::search
