// How far a capsule can be relied on: freshness, health, trust signals, salience.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/value.h"
#include "service/continuity/paths.h"

namespace holdfast::service::continuity {

inline constexpr int kExpired = 4;

struct Freshness {
  std::string phase = "fresh";  // fresh, stale_soft, stale_hard, expired_by_age, expired
  int severity = 0;
  std::optional<int64_t> threshold = std::nullopt;  // seconds
};
Freshness freshness_of(const Value& capsule, Timestamp now);

std::string health_status(const Value& capsule);
Value health_reasons(const Value& capsule);
std::string verification_status(const Value& capsule);
// Whole seconds since, at least 0; nothing for a text that is no time.
std::optional<int64_t> age_seconds(const std::string& at, Timestamp now);

struct Trimmed {
  bool any = false;
  std::vector<std::string> fields = {};
};
Value trust_signals(const Value& capsule, const std::string& source_state, Timestamp now,
                    const Trimmed& trimmed = {});
Value compact_trust(const Value& full);
struct SelectorCounts {
  int64_t requested = 0;
  int64_t returned = 0;
  int64_t omitted = 0;
};
// Over the signals of the capsules returned, of which some may carry none; null if all do.
Value aggregate_trust(const std::vector<Value>& signals, const SelectorCounts& selectors);

struct SalienceKey {
  int lifecycle = 99;
  int health = 0;
  int freshness = 0;
  bool inadequate = false;
  int verification = 0;  // negated: stronger comes first
  int64_t age = 0;
  std::string kind = {};
  std::string id = {};
  auto operator<=>(const SalienceKey&) const = default;
};
SalienceKey salience_of(const Value& capsule, const Subject& subject, Timestamp now);
Value salience_block(const SalienceKey& key, int64_t rank);
Value salience_metadata(const std::vector<SalienceKey>& keys);

// Numbers by which the index finds capsules in the order of salience without reading them.
int lifecycle_rank(const Value& capsule);
int health_rank(const Value& capsule);

}  // namespace holdfast::service::continuity
