#include "service/substrate/ingest_write.h"

#include <fmt/format.h>

#include "service/substrate/stored.h"
#include "service/substrate/words.h"

namespace holdfast {

using service::substrate::IngestWrite;

template <>
const Codec<IngestWrite>& codec_of<IngestWrite>() {
  static const Codec<IngestWrite> codec =
      Codec<IngestWrite>()
          .field("noop", &IngestWrite::noop)
          .field("patch_id", &IngestWrite::patch_id)
          .field("audit_event_ids", &IngestWrite::audit_event_ids);
  return codec;
}

namespace service::substrate {
namespace {

using access::SpaceAccess;
using storage::ReadTxn;

constexpr size_t kIngestCandidates = 5;
constexpr size_t kCitingKnowledge = 200;

SegmentText segment_text(const Source& source, const Segment& segment,
                         const std::string& scope_ref) {
  const DocumentView locator(ObjectType::kSource, segment.locator);
  const auto* line = locator.member("line_start").if_int();
  return {.source_id = source.id,
          .source_title = source.title,
          .segment_id = segment.segment_id,
          .excerpt = segment.excerpt,
          .heading_path = locator.texts("heading_path"),
          .line_start = line != nullptr ? *line : 0,
          .locator = segment.locator,
          .scope_ref = scope_ref};
}

KnowledgeText knowledge_text(const DocumentView& knowledge) {
  KnowledgeText text{.id = std::string(knowledge.id()),
                     .title = std::string(knowledge.title()),
                     .summary = knowledge.summary(),
                     .scope_refs = knowledge.texts("scope_refs")};
  if (text.scope_refs.empty()) text.scope_refs = knowledge.texts("subject_refs");
  if (text.scope_refs.empty()) text.scope_refs = {text.id};
  return text;
}

Status add_citing(ReadTxn& txn, const SpaceAccess& access, const std::string& source_id,
                  ConceptDiscovery& discovery) {
  const ObjectKey key{.kind = std::string(type_name(ObjectType::kSource)), .id = source_id};
  HOLDFAST_TRY(const auto neighbours,
               txn.neighbours(access, key, kEvidenceRelation, kCitingKnowledge));
  for (const auto& neighbour : neighbours) {
    if (neighbour.outgoing || neighbour.other.kind != type_name(ObjectType::kKnowledge)) continue;
    HOLDFAST_TRY(const auto stored, find_stored(txn, access, neighbour.other.id));
    if (stored && stored->view().kind() != "concept")
      discovery.add_knowledge(knowledge_text(stored->view()));
  }
  return {};
}

Result<bool> is_concept(ReadTxn& txn, const SpaceAccess& access, const std::string& key) {
  for (const ObjectType type : {ObjectType::kKnowledge, ObjectType::kNode}) {
    HOLDFAST_TRY(const auto page,
                 txn.scan(access, {.kind = std::string(type_name(type)),
                                   .equal = Facet::of(std::string(facet::kConcept), key),
                                   .limit = 1}));
    if (!page.objects.empty()) return true;
  }
  return false;
}

}  // namespace

Result<IngestWrite> write_operations(storage::WriteTxn& txn, const SpaceAccess& access,
                                     std::string_view mode, std::vector<Operation> operations) {
  HOLDFAST_TRY(auto applied,
               apply_patch(txn, access,
                           {.actor = system_actor(fmt::format("memory.ingest.{}", mode)),
                            .operations = std::move(operations)}));
  return IngestWrite{.patch_id = std::move(applied.patch_id),
                     .audit_event_ids = std::move(applied.audit_event_ids)};
}

Result<MemorySuggestions> suggest(storage::Store& store, const CallContext& call,
                                  const SpaceAccess& access, const Source& source,
                                  const std::string& scope_ref) {
  HOLDFAST_TRY(const auto txn, store.begin_read(call.deadline));
  ConceptDiscovery discovery;
  for (const Segment& segment : source.segments)
    discovery.add_segment(segment_text(source, segment, scope_ref));
  HOLDFAST_CHECK_OK(add_citing(*txn, access, source.id, discovery));
  std::optional<Error> failed;
  const auto taken = [&](const std::string& key) {
    const auto known = is_concept(*txn, access, key);
    if (!known) failed = known.error();
    return known.value_or(true);
  };
  ConceptReport report = discovery.report({.limit = kIngestCandidates, .taken = taken});
  if (failed) return std::move(*failed);
  return MemorySuggestions{.source_id = source.id,
                           .candidates = std::move(report.candidates),
                           .diagnostics = std::move(report.diagnostics)};
}

}  // namespace service::substrate
}  // namespace holdfast
