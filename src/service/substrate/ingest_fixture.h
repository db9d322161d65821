// A whole substrate in a folder of its own, with a web that is a map, for tests of ingest.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <unistd.h>

#include "access/gatekeeper.h"
#include "search/index.h"
#include "service/substrate/document.h"
#include "service/substrate/ingest_service.h"
#include "service/substrate/patch.h"
#include "service/substrate/stored.h"

namespace holdfast::service::substrate {

class FakeWeb : public WebFetcher {
 public:
  Result<FetchedPage> fetch(const FetchOrder& order) override {
    last = order;
    if (during) std::exchange(during, nullptr)();
    const auto page = pages.find(order.url);
    if (page == pages.end()) return invalid_argument("The page answered with status 404");
    return page->second;
  }

  std::map<std::string, FetchedPage> pages = {};
  FetchOrder last = {};
  std::function<void()> during = {};  // run once, while a page is being fetched
};

// `open` makes the store in that folder: the test names the adapter.
struct IngestFixture {
  using OpenStore = std::unique_ptr<storage::Store> (*)(const std::string& folder,
                                                        const Clock& clock);

  IngestFixture(OpenStore open, IngestOptions options = {})
      : folder(make_folder()),
        store(open(folder / "data", clock)),
        gatekeeper(*store, /*spaces_on_demand=*/true),
        index({.background = false}),
        ingest(*store, gatekeeper, index, clock, web, std::move(options)) {
    store->add_listener(index);
  }
  ~IngestFixture() {
    store->close();
    std::filesystem::remove_all(folder);
  }
  IngestFixture(const IngestFixture&) = delete;
  IngestFixture& operator=(const IngestFixture&) = delete;

  static CallContext owner() {
    return {.surface = "test",
            .principal = PrincipalId{"local"},
            .scopes = {"admin"},
            .viewer = {.every_owner = true, .reach = Visibility::kOwner},
            .local_owner = true};
  }
  static CallContext guest() {
    return {.surface = "test",
            .principal = PrincipalId{"guest"},
            .scopes = {"read", "write"},
            .viewer = {.actor = "guest", .reach = Visibility::kOwner}};
  }

  std::string write(const std::string& name, const std::string& text) const {
    const auto path = folder / "files" / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string files() const { return folder / "files"; }

  // The stored object; null if there is none.
  Value stored(const std::string& id) {
    auto txn = *store->begin_read(kNoDeadline);
    const auto found =
        *find_stored(*txn, *gatekeeper.require(owner(), access::Permission::kRead), id);
    return found ? found->json : Value();
  }
  std::vector<AuditEvent> events() {
    auto txn = *store->begin_read(kNoDeadline);
    return *last_events(*txn, *gatekeeper.require(owner(), access::Permission::kRead), 100000);
  }

  std::filesystem::path folder;
  SystemClock clock;
  std::unique_ptr<storage::Store> store;
  access::Gatekeeper gatekeeper;
  search::Index index;
  FakeWeb web;
  IngestService ingest;

 private:
  static std::filesystem::path make_folder() {
    std::string name = std::filesystem::temp_directory_path() / "holdfast-ingest-XXXXXX";
    std::filesystem::path path = std::filesystem::canonical(::mkdtemp(name.data()));
    std::filesystem::create_directories(path / "data");
    std::filesystem::create_directories(path / "files");
    return path;
  }
};

}  // namespace holdfast::service::substrate
