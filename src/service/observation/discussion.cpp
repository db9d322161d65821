// Threads, comments and artifacts: what cites observations.
#include <algorithm>

#include "base/sorted.h"
#include "service/observation/failure.h"
#include "service/observation/observation.h"
#include "service/observation/registry_service.h"

namespace holdfast::service::observation {
namespace {

constexpr int kMayModerate = 3;  // tier
constexpr size_t kMostEvidence = 50;
constexpr size_t kDiscussionPage = 1000;

bool is_visible(Mutation& mutation, const std::string& observation) {
  return mutation.txn()
      .get(mutation.eyes(), {.kind = observation_noun().kind, .id = observation})
      .has_value();
}

Status check_writable(Mutation& mutation, const std::string& workspace) {
  HOLDFAST_TRY(const Workspace home, mutation.readable_workspace(workspace));
  HOLDFAST_TRY(const bool writable, mutation.may_write(home));
  if (!writable) return forbidden("You may not write in this workspace.");
  return {};
}

}  // namespace

// Stamps them, too: a citation is as old as the request that made it.
Status RegistryService::check_citations(Mutation& mutation, std::string_view field,
                                        std::vector<Citation>& citations,
                                        const std::vector<std::string>& linked) {
  std::vector<Issue> issues;
  for (size_t i = 0; i < linked.size(); ++i) {
    if (is_visible(mutation, linked[i])) continue;
    issues.push_back(body_issue({observation::member("linked_observation_ids"), element(i)},
                                detail::kReference));
  }
  for (size_t i = 0; i < citations.size(); ++i) {
    citations[i].at = mutation.now();
    if (citations[i].type != "observation" || is_visible(mutation, citations[i].ref)) continue;
    issues.push_back(body_issue(
        {observation::member(field), element(i), observation::member("ref")}, detail::kReference));
  }
  if (issues.empty()) return {};
  Error error =
      invalid_argument("A citation names no observation that you can see.", std::move(issues));
  error.reason = reason::kReference;
  return error;
}

Result<Thread> RegistryService::create(Mutation& mutation, Thread thread,
                                       bool inherits_sensitivity) {
  HOLDFAST_TRY(const Ground here, ground(mutation, "", thread.subcortex_id));
  HOLDFAST_CHECK_OK(
      check_citations(mutation, "citations", thread.citations, thread.linked_observation_ids));
  thread.id = "thread_" + parts_.ids.next();
  thread.workspace_id = here.workspace.id;
  if (inherits_sensitivity) thread.sensitivity = here.subcortex->sensitivity;
  thread.created_by = mutation.call().principal.value;
  thread.created_at = mutation.now();
  thread.updated_at = thread.created_at;
  HOLDFAST_CHECK_OK(mutation.put(thread_noun(), thread.id, thread, here.label(thread.sensitivity)));
  HOLDFAST_CHECK_OK(parts_.statistics.cite(
      mutation, cited_observations(thread.citations, thread.linked_observation_ids), 1));
  return thread;
}

Result<Comment> RegistryService::create(Mutation& mutation, Comment comment) {
  HOLDFAST_TRY(const Object object,
               find_visible(mutation, {.kind = thread_noun().kind, .id = comment.thread_id}));
  HOLDFAST_TRY(const Thread thread, storage::value_of(thread_noun(), object));
  HOLDFAST_CHECK_OK(check_writable(mutation, thread.workspace_id));
  if (thread.status == ThreadStatus::kArchived) {
    return Error{.code = ErrorCode::kGone,
                 .reason = std::string(reason::kArchived),
                 .message = "This thread is archived."};
  }
  if (comment.parent_id) {
    HOLDFAST_TRY(const auto parent, mutation.find(comment_noun(), *comment.parent_id));
    if (!parent || parent->thread_id != comment.thread_id)
      return bad_reference("parent_id", "There is no such comment in this thread.");
  }
  HOLDFAST_CHECK_OK(check_citations(mutation, "citations", comment.citations));
  comment.id = "comment_" + parts_.ids.next();
  comment.created_by = mutation.call().principal.value;
  comment.created_at = mutation.now();
  HOLDFAST_CHECK_OK(mutation.put(comment_noun(), comment.id, comment, object.label));
  HOLDFAST_CHECK_OK(parts_.statistics.cite(mutation, cited_observations(comment.citations), 1));
  return comment;
}

Result<Artifact> RegistryService::create(Mutation& mutation, Artifact artifact) {
  HOLDFAST_TRY(const Ground here, ground(mutation, artifact.workspace_id, artifact.subcortex_id));
  HOLDFAST_CHECK_OK(check_citations(mutation, "evidence_links", artifact.evidence_links));
  artifact.id = "artifact_" + parts_.ids.next();
  artifact.created_by = mutation.call().principal.value;
  artifact.created_at = mutation.now();
  artifact.updated_at = artifact.created_at;
  HOLDFAST_CHECK_OK(
      mutation.put(artifact_noun(), artifact.id, artifact, here.label(Sensitivity::kNormal)));
  HOLDFAST_CHECK_OK(
      parts_.statistics.cite(mutation, cited_observations(artifact.evidence_links), 1));
  return artifact;
}

Result<Artifact> RegistryService::add_evidence(Mutation& mutation, const std::string& id,
                                               std::vector<Citation> links) {
  HOLDFAST_TRY(const Object object,
               find_visible(mutation, {.kind = artifact_noun().kind, .id = id}));
  HOLDFAST_TRY(Artifact artifact, storage::value_of(artifact_noun(), object));
  HOLDFAST_CHECK_OK(check_writable(mutation, artifact.workspace_id));
  HOLDFAST_CHECK_OK(check_citations(mutation, "evidence_links", links));
  if (artifact.evidence_links.size() + links.size() > kMostEvidence) {
    return invalid_argument("An artifact has at most 50 evidence links.",
                            {body_issue({observation::member("evidence_links")}, "items_max")});
  }
  const auto before = cited_observations(artifact.evidence_links);
  artifact.evidence_links.insert(artifact.evidence_links.end(), links.begin(), links.end());
  artifact.updated_at = mutation.now();
  HOLDFAST_CHECK_OK(mutation.put(artifact_noun(), id, artifact, object.label));
  std::vector<std::string> added = cited_observations(links);
  std::erase_if(added,
                [&](const std::string& one) { return std::ranges::binary_search(before, one); });
  HOLDFAST_CHECK_OK(parts_.statistics.cite(mutation, added, 1));
  return artifact;
}

Result<Thread> RegistryService::set_status(Mutation& mutation, const std::string& id,
                                           ThreadStatus status) {
  HOLDFAST_TRY(const Object object, find_visible(mutation, {.kind = thread_noun().kind, .id = id}));
  HOLDFAST_TRY(Thread thread, storage::value_of(thread_noun(), object));
  HOLDFAST_CHECK_OK(check_writable(mutation, thread.workspace_id));
  if (thread.status == status) return thread;
  thread.status = status;
  thread.updated_at = std::max(mutation.now(), thread.updated_at + std::chrono::milliseconds(1));
  HOLDFAST_CHECK_OK(mutation.put(thread_noun(), id, thread, object.label));
  return thread;
}

Status RegistryService::remove_thread(Mutation& mutation, const std::string& id) {
  HOLDFAST_TRY(const Object object, find_visible(mutation, {.kind = thread_noun().kind, .id = id}));
  HOLDFAST_TRY(const Thread thread, storage::value_of(thread_noun(), object));
  const bool mine = thread.created_by == mutation.call().principal.value;
  if (!mine && mutation.call().trust_tier < kMayModerate)
    return denied(reason::kOwnership, "Only its maker or a reviewer may delete a thread.");
  HOLDFAST_CHECK_OK(check_writable(mutation, thread.workspace_id));
  const storage::Scan comments{.kind = comment_noun().kind,
                               .equal = Facet::of(std::string(shared_facet::kThread), id),
                               .limit = kDiscussionPage};
  while (true) {
    HOLDFAST_TRY(const auto page, mutation.txn().scan(mutation.everything(), comments));
    for (const Object& one : page.objects) {
      HOLDFAST_TRY(const Comment comment, storage::value_of(comment_noun(), one));
      HOLDFAST_CHECK_OK(
          parts_.statistics.cite(mutation, cited_observations(comment.citations), -1));
      HOLDFAST_CHECK_OK(mutation.write().remove(mutation.everything(), one.key, ""));
    }
    if (!page.next) break;
  }
  HOLDFAST_CHECK_OK(parts_.statistics.cite(
      mutation, cited_observations(thread.citations, thread.linked_observation_ids), -1));
  return mutation.write().remove(mutation.everything(), object.key, "");
}

}  // namespace holdfast::service::observation
