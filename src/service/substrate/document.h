// A stored object of the substrate: its body is the published JSON object itself, so that members
// which only callers understand survive every change. DocumentView reads what all types have in
// common; objects.h has the structs of each type.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/codec.h"
#include "model/noun.h"
#include "model/value.h"
#include "service/substrate/ids.h"

namespace holdfast::service::substrate {

struct Document {
  Value json = Value::object();
};

// A list (or a single text) of a document that names other objects, and what the edge is called.
struct ReferenceField {
  std::string_view field;
  std::string_view relation;
};
// In the order in which the first match names the edge. Evidence and payload come after these.
inline constexpr std::array<ReferenceField, 12> kReferenceFields = {{
    {"subject_refs", "subject"},
    {"related_node_refs", "related_node"},
    {"related_work_item_refs", "related_work_item"},
    {"produced_object_refs", "produced_object"},
    {"source_refs", "source"},
    {"related_knowledge_refs", "related_knowledge"},
    {"depends_on", "depends_on"},
    {"blocked_by", "blocked_by"},
    {"child_refs", "child"},
    {"owner_refs", "owner"},
    {"parent_refs", "parent"},
    {"parent_ref", "parent"},
}};
inline constexpr std::string_view kEvidenceRelation = "evidence";
inline constexpr std::string_view kPayloadRelation = "payload";
// Edges of a claim (payload subject, predicate, object) from its knowledge to both ends.
inline constexpr std::string_view kClaimSubjectRelation = "claim_subject";
inline constexpr std::string_view kClaimObjectRelation = "claim_object";

// Words of one document; the Value is the caller's and must outlive the view. Members of another
// type than expected count as absent.
class DocumentView {
 public:
  DocumentView(ObjectType type, const Value& json) : type_(type), json_(json) {}

  ObjectType type() const { return type_; }
  const Value& json() const { return json_; }
  std::string_view text(std::string_view member) const;
  std::vector<std::string> texts(std::string_view member) const;  // a list, or one text
  template <typename Use>
  void each_text(std::string_view member, Use&& use) const;  // the same, one after the other
  template <typename Use>
  void each_reference(Use&& use) const {
    for (const ReferenceField& field : kReferenceFields) each_text(field.field, use);
  }
  const Value& member(std::string_view name) const;  // null if there is none

  std::string_view id() const { return text("id"); }
  std::string_view title() const;   // title, name or id
  std::string_view kind() const;    // or the type
  std::string_view status() const;  // or lifecycle_state
  std::string_view updated_at() const;
  std::string summary() const;  // repositories have a sentence made of their facts
  bool is_repo_source() const;
  bool is_temporary() const;

  struct Evidence {
    std::string source_id;
    std::string segment_id;
  };
  std::vector<Evidence> evidence() const;
  std::vector<std::string> evidence_sources() const;  // each once
  // Texts among the payload's values, and in lists that are such values, which can be ids.
  std::vector<std::string> payload_ids() const;
  // Everything the document refers to in any way, each once.
  std::vector<std::string> all_references() const;

 private:
  ObjectType type_;
  const Value& json_;
};

template <typename Use>
void DocumentView::each_text(std::string_view name, Use&& use) const {
  const Value& found = member(name);
  if (const auto* one = found.if_string()) return use(*one);
  const auto* elements = found.if_array();
  if (elements == nullptr) return;
  for (const Value& element : *elements) {
    if (const auto* one = element.if_string()) use(*one);
  }
}

// What all types have in common, said once for everything that reads documents.
template <typename View>
std::string_view title_of(const View& view) {
  const std::string_view title = view.text("title");
  if (!title.empty()) return title;
  const std::string_view name = view.text("name");
  return name.empty() ? view.text("id") : name;
}
template <typename View>
std::string_view kind_of(const View& view) {
  const std::string_view found = view.text("kind");
  return found.empty() ? type_name(view.type()) : found;
}
template <typename View>
std::string_view status_of(const View& view) {
  const std::string_view found = view.text("status");
  return found.empty() ? view.text("lifecycle_state") : found;
}

// What lists and hits show of an object.
struct Card {
  std::string object_type = {};
  std::string id = {};
  std::string kind = {};
  std::string title = {};
  std::string status = {};
  std::string summary = {};
};
template <typename View>
Card card_of(const View& view) {
  return {.object_type = std::string(type_name(view.type())),
          .id = std::string(view.id()),
          .kind = std::string(view.kind()),
          .title = std::string(view.title()),
          .status = std::string(view.status()),
          .summary = std::string(view.summary())};
}

// Statuses and lifecycle states of what is not meant to last.
bool is_temporary_word(std::string_view word);
// How early a status comes in a context: active 0, ..., unknown 50, archived 99.
int status_rank(std::string_view status);

namespace facet {
inline constexpr std::string_view kKind = "kind";
inline constexpr std::string_view kStatus = "status";
inline constexpr std::string_view kReference = "ref";  // every id it refers to; nodes, sources: own
inline constexpr std::string_view kScope = "scope";
inline constexpr std::string_view kTemporary = "temporary";  // "yes"
inline constexpr std::string_view kTitle = "title";          // in lower case, if short
inline constexpr std::string_view kUpdated = "updated";      // number: microseconds
inline constexpr std::string_view kContextOrder =
    "context_order";                                            // number: status rank, type, title
inline constexpr std::string_view kVerified = "verified";       // number: last_verified_at
inline constexpr std::string_view kClaim = "claim";             // per scope; see claim.h
inline constexpr std::string_view kClaimTopic = "claim_topic";  // per scope; see claim.h
inline constexpr std::string_view kApiPage = "api_page";        // "yes": a parsed module
inline constexpr std::string_view kUnstructured = "unstructured";  // "yes": soft duplicates
// Keys (concept_key) of the names of a concept that is not retired.
inline constexpr std::string_view kConcept = "concept";
}  // namespace facet

// Longer titles are not found by what they are as a whole.
inline constexpr size_t kMaxTitleFacet = 200;

const Noun<Document>& noun_of(ObjectType type);

}  // namespace holdfast::service::substrate

namespace holdfast {

template <>
class Codec<service::substrate::Document> {
 public:
  std::string encode_text(const service::substrate::Document& from) const;
  Result<service::substrate::Document> decode_text(std::string_view text) const;
};

}  // namespace holdfast
