#include "service/observation/references.h"

#include <algorithm>

#include <fmt/format.h>

#include "service/observation/content_scan.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

struct Fault {
  std::string_view reason = {};
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message = {};
  std::vector<Issue::Step> path = {};
};

class Resolver {
 public:
  Resolver(Visit& visit, const Draft& draft, const Unchecked& unchecked)
      : visit_(visit), draft_(draft), unchecked_(unchecked) {}

  Result<Surroundings> run() {
    HOLDFAST_CHECK_OK(find_workspace());
    if (!faults_.empty() && around_.workspace != nullptr) return refusal();
    HOLDFAST_CHECK_OK(check_subcortex());
    HOLDFAST_CHECK_OK(check_thread());
    HOLDFAST_CHECK_OK(check_task());
    HOLDFAST_CHECK_OK(check_attachments());
    HOLDFAST_CHECK_OK(check_repositories());
    if (!faults_.empty()) return refusal();
    if (around_.workspace->settings.default_sensitivity == Sensitivity::kSensitive)
      around_.sensitive = true;
    return std::move(around_);
  }

 private:
  void missing(std::vector<Issue::Step> path, std::string message) {
    faults_.push_back(
        {reason::kReference, ErrorCode::kInvalidArgument, std::move(message), std::move(path)});
  }
  void refuse(std::string_view name, std::string_view why, ErrorCode code, std::string message) {
    faults_.push_back({why, code, std::move(message), {member(name)}});
  }

  // Everything that failed like the first.
  Error refusal() const {
    const Fault& first = faults_.front();
    Error error{.code = first.code, .reason = std::string(first.reason), .message = first.message};
    for (const Fault& fault : faults_) {
      if (fault.reason != first.reason) continue;
      const bool reference = fault.reason == reason::kReference;
      Issue issue = body_issue(fault.path, reference ? detail::kReference : std::string_view());
      issue.params = {{"message", fault.message}};
      error.issues.push_back(std::move(issue));
    }
    return error;
  }

  Status find_workspace() {
    HOLDFAST_TRY(const auto* found, visit_.workspace(draft_.workspace_id));
    if (found == nullptr)
      return missing({member("workspace_id")}, "There is no such workspace."), Status();
    HOLDFAST_TRY(const bool writable, visit_.may_write(*found));
    if (!writable) {
      refuse("workspace_id", reason::kForbidden, ErrorCode::kPermissionDenied,
             "You may not write in this workspace.");
    }
    around_.workspace = found;
    return {};
  }

  // Nothing is in a workspace that does not exist.
  bool is_here(const std::string& workspace) const {
    return around_.workspace != nullptr && workspace == around_.workspace->id;
  }

  bool check_scope(const std::string& slug, std::string_view name) {
    if (visit_.is_in_scope(slug)) return true;
    refuse(name, reason::kSubcortexDenied, ErrorCode::kPermissionDenied,
           "This subcortex is outside the scope of this token.");
    return false;
  }

  Status check_subcortex() {
    if (!draft_.subcortex_id) return {};
    HOLDFAST_TRY(const auto found, visit_.find(subcortex_noun(), *draft_.subcortex_id));
    if (found) touch(*found);
    if (unchecked_.subcortex) return {};
    const std::string_view name = "linked_subcortex_id";
    if (!found || !is_here(found->workspace_id))
      return missing({member(name)}, "There is no such subcortex in this workspace."), Status();
    if (!check_scope(found->slug, name)) return {};
    if (found->status == SubcortexStatus::kArchived && !unchecked_.state) {
      refuse(name, reason::kSubcortexInactive, ErrorCode::kConflict, "This subcortex is archived.");
    }
    return {};
  }

  void touch(const Subcortex& subcortex) {
    around_.subcortexes.push_back(subcortex.slug);
    around_.sensitive = around_.sensitive || subcortex.sensitivity == Sensitivity::kSensitive;
  }

  Status check_thread() {
    if (!draft_.thread_id) return {};
    HOLDFAST_TRY(const auto found, visit_.find(thread_noun(), *draft_.thread_id));
    const std::string_view name = "linked_thread_id";
    if (!found || !is_here(found->workspace_id)) {
      if (!unchecked_.thread) missing({member(name)}, "There is no such thread in this workspace.");
      return {};
    }
    HOLDFAST_TRY(const auto subcortex, visit_.find(subcortex_noun(), found->subcortex_id));
    if (subcortex) around_.subcortexes.push_back(subcortex->slug);
    around_.sensitive = around_.sensitive || found->sensitivity == Sensitivity::kSensitive;
    if (unchecked_.thread || (subcortex && !check_scope(subcortex->slug, name))) return {};
    if (found->sensitivity == Sensitivity::kSensitive && !visit_.is_cleared()) {
      refuse(name, reason::kClearance, ErrorCode::kPermissionDenied,
             "This thread needs clearance for sensitive content.");
    } else if (found->status == ThreadStatus::kArchived && !unchecked_.state) {
      refuse(name, reason::kArchived, ErrorCode::kGone, "This thread is archived.");
    }
    return {};
  }

  Status check_task() {
    if (!draft_.task_id) return {};
    HOLDFAST_TRY(const auto found, visit_.find(task_noun(), *draft_.task_id));
    const std::string_view name = "linked_task_id";
    if (!found || !is_here(found->workspace_id)) {
      if (!unchecked_.task) missing({member(name)}, "There is no such task in this workspace.");
      return {};
    }
    if (!found->subcortex_id) return {};
    HOLDFAST_TRY(const auto subcortex, visit_.find(subcortex_noun(), *found->subcortex_id));
    if (!subcortex) return {};
    around_.subcortexes.push_back(subcortex->slug);
    if (!unchecked_.task) check_scope(subcortex->slug, name);
    return {};
  }

  Status check_attachments() {
    for (size_t i = 0; i < draft_.attachment_ids.size(); ++i) {
      HOLDFAST_TRY(const auto found, visit_.find(attachment_noun(), draft_.attachment_ids[i]));
      const bool usable =
          found && is_here(found->workspace_id) && found->ready &&
          (found->created_by == visit_.call().principal.value || visit_.is_administrator());
      if (!usable) {
        missing({member("attachment_ids"), element(i)},
                "There is no such finished attachment of yours in this workspace.");
        continue;
      }
      around_.attachments.push_back({.id = found->id,
                                     .filename = found->filename,
                                     .content_type = found->content_type,
                                     .size_bytes = found->size_bytes});
    }
    return {};
  }

  Status check_repositories() {
    if (draft_.code_links.empty() || around_.workspace == nullptr ||
        around_.workspace->settings.code_link_policy != CodeLinkPolicy::kRegistered)
      return {};
    HOLDFAST_TRY(const auto found, visit_.find(repositories_noun(), around_.workspace->id));
    for (size_t i = 0; i < draft_.code_links.size(); ++i) {
      const std::string& repo = draft_.code_links[i].repo;
      if (found && std::ranges::find(found->repos, repo) != found->repos.end()) continue;
      missing({member("code_links"), element(i), member("repo")},
              fmt::format("The repository '{}' is not registered in this workspace.",
                          without_secret(repo)));
    }
    return {};
  }

  Visit& visit_;
  const Draft& draft_;
  const Unchecked unchecked_;
  Surroundings around_;
  std::vector<Fault> faults_;
};

bool refer_alike(const Draft& a, const Draft& b) {
  return a.workspace_id == b.workspace_id && a.subcortex_id == b.subcortex_id &&
         a.thread_id == b.thread_id && a.task_id == b.task_id &&
         a.attachment_ids == b.attachment_ids &&
         std::ranges::equal(a.code_links, b.code_links, {}, &CodeLink::repo, &CodeLink::repo);
}

}  // namespace

Draft links_of(const Observation& observation) {
  Draft links;
  links.workspace_id = observation.workspace_id;
  links.subcortex_id = observation.subcortex_id;
  links.thread_id = observation.thread_id;
  links.task_id = observation.task_id;
  return links;
}

Result<Surroundings> resolve(Visit& visit, const Draft& draft, const Unchecked& unchecked) {
  return Resolver(visit, draft, unchecked).run();
}

Result<Surroundings> BatchReferences::resolve(const Draft& draft) {
  if (last_ != nullptr && refer_alike(draft, *last_)) return around_;
  last_ = nullptr;
  HOLDFAST_TRY(around_, observation::resolve(visit_, draft));
  last_ = &draft;
  return around_;
}

}  // namespace holdfast::service::observation
