#include "service/continuity/work_nouns.h"

#include "service/continuity/document.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

const Codec<Document>& document_codec() {
  static const Codec<Document> codec = Codec<Document>().field("body", &Document::body);
  return codec;
}

void add_text(Projection& out, std::string_view facet, const Value& body, std::string_view member) {
  const std::string value = text_of(body, member);
  if (!value.empty()) out.facets.push_back(Facet::of(std::string(facet), value));
}

void add_texts(Projection& out, const char* facet, const Value& body, std::string_view member) {
  for (const Value& item : list_of(body, member)) {
    if (item.is_string()) out.facets.push_back(Facet::of(facet, *item.if_string()));
  }
}

void add_time(Projection& out, std::string_view facet, const Value& body, std::string_view member) {
  const auto at = parse_iso(text_of(body, member));
  if (at) out.facets.push_back(Facet::of(std::string(facet), to_micros(*at)));
}

void add_place(Projection& out, const Value& body) {
  add_text(out, shared_facet::kTask, body, "task_id");
  add_text(out, shared_facet::kThread, body, "thread_id");
}

void append_words(std::string& out, const Value& value) {
  if (const auto* text = value.if_string()) out.append("\n").append(*text);
  if (const auto* items = value.if_array()) {
    for (const Value& item : *items) append_words(out, item);
  }
  if (const auto* members = value.if_object()) {
    for (const auto& [name, member] : *members) {
      out.append("\n").append(name);
      append_words(out, member);
    }
  }
}

// A main text and what else somebody may look for.
std::string with_words_of(const Value& body, std::string_view main,
                          std::initializer_list<std::string_view> others) {
  std::string text = text_of(body, main);
  for (const std::string_view name : others) {
    if (const Value* value = present(body, name)) append_words(text, *value);
  }
  return text;
}

Projection project_reminder(const Document& document) {
  const Value& body = document.body;
  Projection out;
  const std::string status = text_of(body, "status");
  add_text(out, facet::kItem, body, "schedule_id");
  add_text(out, facet::kStatus, body, "status");
  add_text(out, facet::kIdempotency, body, "idempotency_key");
  add_place(out, body);
  if (!text_of(body, "subject_kind").empty())
    out.facets.push_back(Facet::of(facet::kReminderSubject, text_of(body, "subject_kind") + ":" +
                                                                text_of(body, "subject_id")));
  add_time(out, shared_facet::kDueAt, body, "due_at");
  out.facets.push_back(
      Facet::of(std::string(shared_facet::kWorkState), status == "pending" ? "open" : "done"));
  out.text = {.title = text_of(body, "title"),
              .ids = {text_of(body, "schedule_id")},
              .body = with_words_of(body, "note",
                                    {"task_id", "thread_id", "subject_id", "due_at", "metadata"}),
              .at = parse_iso(text_of(body, "updated_at")).value_or(Timestamp())};
  return out;
}

Projection project_task(const Document& document) {
  const Value& body = document.body;
  Projection out;
  add_text(out, facet::kItem, body, "task_id");
  add_text(out, facet::kStatus, body, "status");
  add_text(out, facet::kOwnerPeer, body, "owner_peer");
  add_texts(out, facet::kPeer, body, "collaborators");
  add_place(out, body);
  add_time(out, facet::kWorkUpdated, body, "updated_at");
  add_time(out, shared_facet::kDueAt, body, "due_at");
  const bool done = text_of(body, "status") == "done";
  out.facets.push_back(Facet::of(std::string(shared_facet::kWorkState), done ? "done" : "open"));
  out.text = {.title = text_of(body, "title"),
              .ids = {text_of(body, "task_id")},
              .body = with_words_of(
                  body, "description",
                  {"owner_peer", "collaborators", "thread_id", "blocked_by", "due_at", "metadata"}),
              .at = parse_iso(text_of(body, "updated_at")).value_or(Timestamp())};
  return out;
}

Projection project_artefact(const Document& document) {
  const Value& body = document.body;
  Projection out;
  for (const char* id : {"handoff_id", "shared_id", "reconciliation_id"})
    add_text(out, facet::kItem, body, id);
  add_text(out, facet::kStatus, body, "recipient_status");
  add_text(out, facet::kStatus, body, "status");
  add_text(out, facet::kOwnerPeer, body, "owner_peer");
  add_text(out, facet::kSender, body, "sender_peer");
  add_text(out, facet::kPeer, body, "recipient_peer");
  add_texts(out, facet::kPeer, body, "participant_peers");
  for (const Value& claim : list_of(body, "claims"))
    add_text(out, facet::kSender, claim, "claimant_peer");
  add_text(out, facet::kClass, body, "classification");
  add_place(out, body);
  add_time(out, facet::kWorkUpdated, body,
           present(body, "updated_at") != nullptr ? "updated_at" : "created_at");
  return out;
}

}  // namespace

const Noun<Document>& reminder_noun() {
  static const Noun<Document> noun{
      .kind = "reminder", .codec = document_codec(), .project = project_reminder};
  return noun;
}
const Noun<Document>& task_noun() {
  static const Noun<Document> noun{
      .kind = "task", .codec = document_codec(), .project = project_task};
  return noun;
}
const Noun<Document>& peer_noun() {
  static const Noun<Document> noun{.kind = "peer",
                                   .codec = document_codec(),
                                   .project = [](const Document&) { return Projection(); }};
  return noun;
}
const Noun<Document>& handoff_noun() {
  static const Noun<Document> noun{
      .kind = "handoff", .codec = document_codec(), .project = project_artefact};
  return noun;
}
const Noun<Document>& shared_noun() {
  static const Noun<Document> noun{
      .kind = "shared_state", .codec = document_codec(), .project = project_artefact};
  return noun;
}
const Noun<Document>& reconciliation_noun() {
  static const Noun<Document> noun{
      .kind = "reconciliation", .codec = document_codec(), .project = project_artefact};
  return noun;
}

}  // namespace holdfast::service::continuity
