// Workspaces and what is in them besides observations. Thread-safe. What writes takes the Mutation
// of the write it is part of (receipts.h); what reads refuses like observations do: kNotFound, then
// kPermissionDenied for scope and clearance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/observation/registry.h"
#include "service/observation/statistics.h"
#include "service/observation/visit.h"
#include "storage/store.h"

namespace holdfast::service::observation {

struct RegistryParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  UlidGenerator& ids;
  Statistics& statistics;
};

class RegistryService {
 public:
  explicit RegistryService(const RegistryParts& parts) : parts_(parts) {}

  // Each takes a struct with the members that its maker chose and returns it complete. Errors:
  // kInvalidArgument (invalid_reference), kPermissionDenied, kAlreadyExists (duplicate_name), kGone
  // (an archived thread), kConflict (an archived subcortex).
  Result<Workspace> create(Mutation& mutation, Workspace workspace);
  Result<Member> add(Mutation& mutation, Member member);
  Result<Repositories> put(Mutation& mutation, Repositories repositories);
  Result<Subcortex> create(Mutation& mutation, Subcortex subcortex);
  Result<Thread> create(Mutation& mutation, Thread thread, bool inherits_sensitivity);
  Result<Comment> create(Mutation& mutation, Comment comment);
  Result<Artifact> create(Mutation& mutation, Artifact artifact);
  Result<Task> create(Mutation& mutation, Task task);

  Result<Subcortex> archive_subcortex(Mutation& mutation, const std::string& id);
  Result<Thread> set_status(Mutation& mutation, const std::string& id, ThreadStatus status);
  // With its comments.
  Status remove_thread(Mutation& mutation, const std::string& id);
  Result<Artifact> add_evidence(Mutation& mutation, const std::string& id,
                                std::vector<Citation> links);

  Result<Workspace> workspace(const CallContext& call, const std::string& id) const;
  Result<Member> member(const CallContext& call, const std::string& workspace,
                        const std::string& principal) const;
  Result<Repositories> repositories(const CallContext& call, const std::string& workspace) const;
  template <typename T>
  Result<T> get(const CallContext& call, const Noun<T>& noun, const std::string& id) const {
    HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
    HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
    HOLDFAST_TRY(const Object object, find_visible(visit, {.kind = noun.kind, .id = id}));
    return storage::value_of(noun, object);
  }

 private:
  static Result<Object> find_visible(Visit& visit, const ObjectKey& key);
  // Where to write: exists, writable, in scope, not archived.
  struct Ground {
    Workspace workspace = {};
    std::optional<Subcortex> subcortex = {};
    Label label(Sensitivity sensitivity) const;
  };
  static Result<Ground> ground(Mutation& mutation, const std::string& workspace,
                               const std::optional<std::string>& subcortex);
  // `linked` is what a thread names besides its citations.
  static Status check_citations(Mutation& mutation, std::string_view field,
                                std::vector<Citation>& citations,
                                const std::vector<std::string>& linked = {});
  Status check_unique(Mutation& mutation, const std::string& kind, const std::string& slug) const;

  const RegistryParts parts_;
};

}  // namespace holdfast::service::observation
