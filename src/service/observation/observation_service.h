// Observations: made one by one or in batches, read, listed, changed by their makers, deleted.
// Thread-safe. What writes takes the Mutation of the write it is part of (receipts.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/ids.h"
#include "base/result.h"
#include "model/call_context.h"
#include "search/index.h"
#include "service/observation/budgets.h"
#include "service/observation/content_scan.h"
#include "service/observation/list_query.h"
#include "service/observation/listed.h"
#include "service/observation/observation.h"
#include "service/observation/people.h"
#include "service/observation/references.h"
#include "service/observation/statistics.h"
#include "service/observation/text_matches.h"
#include "service/observation/visit.h"
#include "storage/store.h"

namespace holdfast::service::observation {

// A draft whose texts have been looked through, and taken apart for the index: the costly half of
// making an observation, done before the write.
struct Prepared {
  Draft draft = {};  // the write sets the rest of the observation, each time it runs
  std::vector<Finding> findings = {};
  std::shared_ptr<const Words> words = nullptr;  // shared with the index's change
  std::optional<Projection> projection = {};     // project_ahead(); the first run takes it
  // The body, if nothing unusual comes of the draft, with room for its id and, from there on, for
  // its times; the first run takes it, too.
  std::string body = {};
  size_t times_at = 0;
};
// Fills in what follows from the draft, which is there already, and from its maker.
void prepare(Prepared& prepared, const PrincipalId& maker);

struct Created {
  Observation observation = {};
  PrincipalCard creator = {};
  std::vector<ContentWarning> warnings = {};
};

// An item of a batch: prepared, or already known to be wrong.
struct BatchItem {
  std::optional<Prepared> prepared = {};
  std::optional<Error> invalid = {};
  const std::string* title = nullptr;  // as it was sent, if it was a text; the request has it
};
struct Batch {
  std::string commit_id = {};
  std::string fingerprint = {};  // of the items and of fail_on_error
  Timestamp at = {};             // as its answer tells
  bool fail_on_error = false;
  std::vector<BatchItem> items = {};
};
struct BatchOutcome {
  struct Made {
    size_t index = 0;
    std::string_view id = {};  // the batch has it
  };
  struct Failed {
    size_t index = 0;
    std::optional<std::string> title = {};
    Error error = {};
  };
  std::string commit_id = {};  // hidden if there is a secret in it
  std::vector<Made> made = {};
  std::vector<Failed> failed = {};
  std::vector<ContentWarning> warnings = {};
  std::optional<std::string> earlier = {};  // the commit was made before: what was kept then
};

struct Patch {
  std::string id = {};
  std::optional<std::string> title = {};
  std::optional<std::string> summary_md = {};
  std::optional<std::vector<std::string>> tags = {};
  std::optional<Sensitivity> sensitivity = {};
  std::optional<std::optional<std::string>> subcortex_id = {};  // inner empty: no link
  std::optional<std::optional<std::string>> thread_id = {};
  std::optional<std::optional<std::string>> task_id = {};
  std::optional<Value> metadata = {};  // merged
};
struct Patched {
  Observation observation = {};
  std::vector<ContentWarning> warnings = {};
};

struct CitedBy {
  std::string type = {};  // thread, comment, artifact
  std::string id = {};
  std::string thread_id = {};  // of comments
};
struct Shown {
  Observation observation = {};
  PrincipalCard creator = {};
  Stats stats = {};
  // Only where one observation is read, and only what exists and the caller may see.
  std::optional<Subcortex> subcortex = {};
  std::optional<Thread> thread = {};
  std::optional<Task> task = {};
  std::vector<CitedBy> cited_by = {};
};

struct ObservationPage {
  std::vector<storage::ObjectBody> bodies = {};  // which the items are pieces of
  std::vector<Listed> items = {};
  std::vector<PrincipalCard> creators = {};
  size_t total = 0;
  std::optional<ListPlace> next = {};
};

enum class Change : uint8_t { kPatch, kDelete };

struct ObservationParts {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  search::Index& index;
  UlidGenerator& ids;
  Budgets& budgets;
  Statistics& statistics;
  TextMatches& texts;
};

class ObservationService {
 public:
  explicit ObservationService(const ObservationParts& parts) : parts_(parts) {}

  // Errors: references and rights on them (references.h), kRateLimited, sensitive_content.
  Result<Created> create(Mutation& mutation, Prepared& prepared);
  // Items fail by themselves, or all together with fail_on_error. kConflict if the commit id was
  // used for other items. keep_commit makes a repetition find `outcome`, for ever and whatever is
  // erased: it has no titles of what was made (left_out_titles.h).
  Result<BatchOutcome> create_batch(Mutation& mutation, Batch& batch);
  Status keep_commit(Mutation& mutation, const Batch& batch, const std::string& outcome);

  // What the caller may change: kNotFound, then kPermissionDenied for scope, clearance, ownership,
  // and for a workspace it may not write in.
  Result<Observation> may_change(const CallContext& call, const std::string& id,
                                 Change change) const;
  Result<Patched> patch(Mutation& mutation, const Patch& patch);
  Status remove(Mutation& mutation, const std::string& id);

  // kNotFound, kPermissionDenied as may_change. `count_view`: this is somebody looking at it.
  Result<Shown> get(const CallContext& call, const std::string& id, bool count_view);
  // kPermissionDenied where sensitive ones are asked for without clearance.
  Result<ObservationPage> list(const CallContext& call, const ListQuery& query) const;

  // Stores one whose id is new, as its file says; of attachments that is their ids.
  // `inherits`: its sensitivity is that of its surroundings.
  Status seed(Mutation& mutation, Observation observation, int64_t views, bool inherits);

 private:
  struct Evaluated {
    Surroundings around = {};
    Sensitivity sensitivity = Sensitivity::kNormal;
    Judgement judgement = {};
  };

  static Result<Evaluated> judge_draft(const CallContext& call, const Prepared& prepared,
                                       Surroundings around);
  Status store(Mutation& mutation, Prepared& prepared, const Evaluated& evaluated);
  static Result<Object> changeable(Visit& visit, const std::string& id, Change change);
  Result<std::vector<CitedBy>> citing(Visit& visit, const std::string& id) const;
  Status embed(Visit& visit, Shown& shown) const;

  const ObservationParts parts_;
};

// The queue of jobs that erase what was deleted a month ago.
inline constexpr std::string_view kPurgeQueue = "observation_purge";

}  // namespace holdfast::service::observation
