// Pages for a reader's own wiki folder, outside the data folder. What the reader wrote or changed
// there is never overwritten: a manifest remembers what is ours and what it looked like.
#pragma once

#include <string>

#include "access/space_access.h"
#include "base/clock.h"
#include "base/result.h"
#include "service/substrate/page_tree.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct WikiTarget {
  std::string path = {};
  std::string format = "obsidian";
};

Result<RenderedWiki> render_wiki(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                 const WikiTarget& target, Timestamp now);
// Looks, and changes nothing.
Result<ReconciledWiki> reconcile_wiki(const WikiTarget& target);

}  // namespace holdfast::service::substrate
