#include "search/part.h"

#include <algorithm>

#include "base/assert.h"
#include "base/sorted.h"

namespace holdfast::search {

void Part::mark_alive(uint32_t doc) {
  if ((doc >> 6) >= live_.size()) live_.resize((doc >> 6) + 1);
  live_[doc >> 6] |= uint64_t{1} << (doc & 63);
}

void Part::mark_all_alive(uint32_t count) {
  live_.assign((count + 63) / 64, ~uint64_t{0});
  if (count % 64 != 0) live_.back() = (uint64_t{1} << (count % 64)) - 1;
}

void Part::kill(uint32_t doc) {
  HOLDFAST_ASSERT(alive(doc));
  live_[doc >> 6] &= ~(uint64_t{1} << (doc & 63));
  ++dead_count_;
  std::vector<uint32_t> stems;
  blob(doc).for_each_token([&](size_t, uint32_t code) {
    if (code != kBoundaryToken) stems.push_back(columns_.form_stem[token_form(code)]);
  });
  sort_once(stems);
  if (!stems.empty() && stems.back() >= dead_postings_.size()) dead_postings_.resize(stem_count());
  for (const uint32_t stem : stems) ++dead_postings_[stem];
}

}  // namespace holdfast::search
