#include "service/continuity/trust.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/normalise.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::array<std::string_view, 5> kPhases = {"fresh", "stale_soft", "stale_hard",
                                                     "expired_by_age", "expired"};
constexpr int64_t kUnknownAge = 2'147'483'647;

int rank_in(std::string_view word, std::initializer_list<std::string_view> words, int otherwise) {
  const auto* at = std::ranges::find(words, word);
  return at == words.end() ? otherwise : static_cast<int>(at - words.begin());
}

Value optional_value(const std::optional<int64_t>& number) {
  return number ? Value(*number) : Value();
}

std::optional<int64_t> threshold_of(const Value& capsule) {
  const Value* freshness = present(capsule, "freshness");
  if (freshness != nullptr) {
    const int64_t given = integer_of(*freshness, "stale_after_seconds", 0);
    if (given > 0) return given;
  }
  const std::string name = freshness != nullptr ? text_of(*freshness, "freshness_class") : "";
  if (name == "persistent") return std::nullopt;
  if (name == "durable") return 15'552'000;
  return name == "ephemeral" ? 259'200 : 2'592'000;
}

Freshness of_severity(int severity, std::optional<int64_t> threshold) {
  return {.phase = std::string(kPhases.at(static_cast<size_t>(severity))),
          .severity = severity,
          .threshold = threshold};
}

Value empty_fields(const Value& capsule) {
  Value out = Value::array();
  const Value* state = capsule.find("continuity");
  if (state == nullptr) return out;
  for (const char* name : {"top_priorities", "active_constraints", "open_loops", "active_concerns",
                           "stance_summary", "drift_signals"}) {
    const bool is_text = std::string_view(name) == "stance_summary";
    const bool empty =
        is_text ? count_code_points(text_of(*state, name)) < 30 : list_of(*state, name).empty();
    if (empty) out.push(name);
  }
  return out;
}

}  // namespace

std::optional<int64_t> age_seconds(const std::string& at, Timestamp now) {
  const auto time = parse_iso(at);
  if (!time) return std::nullopt;
  return std::max<int64_t>(0, std::chrono::floor<std::chrono::seconds>(now - *time).count());
}

Freshness freshness_of(const Value& capsule, Timestamp now) {
  const auto threshold = threshold_of(capsule);
  const Value* expires = find_path(capsule, "freshness.expires_at");
  if (expires != nullptr && expires->is_string()) {
    const auto at = parse_iso(*expires->if_string());
    if (at && now > *at) return of_severity(kExpired, threshold);
  }
  const auto verified = parse_iso(text_of(capsule, "verified_at"));
  if (!verified || to_micros(*verified) == 0) return of_severity(kExpired, threshold);
  if (!threshold) return of_severity(0, threshold);
  const int64_t age = std::max<int64_t>(0, to_micros(now) - to_micros(*verified));
  const int64_t limit = *threshold * 1'000'000;
  const int severity = age <= limit ? 0 : age <= limit / 2 * 3 ? 1 : age <= limit * 2 ? 2 : 3;
  return of_severity(severity, threshold);
}

std::string health_status(const Value& capsule) {
  const Value* health = present(capsule, "capsule_health");
  const std::string status = health != nullptr ? text_of(*health, "status") : "";
  return status.empty() ? "healthy" : status;
}

Value health_reasons(const Value& capsule) {
  const Value* health = present(capsule, "capsule_health");
  return health != nullptr ? Value(list_of(*health, "reasons")) : Value::array();
}

std::string verification_status(const Value& capsule) {
  const Value* state = present(capsule, "verification_state");
  const std::string status = state != nullptr ? text_of(*state, "status") : "";
  return status.empty() ? "unverified" : status;
}

Value trust_signals(const Value& capsule, const std::string& source_state, Timestamp now,
                    const Trimmed& trimmed) {
  const Freshness freshness = freshness_of(capsule, now);
  const std::string verified = text_of(capsule, "verified_at");
  const auto verified_at = parse_iso(verified);
  const bool floor_value = verified_at && to_micros(*verified_at) == 0;
  const Value* name = find_path(capsule, "freshness.freshness_class");
  return Value::object(
      {{"recency",
        Value::object({{"updated_age_seconds",
                        optional_value(age_seconds(text_of(capsule, "updated_at"), now))},
                       {"verified_age_seconds",
                        floor_value ? Value() : optional_value(age_seconds(verified, now))},
                       {"phase", freshness.phase},
                       {"freshness_class", name != nullptr ? *name : Value()},
                       {"stale_threshold_seconds", optional_value(freshness.threshold)}})},
       {"completeness", Value::object({{"orientation_adequate", is_adequate(capsule)},
                                       {"empty_orientation_fields", empty_fields(capsule)},
                                       {"trimmed", trimmed.any},
                                       {"trimmed_fields", Value::array_of(trimmed.fields)}})},
       {"integrity", Value::object({{"source_state", source_state},
                                    {"health_status", health_status(capsule)},
                                    {"health_reasons", health_reasons(capsule)},
                                    {"verification_status", verification_status(capsule)}})},
       {"scope_match", Value::object({{"exact", source_state == "active"}})}});
}

Value compact_trust(const Value& full) {
  const auto at = [&](std::string_view path) { return *find_path(full, path); };
  return Value::object(
      {{"compact", true},
       {"recency", Value::object({{"phase", at("recency.phase")}})},
       {"completeness",
        Value::object({{"orientation_adequate", at("completeness.orientation_adequate")},
                       {"trimmed", at("completeness.trimmed")}})},
       {"integrity", Value::object({{"source_state", at("integrity.source_state")},
                                    {"health_status", at("integrity.health_status")}})},
       {"scope_match", at("scope_match")}});
}

Value aggregate_trust(const std::vector<Value>& signals, const SelectorCounts& selectors) {
  if (signals.empty()) return {};
  int worst_phase = 0;
  int worst_health = 0;
  Value oldest_updated;
  Value oldest_verified;
  int64_t adequate = 0;
  bool trimmed = false;
  bool fallback = false;
  bool degraded = false;
  bool conflicted = false;
  const auto older = [](Value& oldest, const Value* age) {
    if (age == nullptr || !age->is_integer()) return;
    if (oldest.is_null() || *age->if_int() > *oldest.if_int()) oldest = *age;
  };
  for (const Value& one : signals) {
    const std::string phase = text_of(*one.find("recency"), "phase");
    const auto* place = std::ranges::find(kPhases, phase);
    worst_phase = std::max(worst_phase, static_cast<int>(place - kPhases.begin()));
    older(oldest_updated, find_path(one, "recency.updated_age_seconds"));
    older(oldest_verified, find_path(one, "recency.verified_age_seconds"));
    adequate += flag_of(*one.find("completeness"), "orientation_adequate") ? 1 : 0;
    trimmed = trimmed || flag_of(*one.find("completeness"), "trimmed");
    const std::string health = text_of(*one.find("integrity"), "health_status");
    worst_health = std::max(worst_health, rank_in(health, {"healthy", "degraded"}, 2));
    fallback = fallback || text_of(*one.find("integrity"), "source_state") == "fallback";
    degraded = degraded || health == "degraded";
    conflicted = conflicted || health == "conflicted";
  }
  const auto total = static_cast<int64_t>(signals.size());
  constexpr std::array<std::string_view, 3> kHealth = {"healthy", "degraded", "conflicted"};
  return Value::object(
      {{"recency", Value::object({{"worst_phase", kPhases.at(static_cast<size_t>(worst_phase))},
                                  {"oldest_updated_age_seconds", oldest_updated},
                                  {"oldest_verified_age_seconds", oldest_verified}})},
       {"completeness", Value::object({{"all_adequate", adequate == total},
                                       {"adequate_count", adequate},
                                       {"total_count", total},
                                       {"any_trimmed", trimmed}})},
       {"integrity", Value::object({{"worst_health", kHealth.at(static_cast<size_t>(worst_health))},
                                    {"any_fallback", fallback},
                                    {"any_degraded", degraded},
                                    {"any_conflicted", conflicted}})},
       {"scope_match",
        Value::object({{"selectors_requested", selectors.requested},
                       {"selectors_returned", selectors.returned},
                       {"selectors_omitted", selectors.omitted},
                       {"all_returned", selectors.requested == selectors.returned}})}});
}

int lifecycle_rank(const Value& capsule) {
  const Value* word = find_path(capsule, "thread_descriptor.lifecycle");
  if (word == nullptr || !word->is_string()) return 99;
  return rank_in(*word->if_string(), {"active", "suspended", "concluded", "superseded"}, 99);
}

int health_rank(const Value& capsule) {
  return rank_in(health_status(capsule), {"healthy", "degraded"}, 2);
}

SalienceKey salience_of(const Value& capsule, const Subject& subject, Timestamp now) {
  return {.lifecycle = lifecycle_rank(capsule),
          .health = health_rank(capsule),
          .freshness = freshness_of(capsule, now).severity,
          .inadequate = !is_adequate(capsule),
          .verification = -signal_strength(text_of(capsule, "verification_kind")),
          .age = age_seconds(text_of(capsule, "updated_at"), now).value_or(kUnknownAge),
          .kind = subject.kind,
          .id = subject.id};
}

Value salience_block(const SalienceKey& key, int64_t rank) {
  return Value::object({{"rank", rank},
                        {"sort_key", Value::object({{"lifecycle_rank", key.lifecycle},
                                                    {"health_rank", key.health},
                                                    {"freshness_rank", key.freshness},
                                                    {"resume_adequate", !key.inadequate},
                                                    {"verification_rank", -key.verification},
                                                    {"updated_age_seconds", key.age}})}});
}

Value salience_metadata(const std::vector<SalienceKey>& keys) {
  if (keys.empty()) return {};
  int lifecycle = 99;
  int health = 0;
  int freshness = 0;
  bool adequate = true;
  for (const SalienceKey& key : keys) {
    lifecycle = std::min(lifecycle, key.lifecycle);
    health = std::max(health, key.health);
    freshness = std::max(freshness, key.freshness);
    adequate = adequate && !key.inadequate;
  }
  return Value::object({{"sort_applied", true},
                        {"capsule_count", keys.size()},
                        {"best_lifecycle_rank", lifecycle},
                        {"worst_health_rank", health},
                        {"worst_freshness_rank", freshness},
                        {"all_resume_adequate", adequate}});
}

}  // namespace holdfast::service::continuity
