// One immutable piece of evidence, and how far the pipeline has come with it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/space_access.h"
#include "base/clock.h"
#include "model/label.h"
#include "model/noun.h"
#include "model/value.h"

namespace holdfast::service::recall {

// As the caller words it; kGlobal follows the actor into every container.
enum class Scope { kPublic, kContainer, kPrivate, kGlobal };

using Text = std::optional<std::string>;

inline constexpr size_t kTitleLength = 100;  // of what has no title of its own
inline constexpr size_t kMostRefs = 5;       // references to work that an item or a memory has

// Which item backs a memory: kept with the memory, so that showing one reads nothing else.
struct Evidence {
  std::string source_item_id = {};
  std::string source_type = {};
  std::string source_id = {};
  std::optional<Timestamp> occurred_at = {};
  Timestamp created_at = {};
  Text actor_ref = {};
  Text agent_ref = {};
  Text role = {};
  Text container_ref = {};
  Text thread_ref = {};
  Text source_ref = {};
  Text artifact_kind = {};
  Scope visibility = Scope::kPrivate;
};

struct Produced {
  std::string memory_id = {};
  std::string type = {};
};

struct Item {
  Evidence about = {};
  std::string content_type = {};
  std::string content = {};
  std::vector<std::string> work_refs = {};
  Value metadata = {};
  std::string use_case = {};
  // The pipeline.
  std::string status = "pending";
  int64_t attempts = 0;
  std::optional<Timestamp> claimed_at = {};
  std::optional<Timestamp> completed_at = {};
  Text error = {};
  Text failure_category = {};
  std::vector<Produced> produced = {};
  bool rebuild_requested = false;
  bool debug_stripped = false;  // what was only of use for a while is gone
  bool by_hand = false;  // written with a memory that somebody stated: no turn of a conversation
};

inline constexpr std::string_view kUseCase = "agent_conversation_memory";

// Who else sees what has that scope.
Visibility reach_of(Scope scope);
const Codec<Evidence>& evidence_codec();
const Noun<Item>& item_noun();
inline ObjectKey item_key(const std::string& id) { return {.kind = item_noun().kind, .id = id}; }

// The one rule of who sees evidence and memory: public everywhere, container and private inside,
// global with the actor. Without a container nobody sees it.
Label label_of(Scope scope, const Text& container, const Text& actor);

// Whether the caller's token reaches the container, whatever actor it speaks for.
bool may_reach(const access::SpaceAccess& access, const Text& container);

// A UUID that names the same thing whenever it is made of the same parts, so that a repeated
// write changes nothing.
std::string derived_id(std::initializer_list<std::string_view> parts);

// message, assistant_output, ...: what the item counts as; empty where nothing says so.
std::string effective_kind(const Evidence& about);
bool role_is(const Evidence& about, std::string_view role);
// Takes part in its thread's memory.
bool builds_thread(const Evidence& about);
// Names a thread of one container and visibility, in whose memory the item takes part.
std::string thread_scope(const Text& container, const Text& thread, Scope visibility);
// When it happened, as far as known.
inline Timestamp moment_of(const Evidence& about) {
  return about.occurred_at.value_or(about.created_at);
}

namespace facet {
inline constexpr std::string_view kActor = "recall_actor";
inline constexpr std::string_view kSourceType = "recall_source_type";
inline constexpr std::string_view kRole = "recall_role";
inline constexpr std::string_view kArtifact = "recall_artifact";
inline constexpr std::string_view kLive = "recall_live";  // may be returned by a query
inline constexpr std::string_view kStatus = "recall_status";
inline constexpr std::string_view kCompleted = "recall_completed";  // a number
inline constexpr std::string_view kCreated = "recall_created";      // a number
inline constexpr std::string_view kThread = "recall_thread";
inline constexpr std::string_view kThreadScope = "recall_thread_scope";
inline constexpr std::string_view kExpires = "recall_expires";   // a number: may go then
inline constexpr std::string_view kDebugUntil = "recall_debug";  // a number, likewise
inline constexpr std::string_view kFresh = "recall_fresh";       // a number, of memories
inline constexpr std::string_view kType = "recall_type";         // of memories
inline constexpr std::string_view kCanon = "recall_canon";       // equal ones say the same
inline constexpr std::string_view kFamily = "recall_family";     // type and scope, active only
inline constexpr std::string_view kSlot = "recall_slot";         // a single-valued fact
inline constexpr std::string_view kSubject = "recall_subject";   // facts about one thing
inline constexpr std::string_view kAbout = "recall_about";       // the memory that is spoken of
inline constexpr std::string_view kLookup = "recall_lookup";     // the query that injected it
inline constexpr std::string_view kUsedIn = "recall_used_in";    // ... and its container
inline constexpr std::string_view kUsedThread = "recall_used_thread";
}  // namespace facet

// Facet values may not be empty: nobody is "-", somebody "=name".
std::string actor_facet(const Text& actor);
std::string thread_facet(const std::string& container, const std::string& thread);
// What filters read, of one piece of evidence.
void add_evidence_facets(const Evidence& about, std::vector<Facet>& facets);

}  // namespace holdfast::service::recall

namespace holdfast {

template <>
struct EnumNames<service::recall::Scope> {
  static constexpr std::array<std::pair<service::recall::Scope, std::string_view>, 4> kNames = {
      {{service::recall::Scope::kPublic, "public"},
       {service::recall::Scope::kContainer, "container"},
       {service::recall::Scope::kPrivate, "private"},
       {service::recall::Scope::kGlobal, "global"}}};
};

template <>
inline const Codec<service::recall::Evidence>& codec_of<service::recall::Evidence>() {
  return service::recall::evidence_codec();
}

}  // namespace holdfast
