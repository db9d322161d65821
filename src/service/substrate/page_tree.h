// The Markdown tree of each space, in the data folder. It is made by the first reindex and from
// then on follows every commit, also those that forget; a space that never asked for pages has none
// and pays nothing. Derived: it can be deleted at any time.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/mutex.h"
#include "base/result.h"
#include "search/index.h"
#include "service/substrate/pages.h"
#include "service/substrate/structure.h"
#include "storage/change.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// Thread-safe. Files that cannot be written are logged and found by check().
class PageTree : public storage::CommitListener {
 public:
  // `folder` holds one tree a space. An empty one switches trees off.
  PageTree(std::string folder, storage::Store& store, const access::Gatekeeper& gatekeeper,
           const search::Index& index);

  // Writes every page of the space anew, while others write, and returns their paths, sorted.
  Result<std::vector<std::string>> rebuild(const SpaceId& space, Deadline deadline);
  // Pages that are not there, or are there for nothing. Nothing for a space without a tree.
  Result<std::vector<StructureIssue>> check(storage::ReadTxn& txn,
                                            const access::SpaceAccess& access);

  void on_commit(const std::vector<storage::Change>& changes) override;

 private:
  struct Tree {
    std::string root = {};
    // The pages of each object by its mark, so that they go with it whatever it was called.
    std::map<std::string, std::vector<std::string>> places = {};
    std::set<std::string> listed = {};  // pages of projects and modules, which others list

    void put(const DocumentView& view);
    void remove(const std::string& id);
  };

  std::string root_of(const SpaceId& space) const { return folder_ + "/" + space.value; }
  Result<Tree> build(const SpaceId& space, Deadline deadline);
  void refresh_summary(const SpaceId& space, const Tree& tree) const;
  TreeSummary summary_of(const SpaceId& space) const;
  static void follow(Tree& tree, const storage::Change& change);

  const std::string folder_;
  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  Mutex mutex_;
  std::map<SpaceId, Tree> trees_ HOLDFAST_GUARDED_BY(mutex_);
  // Changes that a tree under way has not seen.
  std::map<SpaceId, std::vector<storage::Change>> missed_ HOLDFAST_GUARDED_BY(mutex_);
};

struct WikiConflict {
  std::string path = {};
  std::string reason = {};
};

struct RenderedWiki {
  std::string target_path = {};
  std::string format = {};
  std::string manifest_path = {};
  std::vector<std::string> written = {};
  std::vector<std::string> removed = {};
  std::vector<WikiConflict> conflicts = {};
};

struct ReconciledWiki {
  std::string target_path = {};
  std::string format = {};
  std::string manifest_path = {};
  std::vector<WikiConflict> conflicts = {};
  struct Candidate {
    std::string path = {};
    std::string title = {};
    std::string excerpt = {};
  };
  std::vector<Candidate> remember_candidates = {};  // pages of the reader's own
};

}  // namespace holdfast::service::substrate
