#include "search/field_order.h"

#include <gtest/gtest.h>

namespace holdfast::search {
namespace {

constexpr FieldOrder kOrder{.worth = {20, 8, 5, 10, 3}, .wanted = 2};

FieldSet in(std::initializer_list<Field> fields) {
  FieldSet set = 0;
  for (const Field field : fields) set |= field_bit(static_cast<size_t>(field));
  return set;
}

TEST(FieldOrderTest, ADocumentIsWorthItsBestTerm) {
  const FieldWorth worth(kOrder);
  const FieldSet terms[] = {in({Field::kBody, Field::kSummary}), in({Field::kTitle}), in({})};

  EXPECT_EQ(worth.of(terms), 20);
  EXPECT_EQ(worth.of(std::span(terms).first(1)), 13);
}

TEST(FieldOrderTest, AFrequencyBoundsTheWorth) {
  const FieldWorth worth(kOrder);

  EXPECT_EQ(worth.most(1), 3);    // once in the body
  EXPECT_EQ(worth.most(2), 10);   // in the summary, or twice in the body
  EXPECT_EQ(worth.most(3), 13);   // both
  EXPECT_EQ(worth.most(4), 20);   // in the title
  EXPECT_EQ(worth.most(50), 46);  // everywhere
  EXPECT_EQ(worth.most(0), 46);   // not known
}

TEST(FieldOrderTest, LooksOnlyIntoWhatCanBeAmongTheFirst) {
  const int64_t most[] = {10, 20, 10, 10, 3};
  const int64_t real[] = {10, 3, 10, 10, 3};
  std::vector<size_t> prepared;
  std::vector<size_t> looked_into;

  const std::vector<Worth> ordered = worthiest_first(most, kOrder.wanted,
                                                     {.prepare =
                                                          [&](std::span<const Worth> first) {
                                                            for (const Worth& one : first)
                                                              prepared.push_back(one.hit);
                                                          },
                                                      .worth =
                                                          [&](size_t i) {
                                                            looked_into.push_back(i);
                                                            return real[i];
                                                          }});

  EXPECT_EQ(prepared, (std::vector<size_t>{1, 0}));
  EXPECT_EQ(looked_into, (std::vector<size_t>{1, 0, 2}));
  std::vector<size_t> hits;
  for (const Worth& one : ordered) hits.push_back(one.hit);
  EXPECT_EQ(hits, (std::vector<size_t>{0, 2, 3, 1, 4}));
}

}  // namespace
}  // namespace holdfast::search
