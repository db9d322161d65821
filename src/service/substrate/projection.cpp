// What the engine derives of a document: facets to filter by, links to walk, text to search.
#include <algorithm>

#include "base/sorted.h"
#include "service/substrate/claim.h"
#include "service/substrate/concept_terms.h"
#include "service/substrate/document.h"
#include "service/substrate/document_text.h"
#include "service/substrate/unique_texts.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

void add_text(std::vector<Facet>& facets, std::string_view name, std::string_view value) {
  if (!value.empty()) facets.push_back(Facet::of(std::string(name), std::string(value)));
}

// For the index alone: a row in the store costs a page of each write, so there are only those that
// somebody scans.
void add_listed(std::vector<Facet>& facets, std::string_view name, std::string_view value) {
  if (!value.empty()) facets.push_back(Facet::of("~" + std::string(name), std::string(value)));
}

void add_number(std::vector<Facet>& facets, std::string_view name, int64_t value) {
  facets.push_back(Facet::of(std::string(name), value));
}

// Status rank, type and the first six bytes of the title: numbers in the order of contexts.
int64_t context_order(const DocumentView& view) {
  auto order = static_cast<uint64_t>(status_rank(view.status()));
  order = order << 8 | static_cast<unsigned char>(type_name(view.type()).front());
  const std::string_view title = view.title();
  for (size_t i = 0; i < 6; ++i) {
    order = order << 8 | (i < title.size() ? static_cast<unsigned char>(title[i]) : 0U);
  }
  return static_cast<int64_t>(order);
}

// How much of root|rest is the root. A node is also called what its rest is; names of files may
// hold bars themselves.
size_t root_size(std::string_view key, const std::vector<std::string>& names) {
  size_t size = key.rfind('|');
  for (const std::string& name : names) {
    if (key.ends_with("|" + name)) size = std::min(size, key.size() - name.size() - 1);
  }
  return size;
}

// The repository that an object was found in, by its identity key: type|what|root[|rest].
std::string repository_of(const DocumentView& view) {
  const std::string_view key = view.text("identity_key");
  static constexpr std::string_view kWhole[] = {"source|repo|", "node|repo|"};
  for (const std::string_view prefix : kWhole) {
    if (key.starts_with(prefix)) return std::string(key.substr(prefix.size()));
  }
  static constexpr std::string_view kWithRest[] = {"node|repo_entry|", "node|module|",
                                                   "knowledge|repo|"};
  for (const std::string_view prefix : kWithRest) {
    if (!key.starts_with(prefix)) continue;
    const std::string_view rest = key.substr(prefix.size());
    return std::string(rest.substr(0, root_size(rest, view.texts("aliases"))));
  }
  return {};
}

void add_knowledge_facets(std::vector<Facet>& facets, const DocumentView& view) {
  if (const auto at = read_time(view.text("last_verified_at"))) {
    add_number(facets, facet::kVerified, to_micros(*at));
  }
  const std::string_view status = view.text("status");
  const auto claim =
      claim_of(view.text("kind"), view.texts("subject_refs"), view.member("payload"));
  if (!claim) {
    if (!is_retired(status) && status != "contested")
      add_listed(facets, facet::kUnstructured, "yes");
    return;
  }
  if (is_retired(status)) return;
  auto scopes = view.texts("scope_refs");
  if (scopes.empty()) scopes.emplace_back();
  for (const std::string& scope : scopes) {
    add_text(facets, facet::kClaim, claim_text(*claim, scope));
    add_text(facets, facet::kClaimTopic, topic_text(*claim, scope));
  }
}

// What is already a concept is not suggested as one.
void add_concept_facets(std::vector<Facet>& facets, const DocumentView& view) {
  if (view.text("kind") != "concept" || is_retired(view.text("status"))) return;
  add_text(facets, facet::kConcept, concept_key(view.title()));
  for (const std::string& alias : view.texts("aliases"))
    add_text(facets, facet::kConcept, concept_key(alias));
}

// Kind, status and references, as rows where maintenance looks for them: facts that can be the same
// as another (merge_duplicates), candidates (promote_candidates), sources (archive_source).
void add_common_facets(std::vector<Facet>& facets, const DocumentView& view) {
  const bool knowledge = view.type() == ObjectType::kKnowledge;
  const auto add = [&](bool scanned, std::string_view name, std::string_view value) {
    (scanned ? add_text : add_listed)(facets, name, value);
  };
  const bool may_merge = knowledge && view.kind() == "fact" && !view.texts("subject_refs").empty();
  add(may_merge, facet::kKind, view.kind());
  add(knowledge && view.status() == "candidate", facet::kStatus, view.status());
  const auto sources = knowledge ? view.evidence_sources() : std::vector<std::string>();
  for (const std::string& id : view.all_references())
    add(std::ranges::find(sources, id) != sources.end(), facet::kReference, id);
}

std::vector<Facet> facets_of(const DocumentView& view) {
  std::vector<Facet> facets;
  add_concept_facets(facets, view);
  add_common_facets(facets, view);
  if (view.type() == ObjectType::kNode || view.type() == ObjectType::kSource) {
    add_listed(facets, facet::kReference, view.id());
  }
  for (const std::string& scope : view.texts("scope_refs"))
    add_listed(facets, facet::kScope, scope);
  if (view.is_temporary()) add_listed(facets, facet::kTemporary, "yes");
  if (const std::string title = lower(view.title()); title.size() <= kMaxTitleFacet)
    add_listed(facets, facet::kTitle, title);
  if (const auto at = read_time(view.updated_at())) {
    add_number(facets, facet::kUpdated, to_micros(*at));
  }
  add_number(facets, facet::kContextOrder, context_order(view));
  add_text(facets, shared_facet::kRepository, repository_of(view));
  if (view.text("identity_key").starts_with("node|module|")) {
    add_listed(facets, facet::kApiPage, "yes");
  }
  if (view.type() == ObjectType::kKnowledge) add_knowledge_facets(facets, view);
  sort_once(facets);
  return facets;
}

class Links {
 public:
  void add(std::string_view relation, const std::string& target) {
    if (target.empty() || !known_.add(std::string(relation) + '\0' + target)) return;
    links_.push_back({.relation = std::string(relation),
                      .target = {.kind = std::string(kind_of_id(target)), .id = target},
                      .provenance = "declared"});
  }
  std::vector<Link> take() { return std::move(links_); }

 private:
  std::vector<Link> links_;
  UniqueTexts known_;
};

// A claim between two things is an edge of the graph: both ends lead to the knowledge.
void add_claim_links(Links& links, const DocumentView& view) {
  const DocumentView payload(view.type(), view.member("payload"));
  const std::string subject(payload.text("subject"));
  const std::string object(payload.text("object"));
  if (subject.empty() || payload.text("predicate").empty()) return;
  if (object.find(':') == std::string::npos) return;
  links.add(kClaimSubjectRelation, subject);
  links.add(kClaimObjectRelation, object);
}

std::vector<Link> links_of(const DocumentView& view) {
  Links links;
  for (const ReferenceField& field : kReferenceFields) {
    for (const std::string& id : view.texts(field.field)) links.add(field.relation, id);
  }
  for (const std::string& id : view.evidence_sources()) links.add(kEvidenceRelation, id);
  for (const std::string& id : view.payload_ids()) links.add(kPayloadRelation, id);
  if (view.type() == ObjectType::kKnowledge) add_claim_links(links, view);
  return links.take();
}

Projection project(ObjectType type, const Document& document) {
  const DocumentView view(type, document.json);
  Projection projection{.facets = facets_of(view), .links = links_of(view)};
  projection.text = search_text_of(view);
  return projection;
}

template <ObjectType type>
const Noun<Document>& noun() {
  static const Codec<Document> codec;
  static const Noun<Document> noun{
      .kind = std::string(type_name(type)),
      .codec = codec,
      .project = [](const Document& document) { return project(type, document); }};
  return noun;
}

}  // namespace

const Noun<Document>& noun_of(ObjectType type) {
  switch (type) {
    case ObjectType::kNode: return noun<ObjectType::kNode>();
    case ObjectType::kKnowledge: return noun<ObjectType::kKnowledge>();
    case ObjectType::kActivity: return noun<ObjectType::kActivity>();
    case ObjectType::kWorkItem: return noun<ObjectType::kWorkItem>();
    case ObjectType::kSource: return noun<ObjectType::kSource>();
  }
  return noun<ObjectType::kSource>();
}

}  // namespace holdfast::service::substrate
