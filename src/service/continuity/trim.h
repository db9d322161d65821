// Fitting a capsule into a number of tokens.
#pragma once

#include <cstdint>
#include <optional>

#include "service/continuity/trust.h"

namespace holdfast::service::continuity {

struct TrimmedCapsule {
  Value capsule = {};
  std::vector<std::string> fields = {};  // what went, in order
};
// Nothing if it cannot be made to fit with something of its core left.
std::optional<TrimmedCapsule> trim_capsule(const Value& capsule, int64_t tokens);

struct Packed {
  Value capsule = {};  // with source_state, trust_signals and salience; null: it does not fit
  Value trust = {};    // full or compact; null: none
  std::vector<std::string> recovery = {};
};
// One capsule within its share of the budget.
Packed pack_capsule(const Value& capsule, const std::string& source_state, const SalienceKey& key,
                    int64_t rank, int64_t share, Timestamp now);

}  // namespace holdfast::service::continuity
