// The index's work in the background.
#include <gtest/gtest.h>

#include "base/log.h"
#include "search/source_fake.h"
#include "search/space_index.h"

namespace holdfast::search {
namespace {

class MaintenanceTest : public ::testing::Test {
 protected:
  MaintenanceTest() { log::configure(log::Format::kText, log::Level::kError); }

  void put_memtable() {
    for (uint32_t i = 0; i < kDocuments; ++i) {
      const storage::Change change = source_.put(kDefaultSpace, "note", std::to_string(next_++), {},
                                                 {.text = {.body = "tea for everybody"}});
      DocumentMaker documents;
      index_.apply({index_change(change, documents)});
    }
  }
  size_t found() const {
    return index_.search(owner_access(), {.query = "tea", .exact_total = true}).total;
  }

  static constexpr uint32_t kDocuments = 1500;
  static constexpr size_t kSegments = 4;
  FakeSource source_;
  SpaceIndex index_{"",
                    {.flush_documents = kDocuments,
                     .merge_width = kSegments,
                     .quiet_changes = 0,
                     .background = false}};
  int next_ = 0;
};

TEST_F(MaintenanceTest, MemtablesAreWrittenInTheMiddleOfAMerge) {
  for (size_t i = 0; i < kSegments; ++i) {
    put_memtable();
    ASSERT_TRUE(index_.maintain());
  }
  ASSERT_EQ(index_.sizes().segments, kSegments);
  size_t most_waiting = 0;
  size_t calls = 0;
  const auto meanwhile = [&] {
    // What was put at the call before is written by now; the merge goes on.
    most_waiting = std::max(most_waiting, index_.waiting());
    EXPECT_EQ(index_.sizes().segments, kSegments + calls);
    if (++calls <= 3) put_memtable();
    EXPECT_EQ(found(), kDocuments * (kSegments + std::min<size_t>(calls, 3)));
    calls = std::min<size_t>(calls, 3);
  };

  ASSERT_TRUE(index_.maintain(meanwhile));

  EXPECT_EQ(calls, 3U);
  EXPECT_EQ(most_waiting, 0U);
  EXPECT_EQ(index_.sizes().segments, 1 + 3U);
  EXPECT_EQ(found(), kDocuments * (kSegments + 3));
}

}  // namespace
}  // namespace holdfast::search
