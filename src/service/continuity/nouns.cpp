#include "service/continuity/nouns.h"

#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/normalise.h"
#include "service/continuity/trust.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

const Codec<StoredCapsule>& capsule_codec() {
  static const Codec<StoredCapsule> codec =
      Codec<StoredCapsule>()
          .field("subject_kind", &StoredCapsule::subject_kind)
          .field("subject_id", &StoredCapsule::subject_id)
          .field("stem", &StoredCapsule::stem)
          .field("has_fallback", &StoredCapsule::has_fallback)
          .field("archive_stem", &StoredCapsule::archive_stem)
          .field("archived_at", &StoredCapsule::archived_at)
          .field("archived_by", &StoredCapsule::archived_by)
          .field("reason", &StoredCapsule::reason)
          .field("cold_stored_at", &StoredCapsule::cold_stored_at)
          .field("cold_phase", &StoredCapsule::cold_phase)
          .field("capsule", &StoredCapsule::capsule)
          .field("noted", &StoredCapsule::noted);
  return codec;
}

const Codec<PathClaim>& claim_codec() {
  static const Codec<PathClaim> codec = Codec<PathClaim>()
                                            .field("subject_kind", &PathClaim::subject_kind)
                                            .field("subject_id", &PathClaim::subject_id);
  return codec;
}

void add_descriptor(const Value& descriptor, std::vector<Facet>& facets) {
  facets.push_back(Facet::of(facet::kLabel, text_of(descriptor, "label")));
  if (present(descriptor, "lifecycle") != nullptr)
    facets.push_back(Facet::of(facet::kLifecycle, text_of(descriptor, "lifecycle")));
  for (const Value& anchor : list_of(descriptor, "scope_anchors"))
    facets.push_back(Facet::of(facet::kScopeAnchor, fold_case(trim_space(*anchor.if_string()))));
  for (const Value& word : list_of(descriptor, "keywords"))
    facets.push_back(Facet::of(facet::kKeyword, *word.if_string()));
  for (const Value& anchor : list_of(descriptor, "identity_anchors")) {
    const std::string kind = text_of(anchor, "kind");
    facets.push_back(Facet::of(facet::kAnchorKind, kind));
    facets.push_back(Facet::of(facet::kAnchor, kind + "/" + text_of(anchor, "value")));
  }
}

void add_ranks(const Value& capsule, std::vector<Facet>& facets) {
  const auto add = [&](const char* name, int64_t value) {
    facets.push_back(Facet::of(name, value));
  };
  add(facet::kLifecycleRank, lifecycle_rank(capsule));
  add(facet::kHealthRank, health_rank(capsule));
  add(facet::kInadequate, is_adequate(capsule) ? 0 : 1);
  add(facet::kVerification, signal_strength(text_of(capsule, "verification_kind")));
  const auto updated = parse_iso(text_of(capsule, "updated_at"));
  const auto verified = parse_iso(text_of(capsule, "verified_at"));
  add(facet::kUpdated, updated ? to_micros(*updated) : 0);
  add(facet::kVerified, verified ? to_micros(*verified) : 0);
  const std::string status = verification_status(capsule);
  if (status != "unverified" && status != "self_attested")
    facets.push_back(Facet::of(facet::kAttested, "yes"));
  const bool known = verified && to_micros(*verified) != 0;
  const auto threshold = freshness_of(capsule, verified.value_or(Timestamp())).threshold;
  const auto until = [&](int64_t halves) {
    return threshold && known ? to_micros(*verified) + *threshold * 500'000 * halves : INT64_MAX;
  };
  add(facet::kFreshUntil, until(2));
  add(facet::kSoftUntil, until(3));
  add(facet::kHardUntil, until(4));
  const Value* expires = find_path(capsule, "freshness.expires_at");
  const auto at =
      expires != nullptr && expires->is_string() ? parse_iso(*expires->if_string()) : std::nullopt;
  add(facet::kExpires, !known ? 0 : at ? to_micros(*at) : INT64_MAX);
}

SearchText search_text(const StoredCapsule& stored) {
  SearchText text;
  const Value& capsule = stored.capsule;
  const Value* label = find_path(capsule, "thread_descriptor.label");
  const std::string* title = label != nullptr ? label->if_string() : nullptr;
  text.title = title != nullptr ? *title : stored.subject_id;
  text.ids = {stored.subject_id};
  const Value* state = capsule.find("continuity");
  if (state != nullptr && state->is_object()) {
    text.summary = text_of(*state, "stance_summary");
    for (const char* name : {"top_priorities", "active_concerns", "active_constraints",
                             "open_loops", "drift_signals", "working_hypotheses"}) {
      for (const Value& item : list_of(*state, name)) {
        if (item.is_string()) text.body += *item.if_string() + "\n";
      }
    }
  }
  text.at = parse_iso(text_of(capsule, "updated_at")).value_or(Timestamp());
  return text;
}

Projection project(const StoredCapsule& stored, const std::string& state, int order,
                   const std::string& path) {
  Projection out;
  out.facets = {Facet::of(facet::kArtifact, state),
                Facet::of(facet::kSubjectKind, stored.subject_kind),
                Facet::of(facet::kSubject, stored.subject_id),
                Facet::of(facet::kName, stored.subject().name()),
                Facet::of(facet::kOrder, static_cast<int64_t>(order)),
                Facet::of(facet::kPath, path)};
  if (const Value* descriptor = present(stored.capsule, "thread_descriptor"))
    add_descriptor(*descriptor, out.facets);
  return out;
}

Projection project_active(const StoredCapsule& stored) {
  Projection out = project(stored, "active", 0, active_path(stored.stem));
  if (stored.has_fallback) out.facets.push_back(Facet::of(facet::kHasFallback, "yes"));
  add_ranks(stored.capsule, out.facets);
  if (stored.subject_kind == "thread")
    out.facets.push_back(Facet::of(std::string(shared_facet::kThread), stored.subject_id));
  if (stored.subject_kind == "task")
    out.facets.push_back(Facet::of(std::string(shared_facet::kTask), stored.subject_id));
  out.text = search_text(stored);
  return out;
}

Projection project_fallback(const StoredCapsule& stored) {
  Projection out = project(stored, "fallback", 1, fallback_path(stored.stem));
  add_ranks(stored.capsule, out.facets);
  return out;
}

Projection project_archive(const StoredCapsule& stored) {
  const bool cold = !stored.cold_stored_at.empty();
  Projection out = project(stored, cold ? "cold" : "archived", cold ? 3 : 2,
                           cold ? stub_path(stored.archive_stem) : active_path(stored.stem));
  const auto at = parse_iso(stored.archived_at);
  out.facets.push_back(Facet::of(facet::kArchived, at ? to_micros(*at) : 0));
  return out;
}

}  // namespace

std::string StoredCapsule::artifact_state(std::string_view kind) const {
  if (kind == capsule_noun().kind) return "active";
  if (kind == fallback_noun().kind) return "fallback";
  return cold_stored_at.empty() ? "archived" : "cold";
}

const Noun<StoredCapsule>& capsule_noun() {
  static const Noun<StoredCapsule> noun{
      .kind = "capsule", .codec = capsule_codec(), .project = project_active};
  return noun;
}
const Noun<StoredCapsule>& fallback_noun() {
  static const Noun<StoredCapsule> noun{
      .kind = "capsule_fallback", .codec = capsule_codec(), .project = project_fallback};
  return noun;
}
const Noun<StoredCapsule>& archive_noun() {
  static const Noun<StoredCapsule> noun{
      .kind = "capsule_archive", .codec = capsule_codec(), .project = project_archive};
  return noun;
}
const Noun<PathClaim>& path_noun() {
  static const Noun<PathClaim> noun{.kind = "capsule_path",
                                    .codec = claim_codec(),
                                    .project = [](const PathClaim&) { return Projection(); }};
  return noun;
}

}  // namespace holdfast::service::continuity
