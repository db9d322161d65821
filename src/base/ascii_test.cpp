#include "base/ascii.h"

#include <random>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(AsciiTest, FindsTheHighBitWhereverItIs) {
  for (size_t size = 0; size < 100; ++size) {
    EXPECT_TRUE(is_ascii(std::string(size, 'x')));
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, '\x7f');
      text[at] = '\x80';
      EXPECT_FALSE(is_ascii(text)) << at << " of " << size;
    }
  }
}

// Few different characters, those beside letters among them, so that much nearly fits.
TEST(AsciiTest, FindsInLowerCaseWhatTheLoweredTextHas) {
  constexpr std::string_view kCharacters = "aAbB@[`{ \x01!";
  std::mt19937 random(11);
  const auto text_of = [&](size_t size) {
    std::string text(size, ' ');
    for (char& c : text) c = kCharacters[random() % kCharacters.size()];
    return text;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = text_of(random() % 70);
    std::string wanted = text_of(random() % 6);
    if (round % 3 != 0) lower_ascii(wanted);
    std::string lowered = text;
    lower_ascii(lowered);
    for (size_t from = 0; from <= text.size() + 1; from += 1 + from / 3) {
      EXPECT_EQ(find_in_lower_ascii(text, wanted, from), lowered.find(wanted, from))
          << text << " / " << wanted << " / " << from;
    }
  }
  EXPECT_EQ(find_in_lower_ascii("Caf and more than sixteen", "é"), std::string::npos);
}

}  // namespace
}  // namespace holdfast
