// memory_query source_slice: the lines of a source, from the stored text of a document or from the
// files of an ingested repository as they are now.
#pragma once

#include <optional>
#include <string>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/substrate/ingest_service.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct SliceQuery {
  std::string source_id = {};
  std::optional<std::string> path = std::nullopt;
  std::optional<int64_t> line_start = std::nullopt;
  std::optional<int64_t> line_end = std::nullopt;
  std::optional<std::string> segment_id = std::nullopt;
  int64_t max_lines = 120;
  int64_t snippet_chars = 8000;
};

// Why there is no slice; the wire's words are in the surface.
enum class SliceStatus : uint8_t {
  kOk,
  kNotFound,
  kMissingPath,
  kInvalidPath,
  kPathNotIndexed,
  kPathNotFound,
  kUnreadable,
  kUnsupportedSource,
  kSegmentNotFound,
  kInvalidRange,
};

struct Slice {
  SliceStatus status = SliceStatus::kOk;
  std::string source_id = {};
  std::string path = {};  // as asked for; of documents where they came from
  std::string kind = {};
  std::string title = {};
  bool from_repository = false;
  int64_t line_start = 1;
  int64_t line_end = 0;  // line_start - 1 beyond the end
  int64_t requested_line_start = 1;
  int64_t requested_line_end = 0;
  int64_t total_lines = 0;
  std::string text = {};
  bool line_truncated = false;
  bool char_truncated = false;
  int64_t next_line_start = 0;  // 0: nothing of the range was left out
  std::optional<std::string> segment_id = std::nullopt;
  std::string current_hash = {};
  std::string indexed_hash = {};
  std::string fingerprint = {};
};

// Thread-safe. Repository files are read only where the index of the source lists them, below the
// folder it was made of, without following links out of it, and by callers who may ingest there.
class SliceService {
 public:
  SliceService(storage::Store& store, const access::Gatekeeper& gatekeeper, IngestOptions paths)
      : store_(store), gatekeeper_(gatekeeper), paths_(std::move(paths)) {}

  Result<Slice> slice(const CallContext& call, const SliceQuery& query);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const IngestOptions paths_;
};

}  // namespace holdfast::service::substrate
