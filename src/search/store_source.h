// The store as a DocumentSource. Reads with the engine's own access: what the index holds is
// filtered when it is asked.
#pragma once

#include "access/gatekeeper.h"
#include "search/source.h"
#include "storage/store.h"

namespace holdfast::search {

class StoreSource : public DocumentSource {
 public:
  // All must outlive the source.
  StoreSource(storage::Store& store, const NounCatalog& nouns, const access::Gatekeeper& gatekeeper)
      : store_(store), nouns_(nouns), gatekeeper_(gatekeeper) {}

  Result<std::vector<SpaceId>> spaces() override;
  Result<std::optional<Newest>> newest(const SpaceId& space) override;
  Result<std::vector<SourceObject>> objects_after(const SpaceId& space, ObjectNumber after,
                                                  size_t limit) override;
  Result<std::vector<SourceChange>> changes_after(const SpaceId& space, JournalPosition after,
                                                  size_t limit) override;

 private:
  SourceObject with_projection(Object object) const;

  storage::Store& store_;
  const NounCatalog& nouns_;
  const access::Gatekeeper& gatekeeper_;
};

}  // namespace holdfast::search
