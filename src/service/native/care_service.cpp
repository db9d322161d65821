#include "service/native/care_service.h"

#include <filesystem>

namespace holdfast::service {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<HealthResponse> CareService::health(const CallContext& call, const NoRequest&) {
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const JournalPosition position, txn->position());
  return HealthResponse{
      .vector_index_ready = embeddings_ == nullptr || embeddings_->caught_up(),
      .embeddings = embeddings_ != nullptr,
      .embedding_provider_ok = embeddings_ == nullptr || embeddings_->provider_ok(),
      .position = position};
}

Status CareService::may_see_totals(const CallContext& call) const {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  return {};
}

Result<StatsResponse> CareService::stats(const CallContext& call, const NoRequest&) {
  HOLDFAST_TRY(const auto access, gatekeeper_.require(call, access::Permission::kRead));
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  StatsResponse response{.space = access.space()};
  HOLDFAST_TRY(response.position, txn->position());
  for (const auto& count : index_.counts(access)) response.objects[count.kind] = count.documents;
  if (!gatekeeper_.require_admin(call)) return response;
  response.with_sizes = true;
  response.sizes = store_.sizes();
  for (const auto& [space, sizes] : index_.sizes()) {
    response.index_bytes += static_cast<int64_t>(sizes.segment_bytes + sizes.memtable_bytes);
    response.index_documents += sizes.documents;
  }
  return response;
}

Result<VerifyResponse> CareService::verify(const CallContext& call, const NoRequest&) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  VerifyResponse response;
  HOLDFAST_TRY(response.findings, store_.check());
  HOLDFAST_TRY(const auto index_findings, index_.verify(source_));
  response.findings.insert(response.findings.end(), index_findings.begin(), index_findings.end());
  for (const auto& [space, sizes] : index_.sizes()) response.objects_checked += sizes.documents;
  return response;
}

Result<ReindexResponse> CareService::reindex(const CallContext& call,
                                             const ReindexRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  if (!request.space.empty() && !store_.space_exists(SpaceId{request.space}))
    return not_found("space", request.space);
  HOLDFAST_TRY(const auto spaces, source_.spaces());
  for (const SpaceId& space : spaces) {
    if (request.space.empty() || space.value == request.space)
      HOLDFAST_CHECK_OK(index_.rebuild(space, source_));
  }
  ReindexResponse response;
  for (const auto& [space, sizes] : index_.sizes()) {
    if (request.space.empty() || space.value == request.space)
      response.documents += sizes.documents;
  }
  return response;
}

Result<BackupResponse> CareService::backup(const CallContext& call, const BackupRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require_admin(call));
  if (!call.local_process) {
    return Error{.code = ErrorCode::kPermissionDenied,
                 .message =
                     "A backup names a path of the server's own disk: run 'holdfast backup' on "
                     "that machine."};
  }
  if (!fs::path(request.path).is_absolute()) return invalid_argument("The path must be absolute.");
  std::error_code error;
  if (fs::exists(request.path, error))
    return invalid_argument(request.path + " exists already; name a new file.");
  HOLDFAST_CHECK_OK(store_.backup(request.path, [](double) {}));
  const auto bytes = fs::file_size(request.path, error);
  return BackupResponse{.path = request.path, .bytes = error ? 0 : static_cast<int64_t>(bytes)};
}

}  // namespace holdfast::service
