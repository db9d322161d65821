// What the engine derives of a document: facets to filter by, links to walk, text to search.
#include <algorithm>

#include "model/json_text.h"
#include "service/substrate/claim.h"
#include "service/substrate/concept_terms.h"
#include "service/substrate/document.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

// Text beyond these is not searched: a document is found by what is in its first half megabyte.
constexpr size_t kMaxPayloadBytes = size_t{256} << 10;
constexpr size_t kMaxSegmentBytes = size_t{512} << 10;

std::string bounded(std::string text, size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;
  text.resize(limit);
  return text;
}

// The words of a payload as they are, for the index: JSON's escapes would glue them together.
void append_words(std::string& out, const Value& value) {
  if (out.size() > kMaxPayloadBytes) return;
  if (const auto* text = value.if_string()) {
    out.append(*text).append("\n");
  } else if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements) append_words(out, element);
  } else if (const auto* members = value.if_object()) {
    for (const auto& member : *members) {
      out.append(member.name).append("\n");
      append_words(out, member.value);
    }
  } else if (!value.is_null()) {
    append_json(out, value);
    out += '\n';
  }
}

std::string payload_text(const DocumentView& view) {
  const Value& payload = view.member("payload");
  const auto* members = payload.if_object();
  if (members == nullptr || members->empty()) return {};
  return bounded(sorted_json(payload), kMaxPayloadBytes);
}

// Excerpts, and the paths of their places.
std::string segment_text(const DocumentView& view) {
  std::string out;
  const auto* segments = view.member("segments").if_array();
  if (segments == nullptr) return out;
  for (const Value& element : *segments) {
    const DocumentView segment(view.type(), element);
    out += segment.text("excerpt");
    out += '\n';
    const DocumentView locator(view.type(), segment.member("locator"));
    for (const std::string_view name : {"path", "ref"}) {
      if (const auto path = locator.text(name); !path.empty()) out.append(path).append("\n");
    }
    if (out.size() > kMaxSegmentBytes) break;
  }
  return bounded(std::move(out), kMaxSegmentBytes);
}

std::vector<std::string> metadata_words(const DocumentView& view) {
  std::vector<std::string> words = {std::string(view.id()), std::string(type_name(view.type()))};
  for (const std::string_view name : {"kind", "status", "lifecycle_state", "identity_key"}) {
    if (const auto word = view.text(name); !word.empty()) add_once(words, word);
  }
  for (const std::string& alias : view.texts("aliases")) add_once(words, alias);
  for (const ReferenceField& field : reference_fields()) {
    for (const std::string& id : view.texts(field.field)) add_once(words, id);
  }
  for (const std::string& id : view.texts("scope_refs")) add_once(words, id);
  for (const std::string& id : view.texts("artifact_refs")) add_once(words, id);
  for (const auto& ref : view.evidence()) {
    add_once(words, ref.source_id);
    add_once(words, ref.segment_id);
  }
  return words;
}

void add_text(std::vector<Facet>& facets, std::string_view name, std::string_view value) {
  if (!value.empty()) facets.push_back(Facet::of(std::string(name), std::string(value)));
}

void add_number(std::vector<Facet>& facets, std::string_view name, int64_t value) {
  facets.push_back(Facet::of(std::string(name), value));
}

// The status rank above the first seven bytes of the title: numbers in the order of contexts.
int64_t context_order(const DocumentView& view) {
  auto order = static_cast<uint64_t>(status_rank(view.status()));
  const std::string_view title = view.title();
  for (size_t i = 0; i < 7; ++i) {
    order = order << 8 | (i < title.size() ? static_cast<unsigned char>(title[i]) : 0U);
  }
  return static_cast<int64_t>(order);
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
    return std::string(rest.substr(0, rest.rfind('|')));
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
    if (!is_retired(status) && status != "contested") add_text(facets, facet::kUnstructured, "yes");
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

std::vector<Facet> facets_of(const DocumentView& view) {
  std::vector<Facet> facets;
  add_concept_facets(facets, view);
  add_text(facets, facet::kKind, view.kind());
  add_text(facets, facet::kStatus, view.status());
  for (const std::string& id : view.all_references()) add_text(facets, facet::kReference, id);
  if (view.type() == ObjectType::kNode || view.type() == ObjectType::kSource) {
    add_text(facets, facet::kReference, view.id());
  }
  for (const std::string& scope : view.texts("scope_refs")) add_text(facets, facet::kScope, scope);
  if (view.is_temporary()) add_text(facets, facet::kTemporary, "yes");
  if (const auto at = read_time(view.updated_at())) {
    add_number(facets, facet::kUpdated, to_micros(*at));
  }
  add_number(facets, facet::kContextOrder, context_order(view));
  add_text(facets, shared_facet::kRepository, repository_of(view));
  if (view.text("identity_key").starts_with("node|module|")) {
    add_text(facets, facet::kApiPage, "yes");
  }
  if (view.type() == ObjectType::kKnowledge) add_knowledge_facets(facets, view);
  std::ranges::sort(facets);
  const auto repeated = std::ranges::unique(facets);
  facets.erase(repeated.begin(), repeated.end());
  return facets;
}

void add_link(std::vector<Link>& links, std::string_view relation, const std::string& target) {
  Link link{.relation = std::string(relation),
            .target = {.kind = std::string(kind_of_id(target)), .id = target},
            .provenance = "declared"};
  if (!target.empty() && std::ranges::find(links, link) == links.end()) {
    links.push_back(std::move(link));
  }
}

// A claim between two things is an edge of the graph: both ends lead to the knowledge.
void add_claim_links(std::vector<Link>& links, const DocumentView& view) {
  const DocumentView payload(view.type(), view.member("payload"));
  const std::string subject(payload.text("subject"));
  const std::string object(payload.text("object"));
  if (subject.empty() || payload.text("predicate").empty()) return;
  if (object.find(':') == std::string::npos) return;
  add_link(links, kClaimSubjectRelation, subject);
  add_link(links, kClaimObjectRelation, object);
}

std::vector<Link> links_of(const DocumentView& view) {
  std::vector<Link> links;
  for (const ReferenceField& field : reference_fields()) {
    for (const std::string& id : view.texts(field.field)) add_link(links, field.relation, id);
  }
  for (const std::string& id : view.evidence_sources()) add_link(links, kEvidenceRelation, id);
  for (const std::string& id : view.payload_ids()) add_link(links, kPayloadRelation, id);
  if (view.type() == ObjectType::kKnowledge) add_claim_links(links, view);
  return links;
}

Projection project(ObjectType type, const Document& document) {
  const DocumentView view(type, document.json);
  Projection projection{.facets = facets_of(view), .links = links_of(view)};
  SearchText& text = projection.text;
  text.title = std::string(view.title());
  text.ids = metadata_words(view);
  text.summary = view.summary();
  append_words(text.body, view.member("payload"));
  text.body = bounded(std::move(text.body), kMaxPayloadBytes);
  text.body += '\n';
  text.body += segment_text(view);
  if (const auto at = read_time(view.updated_at())) text.at = *at;
  text.valid_from = read_time(view.text("valid_from"));
  text.valid_until = read_time(view.text("valid_until"));
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

Haystacks haystacks_of(const DocumentView& view) {
  Haystacks out{.title = lower(view.title()),
                .summary = lower(view.summary()),
                .payload = lower(payload_text(view)),
                .segments = lower(segment_text(view))};
  for (const std::string& word : metadata_words(view)) {
    out.metadata += lower(word);
    out.metadata += '\n';
  }
  return out;
}

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
