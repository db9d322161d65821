#include "app/substrate_parts.h"

#include "app/curl_fetcher.h"
#include "surface/substrate/surface.h"

namespace holdfast::app {

namespace substrate = service::substrate;

void add_substrate_nouns(NounCatalog& nouns) {
  for (const substrate::ObjectType type : substrate::kObjectTypes) {
    nouns.add(substrate::noun_of(type));
  }
  nouns.add(substrate::patch_noun());
  nouns.add(substrate::config_noun());
}

SubstrateParts::SubstrateParts(const SubstrateNeeds& needs)
    : fetcher_(make_curl_fetcher(needs.curfew)),
      pages_(needs.pages_folder, needs.store, needs.gatekeeper, needs.index),
      ingest_(needs.store, needs.gatekeeper, needs.index, needs.clock, *fetcher_, needs.ingest),
      query_(needs.store, needs.gatekeeper, needs.index, needs.nouns, needs.clock),
      slices_(needs.store, needs.gatekeeper, needs.ingest),
      remember_(needs.store, needs.gatekeeper, needs.index),
      maintain_(needs.store, needs.gatekeeper, needs.index, pages_, needs.clock) {
  if (needs.isolated) query_.keep_to_own_types();
}

void SubstrateParts::use_embeddings(const service::EmbeddingService* embeddings) {
  query_.use_embeddings(embeddings);
  maintain_.set_semantic(true);
}

mcp::Group SubstrateParts::group() {
  return surface::substrate::group({.ingest = ingest_,
                                    .query = query_,
                                    .slices = slices_,
                                    .remember = remember_,
                                    .maintain = maintain_});
}

}  // namespace holdfast::app
