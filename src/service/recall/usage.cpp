#include "service/recall/usage.h"

namespace holdfast::service::recall {
namespace {

const Codec<UsageRow>& usage_codec() {
  static const Codec<UsageRow> codec = Codec<UsageRow>()
                                           .field("id", &UsageRow::id)
                                           .field("lookup_id", &UsageRow::lookup_id)
                                           .field("memory_id", &UsageRow::memory_id)
                                           .field("memory_type", &UsageRow::memory_type)
                                           .field("container_ref", &UsageRow::container_ref)
                                           .field("thread_ref", &UsageRow::thread_ref)
                                           .field("trigger_origin", &UsageRow::trigger_origin)
                                           .field("referenced", &UsageRow::referenced)
                                           .field("reference_kind", &UsageRow::reference_kind)
                                           .field("window_turns", &UsageRow::window_turns)
                                           .field("rating", &UsageRow::rating)
                                           .field("created_at", &UsageRow::created_at)
                                           .field("populated_at", &UsageRow::populated_at);
  return codec;
}

const Codec<Feedback>& feedback_codec() {
  static const Codec<Feedback> codec = Codec<Feedback>()
                                           .field("memory_id", &Feedback::memory_id)
                                           .field("rating", &Feedback::rating)
                                           .field("reason", &Feedback::reason)
                                           .field("query_context", &Feedback::query_context)
                                           .field("lookup_id", &Feedback::lookup_id)
                                           .field("rater_ref", &Feedback::rater_ref)
                                           .field("thread_ref", &Feedback::thread_ref)
                                           .field("created_at", &Feedback::created_at);
  return codec;
}

Projection project_usage(const UsageRow& row) {
  Projection out;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out.facets.push_back(Facet::of(std::string(name), value));
  };
  add(facet::kAbout, row.memory_id);
  add(facet::kLookup, row.lookup_id);
  add(facet::kUsedIn, row.container_ref);
  add(facet::kUsedThread, row.thread_ref.value_or(""));
  out.facets.push_back(
      Facet::of(std::string(facet::kExpires), to_micros(row.created_at + kUsageKept)));
  return out;
}

Projection project_feedback(const Feedback& feedback) {
  Projection out;
  out.facets.push_back(Facet::of(std::string(facet::kAbout), feedback.memory_id));
  return out;
}

}  // namespace

const Noun<UsageRow>& usage_noun() {
  static const Noun<UsageRow> noun{
      .kind = "recall_usage", .codec = usage_codec(), .project = project_usage};
  return noun;
}

const Noun<Feedback>& feedback_noun() {
  static const Noun<Feedback> noun{
      .kind = "recall_feedback", .codec = feedback_codec(), .project = project_feedback};
  return noun;
}

}  // namespace holdfast::service::recall
