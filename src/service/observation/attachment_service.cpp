#include "service/observation/attachment_service.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/digest.h"
#include "service/observation/failure.h"
#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

constexpr int64_t kMegabyte = 1'048'576;
constexpr int64_t kDefaultLimitMb = 50;
constexpr std::chrono::hours kUploadTime{1};
constexpr std::chrono::hours kUnfinishedAfter{1};  // after the upload link expired

// By trust tier, in MB.
constexpr std::array<int64_t, 5> kAgentCeilings = {0, 10, 50, 100, 250};
constexpr std::array<int64_t, 5> kHumanCeilings = {100, 100, 100, 100, 500};

bool is_gone(const Attachment& attachment, Timestamp now) {
  return !attachment.ready && attachment.expires_at + kUnfinishedAfter <= now;
}

ObjectKey key_of(const std::string& id) { return {.kind = attachment_noun().kind, .id = id}; }

Status detach(Mutation& mutation, const Object& use, const std::string& id) {
  HOLDFAST_TRY(Observation observation, read_observation(use));
  std::erase_if(observation.attachments, [&](const AttachmentRef& one) { return one.id == id; });
  HOLDFAST_CHECK_OK(mutation.put(observation_noun(), use.key.id, observation, use.label));
  return {};
}

// Observations that use it, whoever may see them; the first error ends it.
Status each_use(const Visit& visit, const std::string& id,
                const std::function<Status(const Object&)>& act) {
  storage::Pointing asked{.to = key_of(id),
                          .relation = std::string(relation::kAttaches),
                          .kind = observation_noun().kind};
  while (true) {
    HOLDFAST_TRY(const auto ids, visit.txn().pointing_at(visit.everything(), asked));
    if (ids.empty()) return {};
    for (const std::string& one : ids) {
      HOLDFAST_TRY(const Object object, visit.txn().get(visit.everything(), {asked.kind, one}));
      HOLDFAST_CHECK_OK(act(object));
    }
    asked.after = ids.back();
  }
}

}  // namespace

Result<Attachment> AttachmentService::find(Visit& visit, const std::string& id) const {
  HOLDFAST_TRY(auto found, visit.find(attachment_noun(), id));
  if (!found || is_gone(*found, parts_.clock.now())) return not_found("attachment", id);
  return std::move(*found);
}

Result<int64_t> AttachmentService::ceiling(Mutation& mutation, const Workspace& workspace) const {
  const CallContext& call = mutation.call();
  const auto principal = mutation.txn().principal(parts_.gatekeeper.engine_admin(), call.principal);
  const bool human = !principal || principal->kind == PrincipalKind::kHuman;
  const auto tier = static_cast<size_t>(std::clamp(call.trust_tier, 0, 4));
  const int64_t own = human ? kHumanCeilings[tier] : kAgentCeilings[tier];
  const int64_t allowed = workspace.settings.max_attachment_size_mb.value_or(kDefaultLimitMb);
  return std::min(own, allowed) * kMegabyte;
}

Result<Initiated> AttachmentService::initiate(Mutation& mutation, Attachment wanted) {
  HOLDFAST_TRY(const auto* workspace, mutation.workspace(wanted.workspace_id));
  if (workspace == nullptr) return bad_reference("workspace_id", "There is no such workspace.");
  HOLDFAST_TRY(const bool writable, mutation.may_write(*workspace));
  if (!writable) return forbidden("You may not write in this workspace.");
  HOLDFAST_TRY(const int64_t most, ceiling(mutation, *workspace));
  if (wanted.size_bytes > most) {
    return Error{.code = ErrorCode::kTooLarge,
                 .reason = std::string(reason::kTooLarge),
                 .message = "This file is larger than you may upload here."};
  }
  HOLDFAST_TRY(Judgement judgement, judge(scan_text("filename", wanted.filename),
                                          {.trust_tier = mutation.call().trust_tier}));
  wanted.id = "attach_" + parts_.ids.next();
  wanted.created_by = mutation.call().principal.value;
  wanted.created_at = mutation.now();
  wanted.expires_at = wanted.created_at + kUploadTime;
  // Not mutation.put(): the answer tells nothing of the file, and stays when an unfinished one
  // goes.
  HOLDFAST_CHECK_OK(mutation.write().put(
      mutation.everything(), storage::put_of(attachment_noun(), wanted.id, wanted,
                                             label_in(*workspace, Sensitivity::kNormal, {}))));
  HOLDFAST_CHECK_OK(mutation.write().enqueue(mutation.everything(),
                                             {.space = mutation.eyes().space(),
                                              .queue = std::string(kUnfinishedQueue),
                                              .payload = wanted.id,
                                              .run_at = wanted.expires_at + kUnfinishedAfter}));
  return Initiated{.attachment = std::move(wanted), .warnings = std::move(judgement.warnings)};
}

Result<Attachment> AttachmentService::complete(Mutation& mutation, const std::string& id,
                                               const Inspection& inspection) {
  HOLDFAST_TRY(Attachment attachment, find(mutation, id));
  if (attachment.ready) return attachment;
  if (attachment.blob_id != inspection.blob_id) {
    return conflict(reason::kStateTransition,
                    "Other bytes were uploaded meanwhile; complete it again.");
  }
  attachment.ready = true;
  attachment.sha256 = inspection.sha256;
  HOLDFAST_TRY(const Object object, mutation.txn().get(mutation.everything(), key_of(id)));
  HOLDFAST_CHECK_OK(mutation.put(attachment_noun(), id, attachment, object.label));
  return attachment;
}

Result<ShownAttachment> AttachmentService::get(const CallContext& call,
                                               const std::string& id) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  ShownAttachment shown;
  HOLDFAST_TRY(shown.attachment, find(visit, id));
  const Error missing = not_found("attachment", id);
  std::optional<Error> refusal;  // told only if every use is refused for it alone
  HOLDFAST_CHECK_OK(each_use(visit, id, [&](const Object& use) -> Status {
    const Status passed = visit.pass(use.label, missing);
    if (passed) {
      shown.used_in.push_back(use.key.id);
    } else {
      const bool clearance = passed.error().reason == reason::kClearance;
      refusal = clearance && (!refusal || refusal->reason == reason::kClearance) ? passed.error()
                                                                                 : missing;
    }
    return {};
  }));
  const bool mine = shown.attachment.created_by == call.principal.value;
  if (!mine && shown.used_in.empty()) return refusal.value_or(missing);
  return shown;
}

Result<Attachment> AttachmentService::linked(const CallContext& call, const std::string& id,
                                             const std::string& filename) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  HOLDFAST_TRY(Attachment attachment, find(visit, id));
  if (!attachment.ready || attachment.filename != filename) return not_found("file", filename);
  return attachment;
}

Result<Attachment> AttachmentService::readable(const CallContext& call, const std::string& id,
                                               const std::string& filename) const {
  HOLDFAST_TRY(ShownAttachment shown, get(call, id));
  const Attachment& attachment = shown.attachment;
  if (!attachment.ready || attachment.filename != filename) return not_found("file", filename);
  return std::move(shown.attachment);
}

Status AttachmentService::remove(Mutation& mutation, const std::string& id) {
  HOLDFAST_TRY(const Attachment attachment, find(mutation, id));
  HOLDFAST_TRY(const Object object, mutation.txn().get(mutation.everything(), key_of(id)));
  HOLDFAST_CHECK_OK(mutation.pass(object.label, not_found("attachment", id)));
  const bool mine = attachment.created_by == mutation.call().principal.value;
  if (!mine && !mutation.is_administrator())
    return denied(reason::kOwnership, "Only whoever uploaded a file may delete it.");
  HOLDFAST_CHECK_OK(each_use(mutation, id, [&](const Object& use) -> Status {
    if (!mutation.is_administrator())
      return conflict(reason::kLocked, "An observation uses this file.");
    return detach(mutation, use, id);
  }));
  if (!attachment.blob_id.empty()) {
    HOLDFAST_CHECK_OK(mutation.write().remove_blob(mutation.everything(), attachment.blob_id));
  }
  return mutation.write().remove(mutation.everything(), key_of(id), "");
}

Status AttachmentService::remove_unfinished(storage::WriteTxn& txn, const SpaceId& space,
                                            const std::string& id) const {
  const access::SpaceAccess access = parts_.gatekeeper.engine_access(space);
  const auto object = txn.get(access, key_of(id));
  if (!object) return {};
  HOLDFAST_TRY(const Attachment attachment, storage::value_of(attachment_noun(), *object));
  if (attachment.ready) return {};
  return txn.erase(access, key_of(id), "");
}

}  // namespace holdfast::service::observation
