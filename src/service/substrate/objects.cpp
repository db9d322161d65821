#include "service/substrate/objects.h"

namespace holdfast {

using service::substrate::Activity;
using service::substrate::EvidenceRef;
using service::substrate::Knowledge;
using service::substrate::Node;
using service::substrate::NullableText;
using service::substrate::Segment;
using service::substrate::Source;
using service::substrate::WorkItem;

template <>
const Codec<NullableText>& codec_of<NullableText>() {
  static const Codec<NullableText> codec;
  return codec;
}

template <>
const Codec<Segment>& codec_of<Segment>() {
  static const Codec<Segment> codec = Codec<Segment>()
                                          .field("segment_id", &Segment::segment_id)
                                          .field("locator", &Segment::locator)
                                          .field("excerpt", &Segment::excerpt)
                                          .field("hash", &Segment::hash);
  return codec;
}

template <>
const Codec<EvidenceRef>& codec_of<EvidenceRef>() {
  static const Codec<EvidenceRef> codec = Codec<EvidenceRef>()
                                              .field("source_id", &EvidenceRef::source_id)
                                              .field("segment_id", &EvidenceRef::segment_id)
                                              .field("locator", &EvidenceRef::locator)
                                              .field("hash", &EvidenceRef::hash);
  return codec;
}

template <>
const Codec<Source>& codec_of<Source>() {
  static const Codec<Source> codec = Codec<Source>()
                                         .field("id", &Source::id)
                                         .field("kind", &Source::kind)
                                         .field("origin", &Source::origin)
                                         .field("title", &Source::title)
                                         .field("identity_key", &Source::identity_key)
                                         .field("fingerprint", &Source::fingerprint)
                                         .field("content_type", &Source::content_type)
                                         .field("payload", &Source::payload)
                                         .field("segments", &Source::segments)
                                         .field("metadata", &Source::metadata)
                                         .field("status", &Source::status)
                                         .field("lifecycle_state", &Source::lifecycle_state);
  return codec;
}

template <>
const Codec<Node>& codec_of<Node>() {
  static const Codec<Node> codec = Codec<Node>()
                                       .field("id", &Node::id)
                                       .field("kind", &Node::kind)
                                       .field("name", &Node::name)
                                       .field("slug", &Node::slug)
                                       .field("identity_key", &Node::identity_key)
                                       .field("aliases", &Node::aliases)
                                       .field("summary", &Node::summary)
                                       .field("status", &Node::status);
  return codec;
}

template <>
const Codec<Knowledge>& codec_of<Knowledge>() {
  static const Codec<Knowledge> codec = Codec<Knowledge>()
                                            .field("id", &Knowledge::id)
                                            .field("kind", &Knowledge::kind)
                                            .field("title", &Knowledge::title)
                                            .field("summary", &Knowledge::summary)
                                            .field("identity_key", &Knowledge::identity_key)
                                            .field("subject_refs", &Knowledge::subject_refs)
                                            .field("evidence_refs", &Knowledge::evidence_refs)
                                            .field("payload", &Knowledge::payload)
                                            .field("status", &Knowledge::status)
                                            .field("confidence", &Knowledge::confidence)
                                            .field("valid_from", &Knowledge::valid_from)
                                            .field("valid_until", &Knowledge::valid_until)
                                            .field("last_verified_at", &Knowledge::last_verified_at)
                                            .field("reason", &Knowledge::reason)
                                            .field("memory_source", &Knowledge::memory_source)
                                            .field("scope_refs", &Knowledge::scope_refs)
                                            .field("conflicts_with", &Knowledge::conflicts_with)
                                            .field("lifecycle_state", &Knowledge::lifecycle_state)
                                            .field("expires_at", &Knowledge::expires_at)
                                            .field("created_at", &Knowledge::created_at);
  return codec;
}

template <>
const Codec<Activity>& codec_of<Activity>() {
  static const Codec<Activity> codec =
      Codec<Activity>()
          .field("id", &Activity::id)
          .field("kind", &Activity::kind)
          .field("title", &Activity::title)
          .field("summary", &Activity::summary)
          .field("identity_key", &Activity::identity_key)
          .field("status", &Activity::status)
          .field("started_at", &Activity::started_at)
          .field("ended_at", &Activity::ended_at)
          .field("related_node_refs", &Activity::related_node_refs)
          .field("related_work_item_refs", &Activity::related_work_item_refs)
          .field("source_refs", &Activity::source_refs)
          .field("produced_object_refs", &Activity::produced_object_refs)
          .field("artifact_refs", &Activity::artifact_refs)
          .field("reason", &Activity::reason)
          .field("memory_source", &Activity::memory_source)
          .field("scope_refs", &Activity::scope_refs);
  return codec;
}

template <>
const Codec<WorkItem>& codec_of<WorkItem>() {
  static const Codec<WorkItem> codec =
      Codec<WorkItem>()
          .field("id", &WorkItem::id)
          .field("kind", &WorkItem::kind)
          .field("title", &WorkItem::title)
          .field("summary", &WorkItem::summary)
          .field("status", &WorkItem::status)
          .field("lifecycle_state", &WorkItem::lifecycle_state)
          .field("priority", &WorkItem::priority)
          .field("owner_refs", &WorkItem::owner_refs)
          .field("related_node_refs", &WorkItem::related_node_refs)
          .field("related_knowledge_refs", &WorkItem::related_knowledge_refs)
          .field("source_refs", &WorkItem::source_refs)
          .field("depends_on", &WorkItem::depends_on)
          .field("blocked_by", &WorkItem::blocked_by)
          .field("parent_ref", &WorkItem::parent_ref)
          .field("child_refs", &WorkItem::child_refs)
          .field("resolution", &WorkItem::resolution)
          .field("due_at", &WorkItem::due_at)
          .field("opened_at", &WorkItem::opened_at)
          .field("reason", &WorkItem::reason)
          .field("memory_source", &WorkItem::memory_source)
          .field("scope_refs", &WorkItem::scope_refs);
  return codec;
}

}  // namespace holdfast
