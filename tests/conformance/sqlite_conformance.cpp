#include <filesystem>
#include <fstream>

#include <stdlib.h>

#include "storage/sqlite/sqlite_store.h"
#include "store_harness.h"

namespace holdfast::storage {
namespace {

namespace fs = std::filesystem;

class SqliteHarness : public StoreHarness {
 public:
  explicit SqliteHarness(const Clock& clock) : clock_(clock) {
    std::string name = (fs::temp_directory_path() / "holdfast_store_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_directory(folder_ / "data");
    fs::create_directory(folder_ / "scratch");
    open();
  }
  ~SqliteHarness() override {
    store_.reset();
    fs::remove_all(folder_);
  }

  Store& store() override { return *store_; }
  void reopen() override {
    store_->close();
    store_.reset();
    open();
  }
  bool on_disk(std::string_view bytes) override {
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "data")) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::string content(entry.is_regular_file() ? entry.file_size() : 0, '\0');
      file.read(content.data(), static_cast<std::streamsize>(content.size()));  // all at once
      if (content.find(bytes) != std::string::npos) return true;
    }
    return false;
  }
  std::string scratch_path(std::string_view name) override {
    return (folder_ / "scratch" / name).string();
  }

 private:
  void open() {
    auto store =
        open_sqlite_store({.path = (folder_ / "data" / "holdfast.db").string(), .clock = clock_});
    EXPECT_TRUE(store.has_value()) << (store ? "" : store.error().message + store.error().detail);
    store_ = std::move(*store);
  }

  const Clock& clock_;
  fs::path folder_;
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(
    Sqlite, StoreConformance,
    testing::Values(StoreAdapter{
        .name = "sqlite",
        .make = [](const Clock& clock) { return std::make_unique<SqliteHarness>(clock); }}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace holdfast::storage
