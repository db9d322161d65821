// Making observations.
#include <algorithm>

#include "base/assert.h"
#include "base/time_text.h"
#include "search/words.h"
#include "service/observation/failure.h"
#include "service/observation/observation_service.h"
#include "service/observation/receipts.h"

namespace holdfast::service::observation {
namespace {

constexpr size_t kRestBytes = 700;  // of most bodies, beside title and summary

constexpr std::string_view kBeforeId = R"({"id":")";
constexpr std::string_view kNoId = "obs_00000000000000000000000000";  // as long as any
constexpr std::string_view kBeforeTimes = R"(,"created_at":")";
constexpr std::string_view kBetweenTimes = R"(","updated_at":")";

// In one piece: a text that grows member by member is copied many times.
std::string body_of(const Observation& observation) {
  std::string body;
  body.reserve(observation.title.size() + observation.summary_md.size() + kRestBytes);
  observation_noun().codec.append_text(body, observation);
  return body;
}

// Overwrites what only the write knows of a body made ahead.
void fill_in(std::string& body, size_t times_at, const std::string& id, const std::string& time) {
  id.copy(body.data() + kBeforeId.size(), id.size());
  time.copy(body.data() + times_at, time.size());
  time.copy(body.data() + times_at + time.size() + kBetweenTimes.size(), time.size());
}

// The failing items as one error: that of the first, with the details of all.
Error batch_error(const std::vector<BatchOutcome::Failed>& failed) {
  Error error = failed.front().error;
  error.issues.clear();
  for (const auto& item : failed) {
    for (Issue issue : item.error.issues) {
      issue.path.insert(issue.path.begin(), {member("observations"), element(item.index)});
      if (issue.rule.empty()) issue.rule = item.error.reason;  // its own, not that of the first
      error.issues.push_back(std::move(issue));
    }
  }
  return error;
}

// Whether the text may be kept, and so repeated, where nothing makes it sensitive.
bool may_be_told(const CallContext& call, std::string_view field, std::string_view text) {
  return judge(scan_text(field, text), {.trust_tier = call.trust_tier}).has_value();
}

// As it was sent, but for one that may not be told.
std::optional<std::string> told_title(const CallContext& call, const BatchItem& item) {
  if (item.title == nullptr || !may_be_told(call, "title", *item.title)) return std::nullopt;
  return *item.title;
}
std::string told_commit_id(const CallContext& call, const Batch& batch) {
  return may_be_told(call, "commit_id", batch.commit_id) ? batch.commit_id : std::string(kHidden);
}

// What was answered to this commit id before; nothing if it is new.
Result<std::optional<std::string>> find_commit(Mutation& mutation, const Batch& batch) {
  HOLDFAST_TRY(const auto known,
               mutation.txn().find_idempotency(mutation.everything(),
                                               commit_key(mutation.call(), batch.commit_id)));
  if (!known) return std::optional<std::string>();
  if (known->fingerprint == batch.fingerprint) return std::optional(known->body);
  const Origin origin = read_origin(known->extra);
  return key_conflict({{"commit_id", told_commit_id(mutation.call(), batch)},
                       {"original_request_id", origin.request_id},
                       {"original_timestamp", format_millis(origin.at)}});
}

}  // namespace

void prepare(Prepared& prepared, const PrincipalId& maker) {
  Draft& draft = prepared.draft;
  draft.id = kNoId;
  draft.sensitivity = draft.wanted_sensitivity.value_or(Sensitivity::kNormal);
  draft.created_by = maker.value;
  prepared.findings = scan_observation(draft);
  prepared.projection = project_ahead(draft);
  prepared.words = search::words_of(prepared.projection->text);
  // While the texts are at hand: whoever writes would have to fetch them from another processor.
  prepared.body = body_of(draft);
  const size_t texts = draft.title.size() + draft.summary_md.size();  // which come before
  prepared.times_at = prepared.body.find(kBeforeTimes, texts) + kBeforeTimes.size();
  HOLDFAST_ASSERT(prepared.body.starts_with(kBeforeId) &&
                  prepared.body.find(kBetweenTimes, prepared.times_at) ==
                      prepared.times_at + kMicrosTextSize);
}

Result<ObservationService::Evaluated> ObservationService::judge_draft(const CallContext& call,
                                                                      const Prepared& prepared,
                                                                      Surroundings around) {
  const Sensitivity inherited = around.sensitive ? Sensitivity::kSensitive : Sensitivity::kNormal;
  Evaluated evaluated{.around = std::move(around),
                      .sensitivity = prepared.draft.wanted_sensitivity.value_or(inherited)};
  const auto& settings = evaluated.around.workspace->settings;
  HOLDFAST_TRY(evaluated.judgement,
               judge(prepared.findings, {.trust_tier = call.trust_tier,
                                         .sensitivity = evaluated.sensitivity,
                                         .sensitive_workspace = settings.default_sensitivity ==
                                                                Sensitivity::kSensitive}));
  return evaluated;
}

Status ObservationService::store(Mutation& mutation, Prepared& prepared,
                                 const Evaluated& evaluated) {
  Observation& made = prepared.draft;
  const bool foreseen = made.sensitivity == evaluated.sensitivity &&
                        evaluated.around.attachments.empty() && !evaluated.judgement.quarantined;
  made.id.assign(kIdPrefix).append(parts_.ids.next());
  made.sensitivity = evaluated.sensitivity;
  made.created_at = mutation.now();
  made.updated_at = made.created_at;
  made.attachments = evaluated.around.attachments;
  made.quarantined = evaluated.judgement.quarantined;
  const auto& noun = observation_noun();
  storage::Put put{
      .key = {.kind = noun.kind, .id = made.id},
      .label =
          label_in(*evaluated.around.workspace, made.sensitivity, evaluated.around.subcortexes),
      .projection = prepared.projection ? std::move(*prepared.projection) : project_ahead(made),
      .fresh = true};
  prepared.projection.reset();
  complete(put.projection, made);
  const std::string time = format_micros(made.created_at);
  if (foreseen && !prepared.body.empty() && time.size() == kMicrosTextSize) {
    put.body = std::move(prepared.body);
    fill_in(put.body, prepared.times_at, made.id, time);
  } else {
    put.body = body_of(made);
  }
  prepared.body.clear();
  if (!made.quarantined) put.projection.words = prepared.words;
  return mutation.add(std::move(put));
}

Result<Created> ObservationService::create(Mutation& mutation, Prepared& prepared) {
  const CallContext& call = mutation.call();
  HOLDFAST_TRY(Surroundings around, resolve(mutation, prepared.draft));
  HOLDFAST_CHECK_OK(parts_.budgets.admit(call, 1));
  HOLDFAST_TRY(Evaluated evaluated, judge_draft(call, prepared, std::move(around)));
  HOLDFAST_CHECK_OK(store(mutation, prepared, evaluated));
  mutation.tells_about({.kind = observation_noun().kind, .id = prepared.draft.id});
  Created created{.observation = prepared.draft, .warnings = evaluated.judgement.warnings};
  People people(mutation.txn(), parts_.gatekeeper);
  HOLDFAST_TRY(created.creator, people.card(created.observation.created_by));
  parts_.budgets.charge(call, 1);
  return created;
}

Result<BatchOutcome> ObservationService::create_batch(Mutation& mutation, Batch& batch) {
  const CallContext& call = mutation.call();
  BatchOutcome outcome;
  HOLDFAST_TRY(outcome.earlier, find_commit(mutation, batch));
  if (outcome.earlier) return outcome;
  outcome.commit_id = told_commit_id(call, batch);
  BatchReferences references(mutation);
  std::vector<std::pair<size_t, Evaluated>> good;
  good.reserve(batch.items.size());
  for (size_t i = 0; i < batch.items.size(); ++i) {
    const BatchItem& item = batch.items[i];
    const auto evaluate = [&]() -> Result<Evaluated> {
      if (item.invalid) return *item.invalid;
      HOLDFAST_TRY(Surroundings around, references.resolve(item.prepared->draft));
      return judge_draft(call, *item.prepared, std::move(around));
    };
    Result<Evaluated> evaluated = evaluate();
    if (evaluated) {
      good.emplace_back(i, std::move(*evaluated));
    } else {
      outcome.failed.push_back({i, told_title(call, item), std::move(evaluated).error()});
    }
  }
  // The budget comes after whatever else may be wrong, but before the texts.
  const bool wrong = std::ranges::any_of(outcome.failed, [](const BatchOutcome::Failed& item) {
    return item.error.reason != reason::kSensitiveContent;
  });
  if (batch.fail_on_error && wrong) return batch_error(outcome.failed);
  HOLDFAST_CHECK_OK(parts_.budgets.admit(call, static_cast<int64_t>(batch.items.size())));
  if (batch.fail_on_error && !outcome.failed.empty()) return batch_error(outcome.failed);
  outcome.made.reserve(good.size());
  for (const auto& [index, evaluated] : good) {
    Prepared& prepared = *batch.items[index].prepared;
    HOLDFAST_CHECK_OK(store(mutation, prepared, evaluated));
    outcome.made.push_back({index, prepared.draft.id});
    for (ContentWarning warning : evaluated.judgement.warnings) {
      warning.path.insert(warning.path.begin(), {member("observations"), element(index)});
      outcome.warnings.push_back(std::move(warning));
    }
  }
  parts_.budgets.charge(call, static_cast<int64_t>(good.size()));
  return outcome;
}

Status ObservationService::keep_commit(Mutation& mutation, const Batch& batch,
                                       const std::string& outcome) {
  return mutation.write().put_idempotency(
      mutation.everything(),
      {.key = commit_key(mutation.call(), batch.commit_id),
       .fingerprint = batch.fingerprint,
       .status = 201,
       .body = outcome,
       .extra = origin_text({.request_id = mutation.call().request_id, .at = batch.at}),
       .created_at = mutation.write().now()});
}

Status ObservationService::seed(Mutation& mutation, Observation observation, int64_t views,
                                bool inherits) {
  Draft links = links_of(observation);
  for (const AttachmentRef& file : observation.attachments) links.attachment_ids.push_back(file.id);
  HOLDFAST_TRY(const Surroundings around, resolve(mutation, links, {.state = true}));
  observation.attachments = around.attachments;
  observation.seeded = true;
  if (inherits && around.sensitive) observation.sensitivity = Sensitivity::kSensitive;
  HOLDFAST_TRY(
      const Object stored,
      mutation.put(observation_noun(), observation.id, observation,
                   label_in(*around.workspace, observation.sensitivity, around.subcortexes)));
  return parts_.statistics.seed_views(mutation, stored, views);
}

}  // namespace holdfast::service::observation
