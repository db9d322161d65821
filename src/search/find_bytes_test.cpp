#include "search/find_bytes.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace holdfast::search {
namespace {

TEST(FindBytes, AgreesWithFindEverywhere) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 80, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    std::string wanted(1 + random() % 6, ' ');
    for (char& c : wanted) c = static_cast<char>('a' + random() % 3);

    const char* const found = find_bytes(text.data(), text.data() + text.size(), wanted);

    const size_t expected = text.find(wanted);
    ASSERT_EQ(found == nullptr ? std::string::npos : static_cast<size_t>(found - text.data()),
              expected)
        << text << " " << wanted;
  }
}

}  // namespace
}  // namespace holdfast::search
