#include "service/substrate/slice_service.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/utf8.h"
#include "service/substrate/ingest_paths.h"
#include "service/substrate/query_service.h"
#include "service/substrate/stored.h"
#include "service/substrate/words.h"
#include "text/lines.h"

namespace holdfast::service::substrate {
namespace {

namespace fs = std::filesystem;
using access::SpaceAccess;

constexpr uintmax_t kMaxSliceFileBytes = uintmax_t{16} << 20;

// The text behind a slice, or why there is none.
struct Content {
  SliceStatus status = SliceStatus::kOk;
  std::string text = {};
  std::string indexed_hash = {};
};

std::string indexed_hash(const DocumentView& payload, const std::string& path) {
  for (const std::string_view list : {"code_index", "doc_index"}) {
    const auto* entries = payload.member(list).if_array();
    if (entries == nullptr) continue;
    for (const Value& json : *entries) {
      const DocumentView entry(ObjectType::kSource, json);
      if (entry.text("path") == path) return std::string(entry.text("sha256"));
    }
  }
  return {};
}

bool stays_inside(const fs::path& root, const fs::path& file) {
  const auto relative = file.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

Content read_repository_file(const DocumentView& source, const std::string& path) {
  const DocumentView origin(ObjectType::kSource, source.member("origin"));
  const DocumentView payload(ObjectType::kSource, source.member("payload"));
  const fs::path relative = fs::path(path).lexically_normal();
  const bool climbs = !relative.empty() && *relative.begin() == "..";
  if (relative.is_absolute() || climbs || path.find('\0') != std::string::npos) {
    return {.status = SliceStatus::kInvalidPath};
  }
  const std::string hash = indexed_hash(payload, relative.string());
  if (hash.empty()) return {.status = SliceStatus::kPathNotIndexed};
  std::error_code error;
  const fs::path root = fs::canonical(fs::path(origin.text("path")), error);
  if (error) return {.status = SliceStatus::kPathNotFound};
  const fs::path file = fs::canonical(root / relative, error);
  if (error) return {.status = SliceStatus::kPathNotFound};
  if (!stays_inside(root, file)) return {.status = SliceStatus::kInvalidPath};
  if (!fs::is_regular_file(file, error)) return {.status = SliceStatus::kPathNotFound};
  const auto size = fs::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || size > kMaxSliceFileBytes || !in) return {.status = SliceStatus::kUnreadable};
  Content content{.text = std::string(std::istreambuf_iterator<char>(in), {}),
                  .indexed_hash = hash};
  if (!is_valid_utf8(content.text)) content.status = SliceStatus::kUnreadable;
  return content;
}

Content read_content(const CallContext& call, const IngestOptions& paths,
                     const DocumentView& source, const SliceQuery& query) {
  if (source.is_repo_source()) {
    if (!query.path) return {.status = SliceStatus::kMissingPath};
    const DocumentView origin(ObjectType::kSource, source.member("origin"));
    if (!resolve_path(call, paths, std::string(origin.text("path")))) {
      return {.status = SliceStatus::kUnreadable};
    }
    return read_repository_file(source, *query.path);
  }
  const DocumentView payload(ObjectType::kSource, source.member("payload"));
  if (!payload.member("text").is_string()) return {.status = SliceStatus::kUnsupportedSource};
  return {.text = std::string(payload.text("text")),
          .indexed_hash = std::string(source.text("fingerprint"))};
}

struct SegmentPlace {
  std::string path = {};
  int64_t line_start = 1;
  int64_t line_end = 1;
};

std::optional<SegmentPlace> find_segment(const DocumentView& source, const std::string& id) {
  const auto* segments = source.member("segments").if_array();
  if (segments == nullptr) return std::nullopt;
  for (const Value& json : *segments) {
    const DocumentView segment(ObjectType::kSource, json);
    if (segment.text("segment_id") != id) continue;
    const DocumentView locator(ObjectType::kSource, segment.member("locator"));
    const auto line = [&](std::string_view name) {
      return std::max<int64_t>(1, static_cast<int64_t>(locator.member(name).to_double()));
    };
    return SegmentPlace{.path = std::string(locator.text("path")),
                        .line_start = line("line_start"),
                        .line_end = line("line_end")};
  }
  return std::nullopt;
}

// The last of `count` lines from `first` on; a caller's line may be as large as numbers get.
int64_t last_of(int64_t first, int64_t count) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  return first > kLargest - count ? kLargest : first + count - 1;
}

void cut(Slice& out, const std::vector<std::string_view>& lines, const SliceQuery& query) {
  const int64_t first = out.requested_line_start;
  const int64_t wanted_end = std::min(out.requested_line_end, last_of(first, query.max_lines));
  const int64_t last = std::min(wanted_end, out.total_lines);
  out.line_start = first;
  out.line_end = std::max(last, first - 1);
  for (int64_t line = first; line <= last; ++line) {
    if (line > first) out.text += '\n';
    out.text += lines[static_cast<size_t>(line - 1)];
  }
  // Fewer lines than the range holds, be it the budget's or the file's end.
  out.line_truncated = out.line_end < out.requested_line_end;
  const auto limit = static_cast<size_t>(query.snippet_chars);
  if (count_code_points(out.text) > limit) {
    out.text = std::string(prefix_code_points(out.text, limit));
    out.char_truncated = true;
  }
  const int64_t range_end = std::min(out.requested_line_end, out.total_lines);
  if (out.line_end < range_end) out.next_line_start = out.line_end + 1;
}

}  // namespace

Result<Slice> SliceService::slice(const CallContext& call, const SliceQuery& given) {
  HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  SliceQuery query = given;
  Slice out{.source_id = query.source_id, .path = query.path.value_or("")};
  const auto unavailable = [&](SliceStatus status) {
    out.status = status;
    return out;
  };
  HOLDFAST_TRY(const auto source, find_stored(*txn, access, query.source_id));
  if (!source || source->type != ObjectType::kSource) return unavailable(SliceStatus::kNotFound);
  const DocumentView view = source->view();
  out.kind = std::string(view.kind());
  out.title = std::string(view.title());
  out.from_repository = view.is_repo_source();
  out.fingerprint = std::string(view.text("fingerprint"));
  if (query.segment_id) {
    const auto place = find_segment(view, *query.segment_id);
    if (!place) return unavailable(SliceStatus::kSegmentNotFound);
    out.segment_id = query.segment_id;
    if (!query.path && !place->path.empty()) query.path = place->path;
    if (!query.line_start) query.line_start = place->line_start;
    if (!query.line_end) query.line_end = place->line_end;
  }
  const Content content = read_content(call, paths_, view, query);
  out.path = query.path.value_or("");
  if (content.status != SliceStatus::kOk) return unavailable(content.status);
  out.requested_line_start = query.line_start.value_or(1);
  out.requested_line_end =
      query.line_end.value_or(last_of(out.requested_line_start, query.max_lines));
  if (out.requested_line_end < out.requested_line_start) {
    return unavailable(SliceStatus::kInvalidRange);
  }
  const auto lines = text::split_lines(content.text);
  out.total_lines = static_cast<int64_t>(lines.size());
  out.current_hash = sha256_hex(content.text);
  out.indexed_hash = content.indexed_hash;
  cut(out, lines, query);
  return out;
}

}  // namespace holdfast::service::substrate
