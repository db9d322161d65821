#include "service/native/record.h"

namespace holdfast {

template <>
const Codec<service::Scope>& codec_of<service::Scope>() {
  using service::Scope;
  static const Codec<Scope> codec = Codec<Scope>()
                                        .field("container", &Scope::container)
                                        .field("thread", &Scope::thread)
                                        .field("task", &Scope::task)
                                        .field("repository", &Scope::repository)
                                        .field("work_refs", &Scope::work_refs);
  return codec;
}

template <>
const Codec<service::DeclaredLink>& codec_of<service::DeclaredLink>() {
  using service::DeclaredLink;
  static const Codec<DeclaredLink> codec = Codec<DeclaredLink>()
                                               .field("relation", &DeclaredLink::relation)
                                               .field("kind", &DeclaredLink::kind)
                                               .field("id", &DeclaredLink::id);
  return codec;
}

namespace service {
namespace {

const Codec<Record>& record_codec() {
  static const Codec<Record> codec = Codec<Record>()
                                         .field("text", &Record::text)
                                         .field("title", &Record::title)
                                         .field("tags", &Record::tags)
                                         .field("scope", &Record::scope)
                                         .field("speaker", &Record::speaker)
                                         .field("source", &Record::source)
                                         .field("occurred_at", &Record::occurred_at)
                                         .field("valid_from", &Record::valid_from)
                                         .field("valid_until", &Record::valid_until)
                                         .field("due_at", &Record::due_at)
                                         .field("work_state", &Record::work_state)
                                         .field("links", &Record::links)
                                         .field("metadata", &Record::metadata);
  return codec;
}

void add_facet(std::vector<Facet>& facets, std::string_view name, const std::string& text) {
  if (!text.empty()) facets.push_back(Facet::of(std::string(name), text));
}

std::vector<Facet> facets_of(const Record& record) {
  std::vector<Facet> facets;
  for (const auto& tag : record.tags) add_facet(facets, shared_facet::kTag, tag);
  add_facet(facets, shared_facet::kContainer, record.scope.container);
  add_facet(facets, shared_facet::kThread, record.scope.thread);
  add_facet(facets, shared_facet::kTask, record.scope.task);
  add_facet(facets, shared_facet::kRepository, record.scope.repository);
  for (const auto& ref : record.scope.work_refs) add_facet(facets, shared_facet::kWorkRef, ref);
  if (record.due_at)
    facets.push_back(Facet::of(std::string(shared_facet::kDueAt), to_micros(*record.due_at)));
  if (record.work_state != WorkState::kNone) {
    add_facet(facets, shared_facet::kWorkState, std::string(enum_name(record.work_state)));
  }
  return facets;
}

// Threads are named inside their container: the same name in two containers is two conversations.
std::string conversation_of(const Scope& scope) {
  return scope.thread.empty() ? "" : scope.container + '\x1f' + scope.thread;
}

Projection project(const Record& record) {
  Projection projection{.facets = facets_of(record)};
  for (const auto& link : record.links) {
    projection.links.push_back({.relation = link.relation,
                                .target = {.kind = link.kind, .id = link.id},
                                .provenance = "declared"});
  }
  SearchText& text = projection.text;
  text.title = record.title;
  text.ids = record.scope.work_refs;
  if (!record.scope.task.empty()) text.ids.push_back(record.scope.task);
  text.tags = record.tags;
  text.body = record.text;
  text.conversation = conversation_of(record.scope);
  text.speaker = record.speaker;
  text.at = record.occurred_at;
  text.valid_from = record.valid_from;
  text.valid_until = record.valid_until;
  return projection;
}

}  // namespace

const Noun<Record>& memory_noun() {
  static const Noun<Record> noun{
      .kind = std::string(kMemoryKind), .codec = record_codec(), .project = project};
  return noun;
}

const Noun<Record>& evidence_noun() {
  static const Noun<Record> noun{
      .kind = std::string(kEvidenceKind), .codec = record_codec(), .project = project};
  return noun;
}

}  // namespace service
}  // namespace holdfast
