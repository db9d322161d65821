// From what was sent to the run that it asks for.
#include "surface/chat/requests.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::Dialect;
using service::chat::Support;

constexpr size_t kConsideredHistory = 20;

std::string text_member(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  const std::string* text = member != nullptr ? member->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

// Supports of the flat dialect's evidence, as far as they carry an excerpt.
std::vector<Support> flat_supports(const FlatEvidence& evidence) {
  std::vector<Support> supports;
  for (const Value& entry : evidence.supports) {
    Support support{.support_id = text_member(entry, "supportId"),
                    .excerpt = text_member(entry, "snippetText")};
    if (!support.excerpt.empty()) supports.push_back(std::move(support));
  }
  return supports;
}

}  // namespace

ChatRun run_of(const CanonicalRequest& request) {
  ChatRun run{.request_id = request.request_id,
              .thread_id = request.thread_id,
              .message_id = request.message_id,
              .input_text = request.input_text,
              .pinned = request.packet.pinned,
              .refs = request.packet.refs,
              .carried = request.packet.carried,
              .level = request.packet.trace_config.level,
              .retrieval = request.packet.retrieval,
              .around = {.capsule_summary = request.context.capsule_summary,
                         .primary_arc = request.context.facts.primary_arc,
                         .decisions = request.context.facts.decisions,
                         .next = request.context.facts.next,
                         .avoid_topics = request.context.facts.scope_guard.avoid_topics,
                         .history = request.context.history},
              .budgets = request.budgets};
  std::vector<HistoryEntry>& history = run.around.history;
  if (history.size() > kConsideredHistory) {
    history.erase(history.begin(), history.end() - kConsideredHistory);
    run.input_trimmed = true;
  }
  for (const Claim& claim : request.packet.evidence.claim_map) {
    run.around.evidence.insert(run.around.evidence.end(), claim.support.begin(),
                               claim.support.end());
  }
  return run;
}

ChatRun run_of(const FlatRequest& request) {
  return {
      .dialect = Dialect::kFlat,
      .request_id = request.request_id,
      .thread_id = request.thread_id,
      .message_id = text_member(request.meta, "message_id"),
      .input_text = request.message,
      .refs = request.refs,
      .carried = request.carried,
      .level = request.trace_config.level,
      .retrieval = {.domain_scope = {"all"}, .max_items = 6, .per_item_max_summary_tokens = 200},
      .around = {.evidence = flat_supports(request.evidence)},
      .evidence_counts = {.captures = request.evidence.captures.size(),
                          .supports = request.evidence.supports.size(),
                          .claims = request.evidence.claims.size()},
      .budgets = {.max_input_tokens = 32'000, .max_output_tokens = 2000, .max_regenerations = 1},
      .notification_policy = request.notification_policy,
      .forced_persona = text_member(request.meta, "forced_persona"),
      .simulate = request.simulate};
}

}  // namespace holdfast::surface::chat
