#include "search/boosts.h"

#include <algorithm>
#include <cmath>

#include "text/analyzer.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kSpeakersAskedBeforehand = 32;

}  // namespace

Boosts::Boosts(const SearchRequest& request, const Plan& plan, const Part& part)
    : request_(request),
      plan_(plan),
      part_(part),
      recency_(request.recency.weight > 0),
      speaker_(request.speaker_boost > 0) {
  speaker_ = speaker_ && may_name_one();
}

// A boost that cannot happen would still loosen every bound, so a part with few speakers is asked
// beforehand.
bool Boosts::may_name_one() {
  const uint32_t count = part_.speaker_count();
  if (count > kSpeakersAskedBeforehand) return true;
  for (uint32_t speaker = 1; speaker < count; ++speaker) {
    if (is_named(speaker)) return true;
  }
  return false;
}

double Boosts::recency(uint32_t doc) const {
  if (!recency_) return 0;
  const auto age = static_cast<double>(
      std::max<int64_t>(0, to_micros(request_.recency.now) - part_.columns().at[doc]));
  const double half_life =
      std::max(1.0, static_cast<double>(request_.recency.half_life.count()) * 1e6);
  return request_.recency.weight * std::exp2(-age / half_life);
}

double Boosts::speaker(uint32_t doc) {
  if (!speaker_) return 0;
  const uint32_t speaker = part_.columns().speaker[doc];
  return speaker != 0 && is_named(speaker) ? request_.speaker_boost : 0;
}

bool Boosts::is_named(uint32_t speaker) {
  if (speaker >= named_.size()) named_.resize(speaker + size_t{1});
  if (named_[speaker] == 0) {
    text::TokenList list;
    text::analyze(part_.speaker_text(speaker), list);
    const bool named = std::ranges::any_of(list.tokens, [&](const text::Token& token) {
      return std::ranges::find(plan_.names, list.text(token)) != plan_.names.end();
    });
    named_[speaker] = named ? 2 : 1;
  }
  return named_[speaker] == 2;
}

}  // namespace holdfast::search
