#include "service/substrate/config.h"

#include <gtest/gtest.h>

#include "service/substrate/substrate_fixture.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::substrate {
namespace {

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/holdfast.db", .clock = clock}));
}

class ConfigReaderTest : public ::testing::Test {
 protected:
  static CallContext owner(const std::string& space = kDefaultSpace.value) {
    CallContext call = SubstrateFixture::owner();
    call.viewer.space = SpaceId{space};
    call.viewer.clearance = Sensitivity::kSensitive;  // only then is anything remembered
    return call;
  }
  Config read(const CallContext& call) {
    const auto access = require_read(fixture_.gatekeeper, call);
    const auto txn = fixture_.store->begin_read(kNoDeadline);
    const auto config = reader_.read(**txn, *access);
    EXPECT_EQ(*config, *read_config(**txn, *access));
    return *config;
  }

  SubstrateFixture fixture_{open_store};
  ConfigReader reader_;
};

TEST_F(ConfigReaderTest, SeesEveryChange) {
  EXPECT_EQ(read(owner()), Config());
  EXPECT_EQ(read(owner()), Config());
  fixture_.know("a");
  EXPECT_EQ(read(owner()), Config());

  ASSERT_TRUE(fixture_.maintain.configure(owner(), {.wiki_path = "/w"}));

  EXPECT_EQ(read(owner()).wiki_path, "/w");
  EXPECT_EQ(read(owner()).wiki_path, "/w");
}

TEST_F(ConfigReaderTest, TellsSpacesApart) {
  ASSERT_TRUE(fixture_.maintain.configure(owner("other"), {.wiki_path = "/w"}));

  EXPECT_EQ(read(owner()), Config());
  EXPECT_EQ(read(owner("other")).wiki_path, "/w");
  EXPECT_EQ(read(owner()), Config());
}

}  // namespace
}  // namespace holdfast::service::substrate
