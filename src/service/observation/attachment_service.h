// Files beside observations: announced, uploaded, completed, then named by observations.
// Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/observation/content_scan.h"
#include "service/observation/registry.h"
#include "service/observation/visit.h"
#include "storage/store.h"

namespace holdfast::service::observation {

struct AttachmentParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  UlidGenerator& ids;
  const Clock& clock;
};

struct Initiated {
  Attachment attachment = {};
  std::vector<ContentWarning> warnings = {};  // about its name
};

struct ShownAttachment {
  Attachment attachment = {};
  std::vector<std::string> used_in = {};  // observations that the caller may see
};

// Bytes of a file, or a piece of it.
struct FileContent {
  Attachment attachment = {};
  std::string bytes = {};
};
struct ByteRange {
  int64_t first = 0;
  int64_t last = 0;  // inclusive
};

// The queue of jobs that remove what was announced and never completed.
inline constexpr std::string_view kUnfinishedQueue = "attachment_unfinished";

class AttachmentService {
 public:
  explicit AttachmentService(const AttachmentParts& parts) : parts_(parts) {}

  // Errors: a workspace that does not exist or may not be written in; kTooLarge; sensitive_content.
  Result<Initiated> initiate(Mutation& mutation, Attachment wanted);

  // The bytes of one that is not completed, replacing earlier ones. Whoever holds the signed link
  // may. kNotFound; kConflict once it is ready; kInvalidArgument for another type or size.
  Status upload(const CallContext& call, const std::string& id, std::string_view content_type,
                std::string_view bytes);

  // kNotFound, then kPermissionDenied for anybody but its uploader.
  Status may_complete(const CallContext& call, const std::string& id) const;
  // Judges the bytes before the write that completes; what is wrong with them is an error and they
  // are gone. kConflict if there are none.
  struct Inspection {
    std::string blob_id = {};
    std::string sha256 = {};
    std::vector<ContentWarning> warnings = {};
  };
  Result<Inspection> inspect(const CallContext& call, const std::string& id,
                             const std::optional<std::string>& sha256);
  Result<Attachment> complete(Mutation& mutation, const std::string& id,
                              const Inspection& inspection);

  // Its uploader, and whoever sees an observation that uses it. kPermissionDenied where only
  // clearance is missing; otherwise kNotFound.
  Result<ShownAttachment> get(const CallContext& call, const std::string& id) const;
  // The same for its bytes; `filename` must be its name.
  Result<Attachment> readable(const CallContext& call, const std::string& id,
                              const std::string& filename) const;
  // Whoever holds a signed link.
  Result<Attachment> linked(const CallContext& call, const std::string& id,
                            const std::string& filename) const;
  Result<std::string> bytes(const CallContext& call, const Attachment& attachment,
                            const ByteRange& range) const;

  // Its uploader or an administrator. kConflict (locked) while an observation uses it, except for
  // administrators: the observations then no longer list it.
  Status remove(Mutation& mutation, const std::string& id);

  // For the job: removes it if it is still not completed.
  Status remove_unfinished(storage::WriteTxn& txn, const SpaceId& space,
                           const std::string& id) const;

 private:
  Result<Attachment> find(Visit& visit, const std::string& id) const;
  Result<Attachment> completable(Visit& visit, const std::string& id) const;
  Result<int64_t> ceiling(Mutation& mutation, const Workspace& workspace) const;
  Result<std::string> stored_bytes(const CallContext& call, const std::string& blob_id,
                                   const ByteRange& range) const;
  Status drop_bytes(const CallContext& call, const std::string& id, const std::string& blob_id);
  Status keep_bytes(const CallContext& call, const storage::BlobInfo& blob, std::string_view bytes);

  const AttachmentParts parts_;
};

}  // namespace holdfast::service::observation
