#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/retrieve_service.h"
#include "service/continuity/state_answer.h"
#include "service/continuity/trim.h"

namespace holdfast::service::continuity {
namespace {

// A selector: what was found for it and what is to be said about it.
struct Candidate {
  Subject subject = {};
  std::string stem = {};
  std::string source_state = "active";
  Value capsule = {};
  SalienceKey key = {};
  std::vector<std::string> warnings = {};
  std::vector<std::string> recovery = {};
  bool unhealthy = false;  // too much so for the caller's policy
  bool ranked = false;     // it may be returned
  bool kept = false;       // it will be, if it fits
};

class StateBuilder {
 public:
  StateBuilder(const Request& request, const Access& access, storage::ReadTxn& txn, Timestamp now)
      : request_(request),
        access_(access),
        txn_(txn),
        now_(now),
        several_(!list_of(request.args, "continuity_selectors").empty()),
        prefer_active_(request.text("continuity_resilience_policy") == "prefer_active"),
        prefer_healthy_(request.text("continuity_verification_policy") == "prefer_healthy"),
        require_healthy_(request.text("continuity_verification_policy") == "require_healthy") {}

  Result<Value> build(AccessTrail& trail) {
    const std::string mode = request_.text("continuity_mode");
    if (mode == "off") return answer();
    HOLDFAST_CHECK_OK(select());
    if (subjects_.empty()) return nothing(mode);
    for (const Subject& subject : subjects_) HOLDFAST_CHECK_OK(load(subject));
    rank();
    omit();
    gather();
    pack(trail);
    if (out_.capsules.if_array()->empty()) return nothing(mode);
    return answer();
  }

 private:
  std::string tagged(std::string_view word, const Subject& subject) const {
    return several_ ? fmt::format("{}:{}", word, subject.name()) : std::string(word);
  }

  size_t most() const {
    return static_cast<size_t>(integer_of(request_.args, "continuity_max_capsules", 1));
  }

  Status select() {
    subjects_ = selected_subjects(request_);
    if (subjects_.empty()) {
      const bool kind = !request_.text("subject_kind").empty();
      const bool id = !request_.text("subject_id").empty();
      if (kind != id) return bad_request("subject_kind and subject_id must be provided together");
      infer();
    }
    for (const Subject& subject : subjects_) out_.requested.push_back(subject.name());
    // Where health or source decide the ranking, they decide the cut too.
    if (!prefer_active_ && !prefer_healthy_) {
      while (subjects_.size() > most()) {
        out_.cut.insert(out_.cut.begin(), subjects_.back().name());
        subjects_.pop_back();
      }
    }
    return {};
  }

  void infer() {
    const std::string task(trim_space(request_.text("task")));
    for (const char* kind : {"task", "thread"}) {
      const std::string prefix = std::string(kind) + ":";
      if (!task.starts_with(prefix) || task.find('\n') != std::string::npos) continue;
      const std::string id(trim_space(std::string_view(task).substr(prefix.size())));
      if (id.empty()) continue;
      subjects_ = {{.kind = kind, .id = id}};
      inferred_ = true;
    }
  }

  Status load(const Subject& subject) {
    Candidate& candidate = candidates_.emplace_back(Candidate{.subject = subject});
    HOLDFAST_TRY(candidate.stem, find_stem(txn_, access_, subject));
    if (!may_read(request_.call, active_path(candidate.stem))) {
      candidate.recovery = {tagged("continuity_active_missing", subject) + " (owner only)"};
      return {};
    }
    HOLDFAST_TRY(auto active, load_active(txn_, access_, subject));
    if (active && active->valid()) {
      candidate.capsule = std::move(active->stored.capsule);
    } else {
      HOLDFAST_CHECK_OK(load_snapshot(active ? active->problem : "", candidate));
    }
    if (!candidate.capsule.is_null()) judge(candidate);
    return {};
  }

  // `problem`: why the active capsule cannot be read; empty where there is none.
  Status load_snapshot(const std::string& problem, Candidate& candidate) {
    const Subject& subject = candidate.subject;
    candidate.recovery = {tagged(
        problem.empty() ? "continuity_active_missing" : "continuity_active_invalid", subject)};
    if (request_.text("continuity_resilience_policy") == "require_active") return {};
    if (!may_read(request_.call, fallback_path(candidate.stem))) {
      candidate.recovery.push_back(tagged("continuity_fallback_missing", subject) +
                                   " (owner only)");
      return {};
    }
    HOLDFAST_TRY(auto fallback, load_fallback(txn_, access_, subject));
    if (fallback && fallback->valid()) {
      candidate.recovery.push_back(tagged("continuity_fallback_used", subject));
      candidate.source_state = "fallback";
      candidate.capsule = std::move(fallback->stored.capsule);
      return {};
    }
    if (problem.empty()) {
      candidate.recovery.push_back(tagged("continuity_fallback_missing", subject));
      return {};
    }
    if (!several_) return bad_request("Invalid continuity capsule: " + problem);
    candidate.warnings.push_back(tagged("continuity_invalid_capsule", subject));
    return {};
  }

  // Documents, succession, freshness and health; what fails here is omitted.
  void judge(Candidate& candidate) {
    std::vector<std::string> left_out;
    candidate.capsule = shown(candidate.capsule, left_out);
    for (const std::string& word : left_out)
      candidate.recovery.push_back(tagged(word, candidate.subject));
    warn_superseded(candidate.capsule, candidate.subject, candidate.recovery);
    const Freshness freshness = freshness_of(candidate.capsule, now_);
    if (freshness.severity > 0) {
      const char* word = freshness.severity == 1   ? "continuity_stale_soft"
                         : freshness.severity == 2 ? "continuity_stale_hard"
                                                   : "continuity_expired";
      candidate.warnings.push_back(tagged(word, candidate.subject));
    }
    const bool fresh = freshness.severity < 3;
    candidate.unhealthy =
        fresh && require_healthy_ && health_status(candidate.capsule) != "healthy";
    candidate.ranked = fresh && !candidate.unhealthy;
    candidate.key = salience_of(candidate.capsule, candidate.subject, now_);
  }

  void rank() {
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].ranked) order_.push_back(i);
    }
    std::ranges::sort(order_, [&](size_t left, size_t right) {
      const auto place = [&](const Candidate& one) {
        return std::tuple(prefer_active_ && one.source_state != "active",
                          prefer_healthy_ ? one.key.health : 0, one.key);
      };
      return place(candidates_[left]) < place(candidates_[right]);
    });
    for (size_t i = 0; i < std::min(order_.size(), most()); ++i) candidates_[order_[i]].kept = true;
  }

  // In the order of the stages: not found or not fresh, then not healthy, then without a place.
  void omit() {
    const auto add = [&](const Candidate& one) { out_.omitted.push_back(one.subject.name()); };
    for (const Candidate& one : candidates_) {
      if (!one.ranked && !one.unhealthy) add(one);
    }
    for (const Candidate& one : candidates_) {
      if (one.unhealthy) add(one);
    }
    for (const size_t at : order_) {
      if (!candidates_[at].kept) add(candidates_[at]);
    }
    std::erase_if(order_, [&](size_t at) { return !candidates_[at].kept; });
  }

  // Warnings in the order of the request; a capsule that lost its place leaves none.
  void gather() {
    for (const Candidate& one : candidates_) {
      if (one.ranked && !one.kept) continue;
      out_.warnings.insert(out_.warnings.end(), one.warnings.begin(), one.warnings.end());
      out_.recovery.insert(out_.recovery.end(), one.recovery.begin(), one.recovery.end());
      out_.fallback_used = out_.fallback_used || one.source_state == "fallback";
    }
  }

  void pack(AccessTrail& trail) {
    const int64_t reserve = integer_of(request_.args, "max_tokens_estimate", 12'000);
    const auto count = static_cast<int64_t>(order_.size());
    for (int64_t i = 0; i < count; ++i) {
      const Candidate& one = candidates_[order_[static_cast<size_t>(i)]];
      const int64_t share = reserve / count + (i < reserve % count ? 1 : 0);
      Packed packed = pack_capsule(one.capsule, one.source_state, one.key,
                                   static_cast<int64_t>(out_.keys.size()), share, now_);
      if (packed.capsule.is_null()) {
        out_.warnings.push_back(several_
                                    ? "continuity_capsule_truncated_to_zero:" + one.subject.name()
                                    : "continuity_truncated_to_zero");
        out_.omitted.push_back(one.subject.name());
        continue;
      }
      for (const std::string& word : packed.recovery)
        out_.recovery.push_back(tagged(word, one.subject));
      const std::string health = health_status(one.capsule);
      if (health != "healthy") out_.warnings.push_back(tagged("continuity_" + health, one.subject));
      out_.used += tokens_of(packed.capsule);
      out_.keys.push_back(one.key);
      if (!request_.looking) trail.note(access_.space(), one.stem, now_);
      if (!packed.trust.is_null()) out_.trust.push_back(packed.trust);
      out_.selection.push_back((inferred_ ? "inferred:" : "explicit:") + one.subject.name());
      out_.capsules.push(std::move(packed.capsule));
    }
  }

  Result<Value> nothing(const std::string& mode) {
    if (mode == "required") return absent(std::string(kCapsuleMissing));
    return answer();
  }

  Value answer() {
    out_.budget = integer_of(request_.args, "max_tokens_estimate", 12'000);
    return out_.value();
  }

  const Request& request_;
  const Access& access_;
  storage::ReadTxn& txn_;
  const Timestamp now_;
  const bool several_;
  const bool prefer_active_;
  const bool prefer_healthy_;
  const bool require_healthy_;
  std::vector<Subject> subjects_ = {};
  bool inferred_ = false;
  std::vector<Candidate> candidates_ = {};
  std::vector<size_t> order_ = {};
  StateAnswer out_ = {};
};

}  // namespace

Result<Value> continuity_state(const Request& request, const Access& access, storage::ReadTxn& txn,
                               AccessTrail& trail, Timestamp now) {
  return StateBuilder(request, access, txn, now).build(trail);
}

}  // namespace holdfast::service::continuity
