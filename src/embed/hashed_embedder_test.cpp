#include "embed/hashed_embedder.h"

#include <gtest/gtest.h>

namespace holdfast::embed {
namespace {

double cosine(const std::string& a, const std::string& b) {
  const auto vectors = make_hashed_embedder()->embed({a, b}, kNoDeadline);
  double sum = 0;
  for (size_t i = 0; i < kHashedDimensions; ++i)
    sum += static_cast<double>((*vectors)[0][i]) * (*vectors)[1][i];
  return sum;
}

TEST(HashedEmbedder, SpellingDecides) {
  EXPECT_NEAR(cosine("Replication lag", "replication  LAG!"), 1.0, 1e-5);
  EXPECT_GT(cosine("asynchronous replication", "replicating asynchronously"), 0.5);
  EXPECT_LT(cosine("asynchronous replication", "apple pie with cream"), 0.3);
}

TEST(HashedEmbedder, EveryTextHasAUnitVector) {
  for (const char* text : {"", "!?", "a", "日本語", "é"})
    EXPECT_NEAR(cosine(text, text), 1.0, 1e-5);
}

}  // namespace
}  // namespace holdfast::embed
