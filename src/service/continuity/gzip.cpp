#include "service/continuity/gzip.h"

#include <array>

#include <zlib.h>

#include "base/assert.h"

namespace holdfast::service::continuity {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, in gzip's frame
constexpr int kMemoryLevel = 9;

Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib does not write there
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  const int ready = deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                                 Z_DEFAULT_STRATEGY);
  HOLDFAST_ASSERT(ready == Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = bytes_of(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = bytes_of(out);
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  HOLDFAST_ASSERT(done == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<std::string> gunzip(std::string_view packed, size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return unavailable("zlib cannot be used.");
  stream.next_in = bytes_of(packed);
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  std::array<char, 65536> buffer{};
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
    if (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;
  }
  inflateEnd(&stream);
  if (out.size() > most)
    return Error{.code = ErrorCode::kTooLarge, .message = "The unpacked file is too large."};
  if (state != Z_STREAM_END) return invalid_argument("The file is not gzip, or it is cut short.");
  return out;
}

}  // namespace holdfast::service::continuity
