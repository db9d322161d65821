#include "surface/native/care_operations.h"

namespace holdfast::surface::native {
namespace {

using service::BackupRequest;
using service::BackupResponse;
using service::NoRequest;
using service::ReindexRequest;
using service::ReindexResponse;
using service::StatsResponse;
using service::VerifyResponse;

Value encode_stats(const StatsResponse& response) {
  Value objects = Value::object();
  for (const auto& [kind, count] : response.objects) objects.set(kind, count);
  Value out = Value::object({{"space", response.space.value},
                             {"objects", std::move(objects)},
                             {"journal_position", response.position}});
  if (response.with_sizes) {
    out.set("store_bytes", response.sizes.file_bytes);
    out.set("wal_bytes", response.sizes.wal_bytes);
    out.set("index_bytes", response.index_bytes);
    out.set("index_documents", response.index_documents);
  }
  return out;
}

}  // namespace

const wire::Operation<NoRequest, StatsResponse>& stats() {
  static const wire::Operation<NoRequest, StatsResponse> operation{
      .name = "stats",
      .summary = "How many objects of each kind you may see, and sizes for an administrator.",
      .encode = encode_stats,
      .tags = {"upkeep"},
  };
  return operation;
}

const wire::Operation<NoRequest, VerifyResponse>& verify() {
  static const wire::Operation<NoRequest, VerifyResponse> operation{
      .name = "verify",
      .summary = "Check the store against itself and the index against the store.",
      .encode =
          [](const VerifyResponse& response) {
            return Value::object({{"sound", response.findings.empty()},
                                  {"objects_checked", response.objects_checked},
                                  {"findings", Value::array_of(response.findings)}});
          },
      .tags = {"upkeep"},
  };
  return operation;
}

const wire::Operation<ReindexRequest, ReindexResponse>& reindex() {
  static const wire::Operation<ReindexRequest, ReindexResponse> operation{
      .name = "reindex",
      .summary = "Build the search index anew from the store.",
      .request = wire::Schema<ReindexRequest>().optional("space", &ReindexRequest::space,
                                                         wire::max_length(64), "Only this space."),
      .encode =
          [](const ReindexResponse& response) {
            return Value::object({{"documents", response.documents}});
          },
      .tags = {"upkeep"},
  };
  return operation;
}

const wire::Operation<BackupRequest, BackupResponse>& backup() {
  static const wire::Operation<BackupRequest, BackupResponse> operation{
      .name = "backup",
      .summary =
          "Write a consistent copy of the store to a new file, while serving. For local processes "
          "only.",
      .request = wire::Schema<BackupRequest>().required(
          "path", &BackupRequest::path, wire::length(1, 4096), "Absolute path of the new file."),
      .encode =
          [](const BackupResponse& response) {
            return Value::object({{"path", response.path}, {"bytes", response.bytes}});
          },
      .tags = {"upkeep"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
