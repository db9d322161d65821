#include "service/substrate/governance.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "service/substrate/stored.h"
#include "service/substrate/words.h"
#include "text/lines.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr size_t kDeclarationExcerpt = 720;
constexpr std::string_view kDeclarationSegment = "seg:declaration";
// Claims on one topic in one scope that a new one is compared with.
constexpr size_t kMaxRivals = 1000;

const Value* find_segment(const Stored& source, const std::string& id) {
  const auto* segments = source.view().member("segments").if_array();
  if (segments == nullptr) return nullptr;
  for (const Value& segment : *segments) {
    if (DocumentView(ObjectType::kSource, segment).text("segment_id") == id) return &segment;
  }
  return nullptr;
}

Status check_ref(storage::ReadTxn& txn, const SpaceAccess& access, const EvidenceRef& ref) {
  if (is_blank(ref.source_id)) return invalid_argument("evidence_refs source_id is required");
  if (is_blank(ref.segment_id)) {
    return invalid_argument(
        fmt::format("evidence_refs segment_id is required for {}", ref.source_id));
  }
  const auto refuse = [&](std::string_view what) {
    return invalid_argument(
        fmt::format("evidence_refs {}: {}#{}", what, ref.source_id, ref.segment_id));
  };
  HOLDFAST_TRY(const auto source, find_stored(txn, access, ref.source_id));
  if (!source || source->type != ObjectType::kSource) {
    return invalid_argument(fmt::format("evidence_refs source not found: {}", ref.source_id));
  }
  const Value* segment = find_segment(*source, ref.segment_id);
  if (segment == nullptr) return refuse("segment not found");
  const DocumentView view(ObjectType::kSource, *segment);
  if (ref.locator && !json_equal(*ref.locator, view.member("locator"))) {
    return refuse("locator mismatch");
  }
  if (ref.hash && *ref.hash != view.text("hash")) return refuse("hash mismatch");
  return {};
}

// As a slice of the source counts them; there is always a first one.
int64_t line_count(std::string_view text) {
  return static_cast<int64_t>(std::max<size_t>(1, text::count_lines(text)));
}

// Knowledge under one facet that really is what the facet says.
Result<std::set<std::string>> rivals(storage::ReadTxn& txn, const SpaceAccess& access,
                                     std::string_view facet, const std::string& text,
                                     const Claim& claim) {
  std::set<std::string> ids;
  storage::Scan scan{.kind = std::string(type_name(ObjectType::kKnowledge)),
                     .equal = Facet::of(std::string(facet), text),
                     .limit = kMaxRivals};
  HOLDFAST_TRY(storage::Page page, txn.scan(access, scan));
  for (Object& object : page.objects) {
    HOLDFAST_TRY(const Stored stored, stored_of(ObjectType::kKnowledge, std::move(object)));
    const DocumentView view = stored.view();
    const auto other =
        claim_of(view.text("kind"), view.texts("subject_refs"), view.member("payload"));
    if (other && other->same_topic(claim)) ids.insert(stored.id());
  }
  return ids;
}

}  // namespace

bool is_curated(std::string_view memory_source) {
  return memory_source == "user_declared" || memory_source == "human_curated";
}

Status check_reason(const std::string& reason) {
  if (is_blank(reason)) return invalid_argument("remember request requires reason");
  return {};
}

std::optional<std::string> temporary_word(const RememberKnowledge& request) {
  for (const auto& word : {request.lifecycle_state, request.status}) {
    if (word && is_temporary_word(*word)) return word;
  }
  return std::nullopt;
}

std::string governed_status(const RememberKnowledge& request) {
  const std::string status = request.status.value_or("candidate");
  const bool inferred = request.declared.memory_source == "agent_inferred";
  return inferred && status == "active" ? "candidate" : status;
}

Status check_active(const RememberKnowledge& request, std::string_view status) {
  if (status != "active" || !request.evidence_refs.empty()) return {};
  if (is_curated(request.declared.memory_source)) return {};
  return invalid_argument(
      "active knowledge requires evidence_refs unless user-declared or human-curated");
}

Status check_evidence(storage::ReadTxn& txn, const SpaceAccess& access,
                      const std::vector<EvidenceRef>& refs) {
  for (const EvidenceRef& ref : refs) HOLDFAST_CHECK_OK(check_ref(txn, access, ref));
  return {};
}

std::optional<GeneratedSource> generate_source(const RememberKnowledge& request) {
  const Declared& declared = request.declared;
  const bool curated = is_curated(declared.memory_source);
  const std::string given = request.source_text.value_or("");
  if (!request.evidence_refs.empty() || (!curated && is_blank(given))) return std::nullopt;
  const std::string text = is_blank(given) ? declared.title + "\n\n" + declared.summary : given;
  const std::string digest = sha256_hex(text);
  const std::string kind = curated ? "declaration" : "remember_input";
  Segment segment{.segment_id = std::string(kDeclarationSegment),
                  .locator = Value::object(
                      {{"kind", "declaration"}, {"line_start", 1}, {"line_end", line_count(text)}}),
                  .excerpt = clip(text, kDeclarationExcerpt),
                  .hash = digest};
  GeneratedSource out{.provenance = kind + "_source_created"};
  out.ref = {.source_id = random_id("src"),
             .segment_id = segment.segment_id,
             .locator = segment.locator,
             .hash = digest};
  out.source = {
      .id = out.ref.source_id,
      .kind = kind,
      .origin = Value::object({{"kind", kind}, {"memory_source", declared.memory_source}}),
      .title = request.source_title.value_or("Remember input for " + declared.title),
      .identity_key = "source|" + kind + "|" + digest,
      .fingerprint = digest,
      .content_type = "text",
      .payload = Value::object({{"text", text}, {"byte_count", text.size()}, {"segment_count", 1}}),
      .metadata = Value::object({{"reason", declared.reason},
                                 {"memory_source", declared.memory_source},
                                 {"scope_refs", Value::array_of(declared.scope_refs)}})};
  out.source.segments.push_back(std::move(segment));
  if (const auto word = temporary_word(request)) {
    out.source.status = "temporary";
    out.source.lifecycle_state = *word;
  }
  return out;
}

Result<ClaimNeighbours> claim_neighbours(storage::ReadTxn& txn, const SpaceAccess& access,
                                         const Claim& claim,
                                         const std::vector<std::string>& scopes) {
  std::vector<std::string> searched = scopes;
  searched.emplace_back();  // knowledge without scopes overlaps all
  std::set<std::string> equal;
  std::set<std::string> topic;
  for (const std::string& scope : searched) {
    HOLDFAST_TRY(const auto same,
                 rivals(txn, access, facet::kClaim, claim_text(claim, scope), claim));
    equal.insert(same.begin(), same.end());
    HOLDFAST_TRY(const auto near,
                 rivals(txn, access, facet::kClaimTopic, topic_text(claim, scope), claim));
    topic.insert(near.begin(), near.end());
  }
  ClaimNeighbours out;
  out.duplicates.assign(equal.begin(), equal.end());
  std::ranges::set_difference(topic, equal, std::back_inserter(out.conflicts));
  return out;
}

}  // namespace holdfast::service::substrate
