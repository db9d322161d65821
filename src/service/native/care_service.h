// The state of the memory and its upkeep: health, numbers, checking, rebuilding the index, copying.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "search/source.h"
#include "service/native/embedding_service.h"
#include "storage/store.h"

namespace holdfast::service {

struct HealthResponse {
  bool vector_index_ready = true;
  bool embeddings = false;            // vectors are kept
  bool embedding_provider_ok = true;  // false: searches are by words alone for now
  JournalPosition position = 0;
};

struct StatsResponse {
  SpaceId space = {};
  std::map<std::string, int64_t> objects = {};  // by kind, as far as the caller may see
  JournalPosition position = 0;
  bool with_sizes = false;  // sizes are the administrator's
  storage::StoreSizes sizes = {};
  int64_t index_bytes = 0;
  int64_t index_documents = 0;
};

struct VerifyResponse {
  std::vector<std::string> findings = {};  // one sentence each; empty: sound
  int64_t objects_checked = 0;
};

struct ReindexRequest {
  std::string space = {};  // empty: all
};
struct ReindexResponse {
  int64_t documents = 0;
};

struct BackupRequest {
  std::string path = {};  // of the new file; must not exist
};
struct BackupResponse {
  std::string path = {};
  int64_t bytes = 0;
};

struct NoRequest {};

// Thread-safe.
class CareService {
 public:
  // `source` is what the index is made from.
  CareService(storage::Store& store, const access::Gatekeeper& gatekeeper, search::Index& index,
              search::DocumentSource& source)
      : store_(store), gatekeeper_(gatekeeper), index_(index), source_(source) {}

  // Before the first call: health also speaks for the vectors.
  void use_embeddings(const EmbeddingService* embeddings) { embeddings_ = embeddings; }

  // Needs no credential: what /health shows.
  Result<HealthResponse> health(const CallContext& call, const NoRequest& none);
  // kPermissionDenied unless the caller administers the server.
  Status may_see_totals(const CallContext& call) const;
  Result<StatsResponse> stats(const CallContext& call, const NoRequest& none);

  // The rest needs the scope `admin`.
  // Compares the store with itself and the index with the store.
  Result<VerifyResponse> verify(const CallContext& call, const NoRequest& none);
  Result<ReindexResponse> reindex(const CallContext& call, const ReindexRequest& request);
  // Only for a process on this machine's own socket: it names a path of the server's file system.
  Result<BackupResponse> backup(const CallContext& call, const BackupRequest& request);

 private:
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  search::Index& index_;
  search::DocumentSource& source_;
  const EmbeddingService* embeddings_ = nullptr;
};

}  // namespace holdfast::service
