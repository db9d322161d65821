// The services of the substrate over a store in a folder of its own, for tests.
#pragma once

#include <string>

#include "service/substrate/ingest_fixture.h"
#include "service/substrate/maintain_service.h"
#include "service/substrate/query_service.h"
#include "service/substrate/remember_service.h"
#include "service/substrate/slice_service.h"

namespace holdfast::service::substrate {

struct SubstrateFixture : IngestFixture {
  explicit SubstrateFixture(OpenStore open)
      : IngestFixture(open),
        pages(folder / "pages", *store, gatekeeper, index),
        query(*store, gatekeeper, index, nouns, clock),
        slices(*store, gatekeeper, {}),
        remember(*store, gatekeeper, index),
        maintain(*store, gatekeeper, index, pages, clock) {
    store->add_listener(pages);
  }

  static Declared declared(std::string title, std::string scope = "scope:p") {
    return {.kind = "fact",
            .title = std::move(title),
            .summary = "s",
            .reason = "r",
            .memory_source = "agent_inferred",
            .scope_refs = {std::move(scope)}};
  }
  static RememberKnowledge claim(std::string title, const std::string& subject, Value value,
                                 std::string scope = "scope:p") {
    RememberKnowledge request{.declared = declared(std::move(title), std::move(scope))};
    request.payload = Value::object(
        {{"subject", subject}, {"predicate", "language"}, {"value", std::move(value)}});
    return request;
  }
  // Stores plain knowledge and gives its id.
  std::string know(const std::string& title, const std::string& scope = "scope:p") {
    return remember.knowledge(owner(), {.declared = declared(title, scope)})->object_id;
  }
  std::string status(const std::string& id) {
    const Value json = stored(id);
    const Value* found = json.find("status");
    return found != nullptr && found->is_string() ? *found->if_string() : "";
  }

  NounCatalog nouns = all_nouns();
  PageTree pages;
  QueryService query;
  SliceService slices;
  RememberService remember;
  MaintainService maintain;

 private:
  static NounCatalog all_nouns() {
    NounCatalog catalog;
    for (const ObjectType type : kObjectTypes) catalog.add(noun_of(type));
    catalog.add(patch_noun());
    catalog.add(config_noun());
    return catalog;
  }
};

}  // namespace holdfast::service::substrate
