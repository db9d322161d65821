#include "service/substrate/remember_codecs.h"

namespace holdfast {

using service::substrate::EvidenceContract;
using service::substrate::GraphSync;
using service::substrate::PossibleDuplicate;
using service::substrate::Remembered;

template <>
const Codec<PossibleDuplicate>& codec_of<PossibleDuplicate>() {
  static const Codec<PossibleDuplicate> codec =
      Codec<PossibleDuplicate>()
          .field("object_id", &PossibleDuplicate::object_id)
          .field("score", &PossibleDuplicate::score)
          .field("reasons", &PossibleDuplicate::reasons)
          .field("title", &PossibleDuplicate::title)
          .field("kind", &PossibleDuplicate::kind)
          .field("status", &PossibleDuplicate::status);
  return codec;
}

template <>
const Codec<EvidenceContract>& codec_of<EvidenceContract>() {
  static const Codec<EvidenceContract> codec =
      Codec<EvidenceContract>()
          .field("provenance", &EvidenceContract::provenance)
          .field("generated_source_id", &EvidenceContract::generated_source_id)
          .field("evidence_ref_count", &EvidenceContract::evidence_ref_count)
          .field("requires_review", &EvidenceContract::requires_review);
  return codec;
}

template <>
const Codec<GraphSync>& codec_of<GraphSync>() {
  static const Codec<GraphSync> codec =
      Codec<GraphSync>()
          .field("backend", &GraphSync::backend)
          .field("synced_objects", &GraphSync::synced_objects)
          .field("synced_relations", &GraphSync::synced_relations);
  return codec;
}

template <>
const Codec<Remembered>& codec_of<Remembered>() {
  static const Codec<Remembered> codec =
      Codec<Remembered>()
          .field("object_type", &Remembered::object_type)
          .field("object_id", &Remembered::object_id)
          .field("status", &Remembered::status)
          .field("patch_id", &Remembered::patch_id)
          .field("audit_event_ids", &Remembered::audit_event_ids)
          .field("possible_duplicates", &Remembered::possible_duplicates)
          .field("evidence_contract", &Remembered::evidence_contract)
          .field("old_status", &Remembered::old_status)
          .field("old_knowledge_id", &Remembered::old_knowledge_id)
          .field("graph_sync", &Remembered::graph_sync);
  return codec;
}

}  // namespace holdfast
