// RememberService::knowledge: the governed write, step by step.
#include <algorithm>

#include <fmt/format.h>

#include "service/substrate/governance.h"
#include "service/substrate/query_service.h"
#include "service/substrate/remember_service.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;
using storage::WriteTxn;

std::string identity_key(const Knowledge& knowledge, const std::optional<Claim>& claim) {
  if (!claim) return lower(fmt::format("knowledge|{}|{}", knowledge.kind, knowledge.title));
  std::vector<std::string> scopes = knowledge.scope_refs;
  std::ranges::sort(scopes);
  return fmt::format("knowledge|{}|{}|{}|{}|{}|{}", knowledge.kind,
                     sorted_json(Value::array_of(scopes)), claim->subject, claim->predicate,
                     claim->value, claim->object);
}

// The document as far as the request alone decides it.
Knowledge draft_of(const RememberKnowledge& request) {
  const Declared& declared = request.declared;
  Knowledge draft{.id = random_id("know"),
                  .kind = declared.kind,
                  .title = declared.title,
                  .summary = declared.summary,
                  .subject_refs = request.subject_refs,
                  .evidence_refs = request.evidence_refs,
                  .payload = request.payload,
                  .status = governed_status(request),
                  .confidence = request.confidence,
                  .reason = declared.reason,
                  .memory_source = declared.memory_source,
                  .scope_refs = declared.scope_refs,
                  .lifecycle_state = request.lifecycle_state};
  draft.valid_from.text = request.valid_from;
  draft.valid_until.text = request.valid_until;
  draft.last_verified_at.text = request.last_verified_at;
  draft.expires_at.text = request.expires_at;
  Value metadata = Value::object();
  if (const Value* given = request.payload.find("metadata")) metadata = *given;
  metadata.set("reason", declared.reason);
  metadata.set("memory_source", declared.memory_source);
  metadata.set("scope_refs", Value::array_of(declared.scope_refs));
  draft.payload.set("metadata", std::move(metadata));
  return draft;
}

// Repeats are refused, contradictions are stored as contested.
Status judge_claim(WriteTxn& txn, const SpaceAccess& access, const Claim& claim,
                   bool allow_duplicate, Knowledge& draft) {
  HOLDFAST_TRY(const ClaimNeighbours near, claim_neighbours(txn, access, claim, draft.scope_refs));
  if (!near.duplicates.empty() && !allow_duplicate) {
    return invalid_argument(
        fmt::format("duplicate knowledge exists: {}", fmt::join(near.duplicates, ", ")));
  }
  if (near.conflicts.empty()) return {};
  draft.status = "contested";
  draft.conflicts_with = near.conflicts;
  draft.payload.find("metadata")->set("conflicts_with", Value::array_of(near.conflicts));
  return {};
}

}  // namespace

Result<Remembered> RememberService::knowledge(const CallContext& call,
                                              const RememberKnowledge& request,
                                              const RememberOptions& options) {
  HOLDFAST_CHECK_OK(check_reason(request.declared.reason));
  Knowledge draft = draft_of(request);
  HOLDFAST_CHECK_OK(check_active(request, draft.status));
  const auto claim = claim_of(draft.kind, draft.subject_refs, draft.payload);
  draft.identity_key = identity_key(draft, claim);
  if (const auto word = temporary_word(request)) {
    draft.status = "temporary";
    draft.lifecycle_state = *word;
  }
  const auto generated = generate_source(request);
  if (generated) draft.evidence_refs.push_back(generated->ref);

  // Advice, so it may be read beside the write that others make meanwhile.
  std::vector<PossibleDuplicate> similar;
  if (!claim) {
    HOLDFAST_TRY(const SpaceAccess access, require_read(gatekeeper_, call));
    HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
    HOLDFAST_TRY(similar, possible_duplicates(*txn, access, index_, soft_text_of(draft)));
  }
  return write(call, options, [&](WriteTxn& txn, const SpaceAccess& access) -> Result<Decision> {
    Knowledge final = draft;
    HOLDFAST_CHECK_OK(check_evidence(txn, access, request.evidence_refs));
    if (claim) {
      HOLDFAST_CHECK_OK(judge_claim(txn, access, *claim, request.allow_duplicate, final));
    }
    if (!final.valid_from.text) final.valid_from.text = time_text(txn.now());
    const auto& actor = request.declared.actor;
    Decision decision{
        .patch = {.actor = actor ? *actor : system_actor("memory.remember.knowledge")},
        .answer = {.object_type = "knowledge",
                   .object_id = final.id,
                   .status = final.status,
                   .possible_duplicates = similar}};
    EvidenceContract contract{
        .provenance = generated                       ? generated->provenance
                      : request.evidence_refs.empty() ? "evidence_absent"
                                                      : "caller_evidence_refs",
        .evidence_ref_count = static_cast<int64_t>(final.evidence_refs.size())};
    contract.requires_review = contract.evidence_ref_count == 0 && final.status != "active";
    if (generated) {
      contract.generated_source_id = generated->source.id;
      decision.patch.operations.push_back(create(ObjectType::kSource, generated->source));
    }
    decision.patch.operations.push_back(create(ObjectType::kKnowledge, final));
    decision.answer.evidence_contract = std::move(contract);
    return decision;
  });
}

}  // namespace holdfast::service::substrate
