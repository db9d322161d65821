// Filters over a part that is large enough to have aids, beside a look at every object.
#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "search/index.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

constexpr int kDocuments = 17'000;  // the smallest part with aids has 16,384

struct Made {
  ObjectNumber number = 0;
  int64_t at = 0;
  std::string container = {};
};

class LargePartTest : public testing::Test {
 protected:
  LargePartTest() : index_({.flush_documents = kDocuments, .background = false}) {
    std::mt19937 random(5);
    for (int i = 0; i < kDocuments; ++i) {
      // Mostly in order, now and then out of it; containers in stretches.
      Made made{.at = 1000 + i + (random() % 50 == 0 ? -700 : 0),
                .container = "c" + std::to_string(i / 1500 % 4)};
      const storage::Change change =
          source_.put(kDefaultSpace, "note", "n" + std::to_string(i),
                      {.visibility = Visibility::kContainer, .container = made.container},
                      {.text = {.title = "word", .at = from_micros(made.at)}});
      made.number = change.object.number;
      index_.on_commit({change});
      all_.push_back(made);
    }
    for (int i = 0; i < kDocuments; i += 97) {
      index_.on_commit({source_.remove(kDefaultSpace, {"note", "n" + std::to_string(i)})});
      all_[static_cast<size_t>(i)].number = 0;
    }
    index_.settle();
  }

  // Compares total and numbers with those that are `wanted`.
  void expect(const Viewer& viewer, const Filter& filter,
              const std::function<bool(const Made&)>& wanted) {
    std::vector<ObjectNumber> expected;
    for (const Made& made : all_) {
      if (made.number != 0 && wanted(made)) expected.push_back(made.number);
    }
    NumberList found = index_.numbers(access_for(viewer), filter);
    std::ranges::sort(found.numbers);
    EXPECT_EQ(found.numbers, expected);
    EXPECT_EQ(found.until, kDocuments);
    EXPECT_EQ(index_.list(access_for(viewer), {.filter = filter})->total, expected.size());
  }

  FakeSource source_;
  Index index_;
  std::vector<Made> all_;
  const Viewer everybody_{.every_owner = true, .clearance = Sensitivity::kSensitive};
};

TEST_F(LargePartTest, TimesGiveWhatALookAtEveryObjectGives) {
  ASSERT_EQ(index_.sizes().at(kDefaultSpace).segments, 1U);
  for (const int64_t from : {0, 1000, 1064, 1500, 9'000, 17'999, 20'000}) {
    for (const int64_t to : {900, 1000, 1100, 9'001, 17'999, 18'000, 30'000}) {
      expect(everybody_, {.from = from_micros(from), .to = from_micros(to)},
             [&](const Made& made) { return made.at >= from && made.at < to; });
    }
    expect(everybody_, {.from = from_micros(from)},
           [&](const Made& made) { return made.at >= from; });
  }
}

TEST_F(LargePartTest, LabelsGiveWhatALookAtEveryObjectGives) {
  for (const std::vector<std::string>& containers :
       {std::vector<std::string>{"c0"}, {"c1", "c3"}, {"c9"}}) {
    const Viewer viewer{.containers = containers};
    expect(viewer, {}, [&](const Made& made) {
      return std::ranges::find(containers, made.container) != containers.end();
    });
  }
}

TEST_F(LargePartTest, NumbersGiveWhatALookAtEveryObjectGives) {
  const auto only = std::make_shared<NumberBits>();
  std::mt19937 random(9);
  for (ObjectNumber number = 0; number < kDocuments + 500; ++number) {
    if (number / 700 % 2 == 0 || random() % 5 == 0) only->add(number);
  }
  only->remove(1402);

  expect(everybody_, {.only_numbers = only},
         [&](const Made& made) { return only->has(made.number); });
  expect(everybody_, {.after_number = 12'345, .only_numbers = only},
         [&](const Made& made) { return made.number > 12'345 && only->has(made.number); });
  expect(everybody_, {.after_number = kDocuments}, [](const Made&) { return false; });
}

TEST(NumberBitsTest, SomeAreTheSameFromWhereverTheyAreAskedFor) {
  NumberBits bits;
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) bits.add(static_cast<ObjectNumber>(random() % 300));
  for (ObjectNumber first = 0; first < 400; ++first) {
    const uint64_t some = bits.some_from(first);
    for (ObjectNumber n = 0; n < 64; ++n)
      ASSERT_EQ((some >> static_cast<unsigned>(n) & 1) != 0, bits.has(first + n)) << first;
  }
}

}  // namespace
}  // namespace holdfast::search
