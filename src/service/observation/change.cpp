// Changing and deleting observations.
#include <algorithm>

#include "service/observation/failure.h"
#include "service/observation/metadata.h"
#include "service/observation/observation_service.h"

namespace holdfast::service::observation {
namespace {

constexpr int kMayReclassify = 3;  // tier
constexpr std::chrono::hours kKeptAfterDeletion{24 * 30};

bool is_creator(const Observation& observation, const CallContext& call) {
  return observation.created_by == call.principal.value;
}

// Replaces a link; true if that changed it.
bool relink(const std::optional<std::optional<std::string>>& wanted,
            std::optional<std::string>& link) {
  if (!wanted || *wanted == link) return false;
  link = *wanted;
  return true;
}

struct Relinked {
  bool subcortex = false;
  bool thread = false;
  bool task = false;
  bool any() const { return subcortex || thread || task; }
};

Status apply_metadata(const Patch& patch, Observation& to) {
  if (!patch.metadata) return {};
  merge_metadata(to.metadata, *patch.metadata);
  auto issues = metadata_issues(to.metadata);
  if (issues.empty()) return {};
  return invalid_argument("The metadata that would result is too large.", std::move(issues));
}

// Findings in members that the patch names: others were judged when they were written.
std::vector<Finding> touched(const std::vector<Finding>& findings, const Patch& patch) {
  std::vector<Finding> out;
  std::ranges::copy_if(findings, std::back_inserter(out), [&](const Finding& finding) {
    const std::string& name = finding.path.front().name;
    return (name == "title" && patch.title) || (name == "summary_md" && patch.summary_md) ||
           (name == "tags" && patch.tags) || (name == "metadata" && patch.metadata);
  });
  return out;
}

Result<Label> label_after(Visit& visit, const Observation& after, const Object& before,
                          const Relinked& relinked) {
  Label label = before.label;
  label.sensitivity = after.sensitivity;
  if (!relinked.any()) return label;
  HOLDFAST_TRY(Surroundings around, resolve(visit, links_of(after),
                                            {.subcortex = !relinked.subcortex,
                                             .thread = !relinked.thread,
                                             .task = !relinked.task}));
  // A thread that is gone no longer tells its subcortex; what was hidden because of it stays so.
  if (after.thread_id && !relinked.thread) {
    HOLDFAST_TRY(const auto thread, visit.find(thread_noun(), *after.thread_id));
    if (!thread) {
      around.subcortexes.insert(around.subcortexes.end(), before.label.compartments.begin(),
                                before.label.compartments.end());
    }
  }
  return label_in(*around.workspace, after.sensitivity, std::move(around.subcortexes));
}

}  // namespace

Result<Object> ObservationService::changeable(Visit& visit, const std::string& id, Change change) {
  auto object = visit.txn().get(visit.everything(), {.kind = observation_noun().kind, .id = id});
  if (!object && object.error().code == ErrorCode::kNotFound) return no_observation(id);
  if (!object) return object;
  HOLDFAST_CHECK_OK(visit.pass(object->label, no_observation(id)));
  HOLDFAST_TRY(const Observation observation, read_observation(*object));
  const bool may_anyway = change == Change::kDelete && visit.is_administrator();
  if (!is_creator(observation, visit.call()) && !may_anyway) {
    return denied(reason::kOwnership, "Only whoever made an observation may change it.");
  }
  HOLDFAST_TRY(const auto* workspace, visit.workspace(observation.workspace_id));
  HOLDFAST_TRY(const bool writable,
               workspace != nullptr ? visit.may_write(*workspace) : Result<bool>(false));
  if (!writable) return forbidden("You may no longer write in this workspace.");
  return object;
}

Result<Observation> ObservationService::may_change(const CallContext& call, const std::string& id,
                                                   Change change) const {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  HOLDFAST_TRY(const Object object, changeable(visit, id, change));
  return read_observation(object);
}

Result<Patched> ObservationService::patch(Mutation& mutation, const Patch& patch) {
  HOLDFAST_TRY(const Object object, changeable(mutation, patch.id, Change::kPatch));
  HOLDFAST_TRY(const Observation before, read_observation(object));
  Observation after = before;
  if (patch.title) after.title = *patch.title;
  if (patch.summary_md) after.summary_md = *patch.summary_md;
  if (patch.tags) after.tags = *patch.tags;
  HOLDFAST_CHECK_OK(apply_metadata(patch, after));
  const int tier = mutation.call().trust_tier;
  if (patch.sensitivity.value_or(before.sensitivity) != before.sensitivity) {
    if (tier < kMayReclassify) return tier_required(kMayReclassify, tier);
    after.sensitivity = *patch.sensitivity;
  }
  const Relinked relinked{.subcortex = relink(patch.subcortex_id, after.subcortex_id),
                          .thread = relink(patch.thread_id, after.thread_id),
                          .task = relink(patch.task_id, after.task_id)};
  HOLDFAST_TRY(const Label label, label_after(mutation, after, object, relinked));

  HOLDFAST_TRY(const auto* workspace, mutation.workspace(after.workspace_id));
  const Circumstances here{
      .trust_tier = tier,
      .sensitivity = after.sensitivity,
      .sensitive_workspace = workspace != nullptr &&
                             workspace->settings.default_sensitivity == Sensitivity::kSensitive};
  const std::vector<Finding> findings = scan_observation(after);
  HOLDFAST_TRY(Judgement judgement, judge(touched(findings, patch), here));

  Patched patched{.observation = before, .warnings = std::move(judgement.warnings)};
  const Noun<Observation>& noun = observation_noun();
  const bool same = noun.codec.encode_text(after) == object.body && label == object.label;
  if (same) return patched;
  after.quarantined = std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.secret.severity == text::SecretSeverity::kHigh;
  });
  after.updated_at = std::max(mutation.now(), before.updated_at + std::chrono::milliseconds(1));
  HOLDFAST_CHECK_OK(mutation.put(noun, after.id, after, label));
  patched.observation = std::move(after);
  return patched;
}

Status ObservationService::remove(Mutation& mutation, const std::string& id) {
  HOLDFAST_TRY(const Object object, changeable(mutation, id, Change::kDelete));
  HOLDFAST_CHECK_OK(mutation.write().remove(mutation.everything(), object.key, ""));
  HOLDFAST_CHECK_OK(mutation.write().enqueue(
      mutation.everything(), {.space = mutation.eyes().space(),
                              .queue = std::string(kPurgeQueue),
                              .payload = id,
                              .run_at = mutation.write().now() + kKeptAfterDeletion}));
  return {};
}

}  // namespace holdfast::service::observation
