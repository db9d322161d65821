#include "service/continuity/trim.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "service/continuity/document.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::array<const char*, 14> kOptional = {
    "metadata",
    "canonical_sources",
    "freshness",
    "attention_policy.presence_bias_overrides",
    "continuity.relationship_model.sensitivity_notes",
    "continuity.relationship_model.preferred_style",
    "continuity.retrieval_hints.avoid",
    "continuity.retrieval_hints.load_next",
    "continuity.trailing_notes",
    "continuity.curiosity_queue",
    "continuity.rationale_entries",
    "continuity.negative_decisions",
    "continuity.working_hypotheses",
    "stable_preferences"};

constexpr std::array<const char*, 5> kCoreLists = {
    "drift_signals", "open_loops", "active_constraints", "active_concerns", "top_priorities"};

bool remove_path(Value& capsule, std::string_view path) {
  const size_t dot = path.rfind('.');
  Value* owner = dot == std::string_view::npos ? &capsule : find_path(capsule, path.substr(0, dot));
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  if (owner == nullptr || owner->find(name) == nullptr) return false;
  remove_member(*owner, name);
  return true;
}

class Trimmer {
 public:
  Trimmer(const Value& capsule, int64_t tokens)
      : out_{.capsule = capsule}, tokens_(tokens), allowance_(std::max<int64_t>(1, tokens / 4)) {}

  std::optional<TrimmedCapsule> run() {
    for (const char* path : kOptional) {
      if (fits()) break;
      if (remove_path(out_.capsule, path)) out_.fields.emplace_back(path);
    }
    shrink_core();
    const Value& state = *out_.capsule.find("continuity");
    bool left = !text_of(state, "stance_summary").empty();
    for (const char* name : kCoreLists) left = left || !list_of(state, name).empty();
    if (!fits() || !left) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool fits() const { return tokens_of(out_.capsule) <= tokens_; }

  void shrink_core() {
    Value& state = *out_.capsule.find("continuity");
    if (Value* hints = state.find("retrieval_hints"); hints != nullptr && !fits())
      shrink_list(*hints, "must_include", "continuity.retrieval_hints.must_include", true);
    if (!fits()) shrink_relationship(state);
    if (!fits())
      shrink_list(state, "long_horizon_commitments", "continuity.long_horizon_commitments", true);
    if (!fits()) shrink_stance(state);
    for (const char* name : kCoreLists) {
      if (!fits()) shrink_list(state, name, std::string("continuity.") + name, false);
    }
  }

  void shrink_list(Value& owner, const char* name, const std::string& label, bool removable) {
    Value* list = owner.find(name);
    if (list == nullptr || !list->is_array()) return;
    bool dropped = false;
    while (!list->if_array()->empty() && tokens_of(*list) > allowance_) {
      list->if_array()->pop_back();
      dropped = true;
    }
    if (dropped) out_.fields.push_back(label);
    if (removable && list->if_array()->empty()) remove_member(owner, name);
  }

  void shrink_relationship(Value& state) {
    Value* model = state.find("relationship_model");
    if (model == nullptr || !model->is_object()) return;
    std::string name = "trust_level";
    if (present(*model, name) == nullptr) {
      name.clear();
      for (const auto& member : *model->if_object()) {
        if (name.empty() || member.name < name) name = member.name;
      }
    }
    if (!name.empty()) {
      remove_member(*model, name);
      out_.fields.push_back("continuity.relationship_model." + name);
    }
    if (model->if_object()->empty()) remove_member(state, "relationship_model");
  }

  void shrink_stance(Value& state) {
    const std::string stance = text_of(state, "stance_summary");
    const auto most = static_cast<size_t>(4 * allowance_);
    if (count_code_points(stance) <= most) return;
    state.set("stance_summary", std::string(prefix_code_points(stance, most - 3)) + "...");
    out_.fields.emplace_back("continuity.stance_summary");
  }

  TrimmedCapsule out_;
  const int64_t tokens_;
  const int64_t allowance_;
};

constexpr int64_t kNoTrustCost = 5;
constexpr int64_t kNoSalienceCost = 4;

}  // namespace

std::optional<TrimmedCapsule> trim_capsule(const Value& capsule, int64_t tokens) {
  return Trimmer(capsule, tokens).run();
}

Packed pack_capsule(const Value& capsule, const std::string& source_state, const SalienceKey& key,
                    int64_t rank, int64_t share, Timestamp now) {
  Packed packed;
  Value full = trust_signals(capsule, source_state, now);
  const int64_t full_cost = tokens_of(full);
  const int64_t compact_cost = tokens_of(compact_trust(full));
  const bool use_full = full_cost < share;
  const bool use_compact = !use_full && compact_cost < share;
  const int64_t cost = use_full ? full_cost : use_compact ? compact_cost : kNoTrustCost;
  const int64_t salience_cost = tokens_of(salience_block(key, 0));
  auto trimmed = trim_capsule(capsule, share - cost - salience_cost);
  bool salience = trimmed.has_value();
  if (!trimmed) {
    trimmed = trim_capsule(capsule, share - cost - kNoSalienceCost);
    if (!trimmed) return packed;
    packed.recovery.emplace_back("continuity_salience_omitted");
  }
  Value out = std::move(trimmed->capsule);
  out.set("source_state", source_state);
  full = trust_signals(capsule, source_state, now,
                       {.any = !trimmed->fields.empty(), .fields = trimmed->fields});
  if (use_full) {
    packed.trust = full;
    const int64_t new_cost = tokens_of(full);
    const int64_t own = tokens_of(out);
    const Value compact = compact_trust(full);
    if (new_cost > full_cost && own + new_cost > share && own + tokens_of(compact) <= share) {
      packed.trust = compact;
      packed.recovery.emplace_back("trust_signals_compact");
    }
  } else if (use_compact) {
    packed.trust = compact_trust(full);
    packed.recovery.emplace_back("trust_signals_compact");
  }
  out.set("trust_signals", packed.trust);
  if (salience && tokens_of(out) + salience_cost > share) {
    salience = false;
    packed.recovery.emplace_back("continuity_salience_omitted");
  }
  out.set("salience", salience ? salience_block(key, rank) : Value());
  packed.capsule = std::move(out);
  return packed;
}

}  // namespace holdfast::service::continuity
