// The services behind the memory tools, put together.
#pragma once

#include <memory>
#include <string>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/curfew.h"
#include "mcp/registry.h"
#include "model/noun.h"
#include "search/index.h"
#include "service/native/embedding_service.h"
#include "service/substrate/ingest_service.h"
#include "service/substrate/maintain_service.h"
#include "service/substrate/page_tree.h"
#include "service/substrate/query_service.h"
#include "service/substrate/remember_service.h"
#include "service/substrate/slice_service.h"
#include "storage/store.h"

namespace holdfast::app {

// What the nouns of the substrate are; called once, for the catalogue.
void add_substrate_nouns(NounCatalog& nouns);

struct SubstrateNeeds {
  storage::Store& store;
  const access::Gatekeeper& gatekeeper;
  const search::Index& index;
  const NounCatalog& nouns;
  const Clock& clock;
  const Curfew& curfew;
  std::string pages_folder;
  service::substrate::IngestOptions ingest;
  bool isolated = false;  // --isolate-surfaces
};

// Lives as long as the store serves; what it needs outlives it.
class SubstrateParts {
 public:
  explicit SubstrateParts(const SubstrateNeeds& needs);

  // Before the first call: vectors are kept.
  void use_embeddings(const service::EmbeddingService* embeddings);
  // Follows commits: to be added to the store.
  storage::CommitListener& listener() { return pages_; }
  mcp::Group group();

 private:
  const std::unique_ptr<service::substrate::WebFetcher> fetcher_;
  service::substrate::PageTree pages_;
  service::substrate::IngestService ingest_;
  service::substrate::QueryService query_;
  service::substrate::SliceService slices_;
  service::substrate::RememberService remember_;
  service::substrate::MaintainService maintain_;
};

}  // namespace holdfast::app
