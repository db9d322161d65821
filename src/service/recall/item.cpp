#include "service/recall/item.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

const Codec<Produced>& produced_codec() {
  static const Codec<Produced> codec =
      Codec<Produced>().field("memory_id", &Produced::memory_id).field("type", &Produced::type);
  return codec;
}

}  // namespace
}  // namespace holdfast::service::recall

namespace holdfast {

template <>
const Codec<service::recall::Produced>& codec_of<service::recall::Produced>() {
  return service::recall::produced_codec();
}

}  // namespace holdfast

namespace holdfast::service::recall {
namespace {

const Codec<Item>& item_codec() {
  static const Codec<Item> codec = Codec<Item>()
                                       .field("about", &Item::about)
                                       .field("content_type", &Item::content_type)
                                       .field("content", &Item::content)
                                       .field("work_refs", &Item::work_refs)
                                       .field("metadata", &Item::metadata)
                                       .field("use_case", &Item::use_case)
                                       .field("status", &Item::status)
                                       .field("attempts", &Item::attempts)
                                       .field("claimed_at", &Item::claimed_at)
                                       .field("completed_at", &Item::completed_at)
                                       .field("error", &Item::error)
                                       .field("failure_category", &Item::failure_category)
                                       .field("produced", &Item::produced)
                                       .field("rebuild_requested", &Item::rebuild_requested)
                                       .field("debug_stripped", &Item::debug_stripped)
                                       .field("by_hand", &Item::by_hand);
  return codec;
}

void add_text(std::vector<Facet>& facets, std::string_view name, const std::string& value) {
  if (!value.empty()) facets.push_back(Facet::of(std::string(name), value));
}

// When retention may remove it, and when what is kept for inspection: once it has been worked on.
void add_ends(const Item& item, std::vector<Facet>& facets) {
  using std::chrono::hours;
  if (!item.completed_at) return;
  const std::string kind = effective_kind(item.about);
  const bool work = kind == "tool_use_summary" || kind == "todo_snapshot";
  const hours kept(24 * (work ? 45 : is_low_value_text(item.content) ? 3 : 30));
  facets.push_back(
      Facet::of(std::string(facet::kExpires), to_micros(item.about.created_at + kept)));
  if (!item.debug_stripped && (item.rebuild_requested || !item.produced.empty()))
    facets.push_back(
        Facet::of(std::string(facet::kDebugUntil), to_micros(*item.completed_at + hours(72))));
}

// Backs one memory and is no turn: nothing that queries, threads, counts or retention look for.
Projection project_statement(const Item& item) {
  Projection out;
  add_text(out.facets, facet::kLive, "no");
  out.text = {.body = item.content, .at = moment_of(item.about)};
  return out;
}

Projection project_item(const Item& item) {
  if (item.by_hand) return project_statement(item);
  Projection out;
  const Evidence& about = item.about;
  add_evidence_facets(about, out.facets);
  add_text(out.facets, facet::kActor, actor_facet(about.actor_ref));
  add_text(out.facets, facet::kLive, about.container_ref ? "yes" : "no");
  add_text(out.facets, facet::kStatus, item.status);
  add_text(out.facets, shared_facet::kContainer, about.container_ref.value_or(""));
  add_text(out.facets, shared_facet::kThread, about.thread_ref.value_or(""));
  for (const std::string& ref : item.work_refs) add_text(out.facets, shared_facet::kWorkRef, ref);
  if (about.container_ref && about.thread_ref) {
    add_text(out.facets, facet::kThread, thread_facet(*about.container_ref, *about.thread_ref));
    if (builds_thread(about))
      add_text(out.facets, facet::kThreadScope,
               thread_scope(about.container_ref, about.thread_ref, about.visibility));
  }
  out.facets.push_back(Facet::of(std::string(facet::kCreated), to_micros(about.created_at)));
  if (item.completed_at)
    out.facets.push_back(Facet::of(std::string(facet::kCompleted), to_micros(*item.completed_at)));
  add_ends(item, out.facets);
  out.text = {.body = item.content,
              .conversation = about.thread_ref
                                  ? about.container_ref.value_or("") + "\x1f" + *about.thread_ref
                                  : std::string(),
              .speaker = about.actor_ref.value_or(""),
              .at = moment_of(about)};
  return out;
}

}  // namespace

Visibility reach_of(Scope scope) {
  if (scope == Scope::kPublic) return Visibility::kPublic;
  return scope == Scope::kContainer ? Visibility::kContainer : Visibility::kPrivate;
}

const Codec<Evidence>& evidence_codec() {
  static const Codec<Evidence> codec = Codec<Evidence>()
                                           .field("source_item_id", &Evidence::source_item_id)
                                           .field("source_type", &Evidence::source_type)
                                           .field("source_id", &Evidence::source_id)
                                           .field("occurred_at", &Evidence::occurred_at)
                                           .field("created_at", &Evidence::created_at)
                                           .field("actor_ref", &Evidence::actor_ref)
                                           .field("agent_ref", &Evidence::agent_ref)
                                           .field("role", &Evidence::role)
                                           .field("container_ref", &Evidence::container_ref)
                                           .field("thread_ref", &Evidence::thread_ref)
                                           .field("source_ref", &Evidence::source_ref)
                                           .field("artifact_kind", &Evidence::artifact_kind)
                                           .field("visibility", &Evidence::visibility);
  return codec;
}

const Noun<Item>& item_noun() {
  static const Noun<Item> noun{
      .kind = "recall_item", .codec = item_codec(), .project = project_item};
  return noun;
}

Label label_of(Scope scope, const Text& container, const Text& actor) {
  Label label{.container = container.value_or(""), .owner = actor.value_or("")};
  if (!container) return {.visibility = Visibility::kOwner};
  switch (scope) {
    case Scope::kPublic: label.visibility = Visibility::kPublic; break;
    case Scope::kContainer: label.visibility = Visibility::kContainer; break;
    case Scope::kPrivate: label.visibility = Visibility::kPrivate; break;
    case Scope::kGlobal: label.visibility = Visibility::kOwner; break;
  }
  return label;
}

bool may_reach(const access::SpaceAccess& access, const Text& container) {
  if (!container) return access.viewer().every_owner || !access.viewer().containers;
  return access.may_see({.visibility = Visibility::kContainer, .container = *container});
}

std::string derived_id(std::initializer_list<std::string_view> parts) {
  std::string joined = "recall";
  for (const std::string_view part : parts) {
    joined += std::to_string(part.size()) + ':';
    joined += part;
  }
  std::string hex = to_hex(sha256(joined)).substr(0, 32);
  hex[12] = '4';
  hex[16] = "89ab"[static_cast<unsigned char>(hex[16]) % 4];
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" +
         hex.substr(16, 4) + "-" + hex.substr(20);
}

bool role_is(const Evidence& about, std::string_view role) {
  return about.role && fold_case(*about.role) == role;
}

std::string effective_kind(const Evidence& about) {
  if (about.artifact_kind) return *about.artifact_kind;
  if (role_is(about, "user")) return "message";
  if (role_is(about, "assistant")) return "assistant_output";
  return {};
}

bool builds_thread(const Evidence& about) {
  if (!about.container_ref || !about.thread_ref) return false;
  const std::string kind = effective_kind(about);
  if (kind == "message") return role_is(about, "user");
  return role_is(about, "assistant") &&
         (kind == "assistant_output" || kind == "tool_use_summary" || kind == "todo_snapshot");
}

std::string thread_scope(const Text& container, const Text& thread, Scope visibility) {
  return to_json(Value::object({{"container_ref", container.value_or("")},
                                {"thread_ref", thread ? Value(*thread) : Value()},
                                {"use_case", kUseCase},
                                {"visibility", enum_name(visibility)}}));
}

std::string actor_facet(const Text& actor) { return actor ? "=" + *actor : "-"; }

std::string thread_facet(const std::string& container, const std::string& thread) {
  return container + "\x1f" + thread;
}

void add_evidence_facets(const Evidence& about, std::vector<Facet>& facets) {
  add_text(facets, facet::kSourceType, about.source_type);
  add_text(facets, facet::kRole, about.role ? fold_case(*about.role) : "");
  add_text(facets, facet::kArtifact, about.artifact_kind.value_or(""));
}

}  // namespace holdfast::service::recall
