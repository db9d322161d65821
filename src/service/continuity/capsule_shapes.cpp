// What a capsule and its parts may look like.
#include "service/continuity/capsule.h"

namespace holdfast::service::continuity {
namespace {

Shape texts(int64_t max) { return list(text(), max); }
Value none() { return Value::array(); }

const Shape& decision_shape() {
  static const Shape shape =
      closed({required("decision", text()), required("rationale", text()),
              optional("created_at", text().or_null()), optional("updated_at", text().or_null()),
              optional("last_confirmed_at", text().or_null())})
          .called("NegativeDecision");
  return shape;
}

const Shape& rationale_shape() {
  static const Shape shape =
      closed({required("tag", text(1, 80)),
              required("kind", one_of({"decision", "assumption", "tension"})),
              required("status", one_of({"active", "superseded", "retired"})),
              required("summary", text(0, 320)), required("reasoning", text(0, 560)),
              optional("alternatives_considered", texts(3), none()),
              optional("depends_on", texts(3), none()),
              optional("supersedes", text(0, 80).or_null()),
              optional("created_at", text().or_null()), optional("updated_at", text().or_null()),
              optional("last_confirmed_at", text().or_null())})
          .called("RationaleEntry");
  return shape;
}

const Shape& preference_shape() {
  static const Shape shape =
      closed({required("tag", text(1, 80)), required("content", text(1, 240)),
              optional("created_at", text().or_null()), optional("updated_at", text().or_null()),
              optional("last_confirmed_at", text().or_null())})
          .called("StablePreference");
  return shape;
}

const Shape& anchor_shape() {
  static const Shape shape =
      object({required("kind", text(1, 40)), required("value", text(1, 200))})
          .called("IdentityAnchor");
  return shape;
}

// Judged by rules of their own (related_documents.cpp); this is how they are published.
Shape documents_shape() {
  const auto words = [](int64_t max, const char* pattern) {
    Value schema = Value::object({{"type", "string"}, {"minLength", 1}, {"maxLength", max}});
    if (pattern != nullptr) schema.set("pattern", pattern);
    return schema;
  };
  Shape shape = any();
  shape.published = Value::object(
      {{"type", "array"},
       {"maxItems", 8},
       {"items",
        Value::object(
            {{"type", "object"},
             {"properties",
              Value::object(
                  {{"path", words(240, "^[A-Za-z0-9._/-]+$")},
                   {"kind", words(32, "^[a-z][a-z0-9_]*$")},
                   {"label", words(120, nullptr)},
                   {"relevance", Value::object({{"type", "string"},
                                                {"enum", Value::array({"primary", "supporting",
                                                                       "background"})}})}})},
             {"required", Value::array({"path", "kind", "label"})},
             {"additionalProperties", false}})}});
  return shape;
}

Shape descriptor_shape() {
  return object({required("label", text(1, 120)), optional("keywords", texts(6), none()),
                 optional("scope_anchors", texts(4), none()),
                 optional("identity_anchors", list(anchor_shape(), 4), none()),
                 optional("lifecycle",
                          one_of({"active", "suspended", "concluded", "superseded"}).or_null()),
                 optional("superseded_by", text(1, 200).or_null())})
      .called("ThreadDescriptor");
}

Shape state_shape() {
  return object({required("top_priorities", texts(8)), required("active_concerns", texts(5)),
                 required("active_constraints", texts(8)), required("open_loops", texts(8)),
                 required("stance_summary", text(0, 240)), required("drift_signals", texts(5)),
                 optional("working_hypotheses", texts(5), none()),
                 optional("long_horizon_commitments", texts(5), none()),
                 optional("session_trajectory", texts(5), none()),
                 optional("negative_decisions", list(decision_shape(), 4), none()),
                 optional("trailing_notes", texts(3), none()),
                 optional("curiosity_queue", texts(5), none()),
                 optional("rationale_entries", list(rationale_shape(), 6), none()),
                 optional("related_documents", documents_shape()),
                 optional("relationship_model",
                          object({optional("trust_level",
                                           one_of({"low", "guarded", "normal", "high"}).or_null()),
                                  optional("preferred_style", texts(5), none()),
                                  optional("sensitivity_notes", texts(5), none())})
                              .called("ContinuityRelationshipModel")
                              .or_null()),
                 optional("retrieval_hints", object({optional("must_include", texts(8), none()),
                                                     optional("avoid", texts(8), none()),
                                                     optional("load_next", texts(8), none())})
                                                 .called("ContinuityRetrievalHints")
                                                 .or_null())})
      .called("ContinuityState");
}

Shape verification_shape() {
  return object({required("status", one_of({"unverified", "self_attested", "externally_supported",
                                            "user_confirmed", "peer_confirmed", "system_confirmed",
                                            "conflicted"})),
                 required("last_revalidated_at", text()),
                 required("strongest_signal", one_of(signal_kinds())),
                 optional("evidence_refs", texts(4), none()),
                 optional("conflict_summary", text(0, 240).or_null())})
      .called("ContinuityVerificationState");
}

}  // namespace

const std::vector<std::string>& subject_kinds() {
  static const std::vector<std::string> kinds = {"user", "peer", "thread", "task"};
  return kinds;
}

Shape subject_kind_shape() { return one_of(subject_kinds()); }

const std::vector<std::string>& signal_kinds() {
  static const std::vector<std::string> kinds = {"self_review", "external_observation",
                                                 "user_confirmation", "peer_confirmation",
                                                 "system_check"};
  return kinds;
}

int signal_strength(std::string_view kind) {
  if (kind == "external_observation") return 1;
  if (kind == "peer_confirmation") return 2;
  if (kind == "user_confirmation") return 3;
  return kind == "system_check" ? 4 : 0;
}

const Shape& capsule_shape() {
  static const Shape shape =
      object(
          {optional("schema_version", one_of({"1.0", "1.1"}), Value("1.1")),
           required("subject_kind", subject_kind_shape()), required("subject_id", text(1, 200)),
           required("updated_at", text()), required("verified_at", text()),
           required("source",
                    object({required("producer", text(1, 100)),
                            required("update_reason",
                                     one_of({"startup_refresh", "pre_compaction",
                                             "interaction_boundary", "manual", "migration"})),
                            optional("inputs", texts(12), none())})
                        .called("ContinuitySource")),
           required("continuity", state_shape()),
           required("confidence", object({required("continuity", number(0, 1)),
                                          required("relationship_model", number(0, 1))})
                                      .called("ContinuityConfidence")),
           optional("verification_kind", one_of(signal_kinds()).or_null()),
           optional("attention_policy",
                    object({optional("early_load", texts(8), none()),
                            optional("presence_bias_overrides", texts(5), none())})
                        .called("ContinuityAttentionPolicy")
                        .or_null()),
           optional(
               "freshness",
               object({optional(
                           "freshness_class",
                           one_of({"persistent", "durable", "situational", "ephemeral"}).or_null()),
                       optional("expires_at", text().or_null()),
                       optional("stale_after_seconds", integer(300, 31'536'000).or_null())})
                   .called("ContinuityFreshness")
                   .or_null()),
           optional("canonical_sources", texts(8), none()),
           optional("metadata", map(), Value::object()),
           optional("verification_state", verification_shape().or_null()),
           optional(
               "capsule_health",
               object({required("status", one_of({"healthy", "degraded", "conflicted"})),
                       optional("reasons", texts(5), none()), required("last_checked_at", text())})
                   .called("ContinuityCapsuleHealth")
                   .or_null()),
           optional("stable_preferences", list(preference_shape(), 12), none()),
           optional("thread_descriptor", descriptor_shape().or_null())})
          .called("ContinuityCapsule");
  return shape;
}

const Shape& snapshot_shape() {
  static const Shape shape =
      object({required("open_loops", texts(8)), required("top_priorities", texts(8)),
              required("active_constraints", texts(8)), required("stance_summary", text(0, 240)),
              optional("negative_decisions", list(decision_shape(), 4).or_null()),
              optional("session_trajectory", texts(5).or_null()),
              optional("rationale_entries", list(rationale_shape(), 6).or_null())})
          .called("SessionEndSnapshot");
  return shape;
}

const Shape& signal_shape() {
  static const Shape shape =
      object({required("kind", one_of(signal_kinds())), required("source_ref", text(1, 200)),
              required("observed_at", text()), required("summary", text(1, 240))})
          .called("ContinuityVerificationSignal");
  return shape;
}

const Shape& entry_shape(std::string_view list) {
  if (list == "negative_decisions") return decision_shape();
  if (list == "rationale_entries") return rationale_shape();
  return list == "stable_preferences" ? preference_shape() : anchor_shape();
}

}  // namespace holdfast::service::continuity
