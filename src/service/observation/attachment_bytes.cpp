// The bytes of attachments: uploading, judging, reading.
#include <algorithm>
#include <array>

#include "base/digest.h"
#include "service/observation/attachment_service.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

using storage::kBlobChunkBytes;

constexpr size_t kChunksPerWrite = 16;  // other writers go in between
constexpr int64_t kScannedBytes = 1'048'576;

struct Magic {
  std::string_view content_type;
  std::string_view bytes;
  std::string_view later = {};  // and these at the ninth byte
};
constexpr std::array<Magic, 10> kMagic = {{{"image/png", "\x89PNG\r\n\x1a\n"},
                                           {"image/jpeg", "\xff\xd8\xff"},
                                           {"image/gif", "GIF87a"},
                                           {"image/gif", "GIF89a"},
                                           {"image/webp", "RIFF", "WEBP"},
                                           {"application/pdf", "%PDF-"},
                                           {"application/zip", "PK\x03\x04"},
                                           {"application/zip", "PK\x05\x06"},
                                           {"application/zip", "PK\x07\x08"},
                                           {"application/gzip", "\x1f\x8b"}}};

bool begins_with(std::string_view beginning, const Magic& magic) {
  constexpr size_t kLater = 8;
  return beginning.starts_with(magic.bytes) &&
         beginning.substr(std::min(kLater, beginning.size())).starts_with(magic.later);
}

// Bytes of one of these types are announced as that type, and what is announced is there.
bool has_magic(std::string_view content_type, std::string_view beginning) {
  const auto* const seen = std::ranges::find_if(
      kMagic, [&](const Magic& magic) { return begins_with(beginning, magic); });
  if (seen != kMagic.end()) return seen->content_type == content_type;
  return std::ranges::find(kMagic, content_type, &Magic::content_type) == kMagic.end();
}

bool is_text(std::string_view content_type) {
  return content_type.starts_with("text/") || content_type == "application/json";
}

Error wrong(std::string_view code, std::string message, std::string_view field = {}) {
  std::vector<Issue::Step> path;
  if (!field.empty()) path.push_back(member(field));
  return invalid_argument(std::move(message), {body_issue(std::move(path), code)});
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
  return text;
}

}  // namespace

Status AttachmentService::keep_bytes(const CallContext& call, const storage::BlobInfo& blob,
                                     std::string_view bytes) {
  const access::SpaceAccess access = parts_.gatekeeper.engine_access(call.viewer.space);
  for (size_t at = 0; at < bytes.size(); at += kBlobChunkBytes * kChunksPerWrite) {
    HOLDFAST_CHECK_OK(parts_.store.write(call, [&](storage::WriteTxn& txn) -> Status {
      const size_t end = std::min(bytes.size(), at + kBlobChunkBytes * kChunksPerWrite);
      for (size_t begin = at; begin < end; begin += kBlobChunkBytes) {
        HOLDFAST_CHECK_OK(txn.put_blob_chunk(access, blob,
                                             static_cast<int64_t>(begin / kBlobChunkBytes),
                                             bytes.substr(begin, kBlobChunkBytes)));
      }
      return {};
    }));
  }
  return {};
}

Status AttachmentService::upload(const CallContext& call, const std::string& id,
                                 std::string_view content_type, std::string_view bytes) {
  const auto check = [&](storage::ReadTxn& txn) -> Result<Attachment> {
    HOLDFAST_TRY(Visit visit, Visit::begin(call, txn, parts_.gatekeeper));
    HOLDFAST_TRY(Attachment attachment, find(visit, id));
    if (attachment.ready)
      return conflict(reason::kStateTransition, "This upload is completed; start another.");
    return attachment;
  };
  {
    HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
    HOLDFAST_TRY(const Attachment attachment, check(*txn));
    if (attachment.content_type != content_type) {
      Error error = invalid_argument("Send the Content-Type that was announced.");
      error.reason = reason::kContentType;
      return error;
    }
    if (static_cast<int64_t>(bytes.size()) != attachment.size_bytes)
      return wrong(detail::kSize, "Send exactly as many bytes as were announced.");
  }
  storage::BlobInfo blob{.id = "blob_" + parts_.ids.next(),
                         .owner = {.kind = attachment_noun().kind, .id = id},
                         .size = static_cast<int64_t>(bytes.size()),
                         .sha256 = sha256(bytes),
                         .created_at = parts_.clock.now()};
  HOLDFAST_CHECK_OK(keep_bytes(call, blob, bytes));
  const access::SpaceAccess access = parts_.gatekeeper.engine_access(call.viewer.space);
  const Status kept = parts_.store.write(call, [&](storage::WriteTxn& txn) -> Status {
    HOLDFAST_TRY(Attachment attachment, check(txn));
    HOLDFAST_CHECK_OK(txn.finish_blob(access, blob));
    if (!attachment.blob_id.empty()) HOLDFAST_CHECK_OK(txn.remove_blob(access, attachment.blob_id));
    attachment.blob_id = blob.id;
    HOLDFAST_TRY(const Object object, txn.get(access, blob.owner));
    HOLDFAST_CHECK_OK(
        txn.put(access, storage::put_of(attachment_noun(), id, attachment, object.label)));
    return {};
  });
  if (kept) return {};
  // Completed or removed by another call in between: these bytes belong to nobody.
  const Status dropped = parts_.store.write(
      call, [&](storage::WriteTxn& txn) { return txn.remove_blob(access, blob.id); });
  return dropped ? kept : dropped;
}

Status AttachmentService::drop_bytes(const CallContext& call, const std::string& id,
                                     const std::string& blob_id) {
  const access::SpaceAccess access = parts_.gatekeeper.engine_access(call.viewer.space);
  return parts_.store.write(call, [&](storage::WriteTxn& txn) -> Status {
    const ObjectKey key{.kind = attachment_noun().kind, .id = id};
    HOLDFAST_TRY(const Object object, txn.get(access, key));
    HOLDFAST_TRY(Attachment attachment, storage::value_of(attachment_noun(), object));
    if (attachment.blob_id != blob_id || attachment.ready) return {};
    attachment.blob_id.clear();
    HOLDFAST_CHECK_OK(txn.remove_blob(access, blob_id));
    HOLDFAST_CHECK_OK(
        txn.put(access, storage::put_of(attachment_noun(), id, attachment, object.label)));
    return {};
  });
}

Result<Attachment> AttachmentService::completable(Visit& visit, const std::string& id) const {
  HOLDFAST_TRY(Attachment attachment, find(visit, id));
  HOLDFAST_CHECK_OK(visit.readable_workspace(attachment.workspace_id));
  if (attachment.created_by != visit.call().principal.value)
    return denied(reason::kOwnership, "Only whoever began an upload may complete it.");
  return attachment;
}

Status AttachmentService::may_complete(const CallContext& call, const std::string& id) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  HOLDFAST_CHECK_OK(completable(visit, id));
  return {};
}

Result<AttachmentService::Inspection> AttachmentService::inspect(
    const CallContext& call, const std::string& id, const std::optional<std::string>& wanted) {
  Attachment attachment;
  Inspection inspection;
  {
    HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
    HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
    HOLDFAST_TRY(attachment, completable(visit, id));
    if (attachment.ready)
      return Inspection{.blob_id = attachment.blob_id, .sha256 = attachment.sha256};
    if (attachment.blob_id.empty())
      return conflict(reason::kStateTransition, "No bytes were uploaded yet.");
    HOLDFAST_TRY(const auto blob, txn->blob(visit.everything(), attachment.blob_id));
    inspection = {.blob_id = blob.id, .sha256 = to_hex(blob.sha256)};
  }
  HOLDFAST_TRY(const std::string beginning,
               stored_bytes(call, attachment.blob_id,
                            {.last = std::min(attachment.size_bytes, kScannedBytes) - 1}));
  const auto judge_bytes = [&]() -> Status {
    if (wanted && lower(*wanted) != inspection.sha256)
      return wrong(detail::kChecksum, "The bytes have another SHA-256.", "sha256");
    if (!has_magic(attachment.content_type, beginning))
      return wrong(detail::kContentType, "The bytes are not of the announced type.",
                   "content_type");
    if (!is_text(attachment.content_type)) return {};
    HOLDFAST_TRY(Judgement judgement,
                 judge(scan_text("content", beginning), {.trust_tier = call.trust_tier}));
    inspection.warnings = std::move(judgement.warnings);
    return {};
  };
  const Status judged = judge_bytes();
  if (judged) return inspection;
  HOLDFAST_CHECK_OK(drop_bytes(call, id, attachment.blob_id));
  return judged.error();
}

Result<std::string> AttachmentService::stored_bytes(const CallContext& call,
                                                    const std::string& blob_id,
                                                    const ByteRange& range) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  const access::SpaceAccess access = parts_.gatekeeper.engine_access(call.viewer.space);
  const auto chunk = static_cast<int64_t>(kBlobChunkBytes);
  std::string out;
  out.reserve(static_cast<size_t>(range.last - range.first + 1));
  for (int64_t index = range.first / chunk; index <= range.last / chunk; ++index) {
    HOLDFAST_TRY(const std::string bytes, txn->blob_chunk(access, blob_id, index));
    const int64_t begin = std::max<int64_t>(range.first - index * chunk, 0);
    const int64_t end = std::min<int64_t>(range.last - index * chunk + 1, chunk);
    out += bytes.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }
  return out;
}

Result<std::string> AttachmentService::bytes(const CallContext& call, const Attachment& attachment,
                                             const ByteRange& range) const {
  return stored_bytes(call, attachment.blob_id, range);
}

}  // namespace holdfast::service::observation
