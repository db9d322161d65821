#include "search/vector_index.h"

#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "search/folder_fake.h"

#if defined(__SANITIZE_THREAD__)
// hnswlib locks graph nodes in whatever order it meets them. We add under an exclusive lock, so
// nobody waits; but the sanitiser cannot tell its locks from ours once their stacks are lost. Races
// are still reported. NOLINTNEXTLINE(clang-diagnostic-reserved-identifier): the sanitiser's name
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }
#endif

namespace holdfast::search {
namespace {

constexpr size_t kDimensions = 16;

class VectorIndexTest : public ::testing::Test {
 protected:
  VectorIndexTest() : folder_(test_folder("vectors")) { std::filesystem::remove_all(folder_); }
  ~VectorIndexTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<VectorIndex> make() {
    auto index = std::make_unique<VectorIndex>(
        VectorOptions{.folder = folder_, .dimensions = kDimensions, .model = "m"});
    EXPECT_TRUE(index->open());
    return index;
  }
  std::vector<float> random_vector() {
    std::normal_distribution<float> normal;
    std::vector<float> vector(kDimensions);
    for (float& value : vector) value = normal(random_);
    return vector;
  }
  void fill(VectorIndex& index, ObjectNumber count) {
    for (ObjectNumber i = 1; i <= count; ++i) {
      vectors_.push_back(random_vector());
      ASSERT_TRUE(index.add(i, 1, vectors_.back()));
    }
  }
  static bool anyone(ObjectNumber) { return true; }

  std::string folder_;
  std::mt19937 random_{7};
  std::vector<std::vector<float>> vectors_;
};

TEST_F(VectorIndexTest, FindsTheNearestAmongTheAllowed) {
  auto index = make();
  fill(*index, 500);

  const auto near = index->search(vectors_[41], 5, anyone);
  const auto odd =
      index->search(vectors_[41], 5, [](ObjectNumber number) { return number % 2 == 1; });
  const auto one = index->search(vectors_[41], 5, [](ObjectNumber number) { return number == 77; });

  ASSERT_EQ(near.size(), 5U);
  EXPECT_EQ(near[0].number, 42);
  EXPECT_NEAR(near[0].similarity, 1, 1e-5);
  ASSERT_EQ(odd.size(), 5U);
  for (const auto& hit : odd) EXPECT_EQ(hit.number % 2, 1);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].number, 77);
}

TEST_F(VectorIndexTest, ComingAndGoingCostsNoMemory) {
  auto index = make();
  fill(*index, 50);

  for (ObjectNumber number = 51; number <= 3000; ++number) {
    ASSERT_TRUE(index->remove(number - 50));
    vectors_.push_back(random_vector());
    ASSERT_TRUE(index->add(number, 1, vectors_.back()));
  }

  for (ObjectNumber number = 2951; number <= 3000; ++number) {
    const auto near = index->search(vectors_[static_cast<size_t>(number - 1)], 1, anyone);
    ASSERT_EQ(near.size(), 1U);
    EXPECT_EQ(near[0].number, number);
  }
  ASSERT_TRUE(index->close());
  EXPECT_LT(std::filesystem::file_size(folder_ + "/graph"), 50'000U);
}

TEST_F(VectorIndexTest, SurvivesACleanEndAndAKill) {
  {
    auto index = make();
    fill(*index, 100);
    ASSERT_TRUE(index->remove(7));
    ASSERT_TRUE(index->close());
    EXPECT_TRUE(std::filesystem::exists(folder_ + "/graph"));
  }
  {
    auto index = make();
    EXPECT_EQ(index->size(), 99U);
    EXPECT_EQ(index->search(vectors_[41], 1, anyone)[0].number, 42);
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/graph"));
  }  // no close(): the graph is made anew
  auto index = make();
  EXPECT_EQ(index->size(), 99U);
  EXPECT_FALSE(index->has(7));
  EXPECT_EQ(index->search(vectors_[41], 1, anyone)[0].number, 42);
  ASSERT_TRUE(index->add(7, 1, vectors_[6]));
  EXPECT_EQ(index->search(vectors_[6], 1, anyone)[0].number, 7);
}

TEST_F(VectorIndexTest, RemovedVectorsLeaveTheFolder) {
  auto index = make();
  fill(*index, 20);
  std::vector<float> marker(kDimensions, 0.25F);  // has length 1: stored as it is
  ASSERT_TRUE(index->add(99, 1, marker));
  const auto stored = [&] {
    const std::string needle(reinterpret_cast<const char*>(marker.data()),
                             marker.size() * sizeof(float));
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_)) {
      if (!file.is_regular_file()) continue;
      std::ifstream in(file.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(in)), {});
      if (bytes.find(needle) != std::string::npos) return true;
    }
    return false;
  };
  ASSERT_TRUE(stored());

  ASSERT_TRUE(index->remove(99));

  EXPECT_FALSE(stored());
  ASSERT_TRUE(index->close());
  EXPECT_FALSE(stored());
}

TEST_F(VectorIndexTest, DamageCostsTheDamagedVectorsOnly) {
  {
    auto index = make();
    fill(*index, 10);
    ASSERT_TRUE(index->close());
  }
  std::filesystem::resize_file(folder_ + "/vectors",
                               std::filesystem::file_size(folder_ + "/vectors") - 3);
  {
    std::fstream file(folder_ + "/vectors", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(24 + 24 + 5);
    file.put('x');
  }

  auto index = make();

  EXPECT_EQ(index->size(), 8U);
  EXPECT_EQ(index->search(vectors_[4], 1, anyone)[0].number, 5);
}

TEST_F(VectorIndexTest, AnotherModelBeginsAnew) {
  {
    auto index = make();
    fill(*index, 10);
    ASSERT_TRUE(index->close());
  }
  VectorIndex other({.folder = folder_, .dimensions = kDimensions, .model = "another"});
  ASSERT_TRUE(other.open());

  EXPECT_EQ(other.size(), 0U);
  EXPECT_FALSE(other.add(1, 1, std::vector<float>(3, 1.0F)));
  EXPECT_FALSE(other.add(1, 1, std::vector<float>(kDimensions, 0.0F)));
}

}  // namespace
}  // namespace holdfast::search
