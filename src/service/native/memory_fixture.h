// A whole memory in a folder of its own, for tests of services.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <unistd.h>

#include "access/gatekeeper.h"
#include "model/noun.h"
#include "search/index.h"
#include "search/store_source.h"
#include "service/native/archive_service.h"
#include "service/native/context_service.h"
#include "service/native/memory_service.h"
#include "service/native/object_service.h"
#include "service/native/search_service.h"
#include "storage/store.h"

namespace holdfast::service {

// `open` makes the store in that folder: the test names the adapter.
struct MemoryFixture {
  using OpenStore = std::unique_ptr<storage::Store> (*)(const std::string& folder,
                                                        const Clock& clock);

  MemoryFixture(const std::string& name, const Clock& clock, OpenStore open)
      : folder(make_folder(name)),
        nouns(make_nouns()),
        store(open(folder, clock)),
        gatekeeper(*store, /*spaces_on_demand=*/true),
        source(*store, nouns, gatekeeper),
        index({.background = false}),
        ids(clock),
        memories(*store, gatekeeper, ids),
        objects(*store, gatekeeper),
        search(*store, gatekeeper, index, nouns, clock),
        context(gatekeeper, search, "capsule"),
        archive(*store, gatekeeper, nouns) {
    store->add_listener(index);
  }
  ~MemoryFixture() {
    store->close();
    std::filesystem::remove_all(folder);
  }
  MemoryFixture(const MemoryFixture&) = delete;
  MemoryFixture& operator=(const MemoryFixture&) = delete;

  static CallContext owner() {
    return {.surface = "test",
            .principal = PrincipalId{"local"},
            .scopes = {"admin"},
            .viewer = {.every_owner = true,
                       .reach = Visibility::kOwner,
                       .clearance = Sensitivity::kSensitive},
            .local_owner = true};
  }
  static CallContext as(const std::string& name) {
    return {.surface = "test",
            .principal = PrincipalId{name},
            .scopes = {"read", "write"},
            .viewer = {.actor = name, .reach = Visibility::kOwner}};
  }

  std::string folder;
  NounCatalog nouns;
  std::unique_ptr<storage::Store> store;
  access::Gatekeeper gatekeeper;
  search::StoreSource source;
  search::Index index;
  UlidGenerator ids;
  MemoryService memories;
  ObjectService objects;
  SearchService search;
  ContextService context;
  ArchiveService archive;

 private:
  static std::string make_folder(const std::string& name) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("holdfast-" + name + "-" + std::to_string(getpid()));
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    return path;
  }
  static NounCatalog make_nouns() {
    NounCatalog nouns;
    nouns.add(memory_noun());
    nouns.add(evidence_noun());
    return nouns;
  }
};

}  // namespace holdfast::service
