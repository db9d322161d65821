#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/recall/barrier.h"
#include "service/recall/prepare.h"
#include "surface/recall/render.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): shows them all

constexpr size_t kNoteLength = 500;
constexpr size_t kMostEvidence = 20;

Value evidence_value(const Evidence& about) {
  return Value::object({{"source_item_id", about.source_item_id},
                        {"source_type", about.source_type},
                        {"source_id", about.source_id},
                        {"occurred_at", or_null(about.occurred_at)},
                        {"actor_ref", or_null(about.actor_ref)},
                        {"agent_ref", or_null(about.agent_ref)},
                        {"role", or_null(about.role)},
                        {"container_ref", or_null(about.container_ref)},
                        {"thread_ref", or_null(about.thread_ref)},
                        {"source_ref", or_null(about.source_ref)},
                        {"artifact_kind", or_null(about.artifact_kind)},
                        {"visibility", enum_name(about.visibility)}});
}

Value evidence_of(const Candidate& candidate) {
  Value out = Value::array();
  if (!candidate.is_memory()) {
    out.push(evidence_value(candidate.item.about));
    return out;
  }
  std::vector<Evidence> all = candidate.memory->evidence;
  std::ranges::stable_sort(
      all, [](const Evidence& a, const Evidence& b) { return moment_of(a) < moment_of(b); });
  if (all.size() > kMostEvidence) all.resize(kMostEvidence);
  for (const Evidence& evidence : all) out.push(evidence_value(evidence));
  return out;
}

Value source_value(const Candidate& candidate) {
  const Evidence& about = candidate.item.about;
  return Value::object({{"result_id", candidate.result_id()},
                        {"result_kind", "source_hit"},
                        {"score", candidate.score},
                        {"type", Value()},
                        {"memory_object_id", Value()},
                        {"payload", Value()},
                        {"source_item_id", about.source_item_id},
                        {"source_type", about.source_type},
                        {"source_id", about.source_id},
                        {"excerpt", excerpt_of(shown_content(candidate.item))},
                        {"occurred_at", or_null(about.occurred_at)},
                        {"role", or_null(about.role)},
                        {"artifact_kind", or_null(about.artifact_kind)},
                        {"source_ref", or_null(about.source_ref)},
                        {"actor_ref", or_null(about.actor_ref)},
                        {"agent_ref", or_null(about.agent_ref)},
                        {"container_ref", or_null(about.container_ref)},
                        {"thread_ref", or_null(about.thread_ref)},
                        {"visibility", enum_name(about.visibility)},
                        {"retrieval_source", retrieval_of(candidate)},
                        {"evidence", evidence_of(candidate)}});
}

Value result_value(const Candidate& candidate) {
  if (!candidate.is_memory()) return source_value(candidate);
  const Memory& memory = *candidate.memory;
  Value out = Value::object({{"result_id", candidate.result_id()},
                             {"result_kind", "memory_hit"},
                             {"score", candidate.score},
                             {"type", memory.type},
                             {"memory_object_id", memory.id},
                             {"payload", public_payload(memory)}});
  for (const std::string_view name : {"source_item_id", "source_type", "source_id", "excerpt",
                                      "occurred_at", "role", "artifact_kind", "source_ref"})
    out.set(name, Value());
  out.set("actor_ref", or_null(memory.actor_ref));
  out.set("agent_ref", Value());
  out.set("container_ref", memory.container_ref);
  out.set("thread_ref", or_null(memory.thread_ref));
  out.set("visibility", enum_name(memory.visibility));
  out.set("retrieval_source", retrieval_of(candidate));
  out.set("evidence", evidence_of(candidate));
  return out;
}

std::string with_reason(const std::string& text, const std::string& reason) {
  if (reason.empty()) return text + ".";
  std::string shown = lower_first(reason);
  for (const std::string_view verb : {"avoid", "prevent"}) {
    const std::string start = fmt::format("to {} ", verb);
    if (shown.starts_with(start)) shown = fmt::format("{}s {}", verb, shown.substr(start.size()));
  }
  return text + " — " + shown + ".";
}

std::string findings_of(const Memory& memory) {
  const Value* value = memory.payload.find("key_findings");
  const auto* elements = value != nullptr ? value->if_array() : nullptr;
  if (elements == nullptr || elements->empty()) return {};
  std::string out;
  for (size_t i = 0; i < elements->size() && i < 2; ++i) {
    if (const std::string* text = (*elements)[i].if_string())
      out += (out.empty() ? "" : "; ") + *text;
  }
  if (elements->size() > 2) out += fmt::format(" [+{} more]", elements->size() - 2);
  return out;
}

std::string checkpoint_text(const Memory& memory) {
  std::string out;
  std::vector<std::string> said;
  const auto add = [&](std::string_view name, const std::string& text) {
    if (text.empty() || std::ranges::find(said, without_stop(text)) != said.end()) return;
    said.push_back(without_stop(text));
    out += fmt::format("{}{}: {}.", out.empty() ? "" : " ", name, without_stop(text));
  };
  add("Blocker", text_of(memory, "blocker_state"));
  add("Current state", text_of(memory, "current_state"));
  add("Next step", text_of(memory, "next_step"));
  add("Findings", findings_of(memory));
  return out;
}

std::string note_text(const std::string& content) {
  if (count_code_points(content) <= kNoteLength) return content;
  const std::string_view head = prefix_code_points(content, kNoteLength);
  const size_t blank = head.find_last_of(' ');
  return std::string(blank == std::string_view::npos ? head : head.substr(0, blank)) + "...";
}

bool has_list(const Memory& memory, std::string_view name) {
  const Value* value = memory.payload.find(name);
  return value != nullptr && value->if_array() != nullptr && !value->if_array()->empty();
}

bool can_expand(const Candidate& candidate) {
  if (!candidate.is_memory()) return false;
  const Memory& memory = *candidate.memory;
  if (memory.type == type::kNote)
    return count_code_points(text_of(memory, "content")) > kNoteLength;
  for (const std::string_view name :
       {"decision_evidence_text", "investigation_evidence_text", "evidence_context"}) {
    if (!text_of(memory, name).empty()) return true;
  }
  return has_list(memory, "key_findings") || has_list(memory, "conclusions") ||
         has_list(memory, "supporting_memory_ids") || has_list(memory, "fact_ids");
}

std::string title_of(const Candidate& candidate) {
  if (candidate.is(type::kNote)) return "note: " + text_of(*candidate.memory, "title");
  return std::string(candidate.layer());
}

Value block_value(const Candidate& candidate) {
  const bool memory = candidate.is_memory();
  return Value::object({{"result_id", candidate.result_id()},
                        {"block_type", memory ? "memory_hit" : "source_hit"},
                        {"title", title_of(candidate)},
                        {"text", block_text(candidate)},
                        {"memory_type", memory ? Value(candidate.memory->type) : Value()},
                        {"memory_object_id", memory ? Value(candidate.memory->id) : Value()},
                        {"expand_available", can_expand(candidate)},
                        {"evidence", evidence_of(candidate)}});
}

std::string memory_text(const Memory& memory) {
  if (memory.type == type::kDecision || memory.type == type::kOutcome)
    return with_reason(headline(memory), text_of(memory, "rationale_text"));
  if (memory.type == type::kCheckpoint) return checkpoint_text(memory);
  if (memory.type == type::kNote) return note_text(text_of(memory, "content"));
  if (memory.type == type::kContinuity)
    return "Q: " + text_of(memory, "continuity_question") +
           "\nA: " + text_of(memory, "carry_forward_answer");
  return headline(memory);
}

}  // namespace

Value retrieval_of(const Candidate& candidate) {
  if (candidate.lexical) return candidate.similarity ? "fused" : "lexical";
  return candidate.similarity ? Value("vector") : Value();
}

Value public_payload(const Memory& memory) {
  Value out = Value::object();
  for (const Value::Member& member : *memory.payload.if_object()) {
    if (member.name == "semantic_provenance" || member.name == "retrieval_enrichment" ||
        member.name.starts_with('_'))
      continue;
    out.set(member.name, member.value);
  }
  if (memory.type != type::kNote) remove_secrets(out);
  return out;
}

std::string block_text(const Candidate& candidate) {
  if (!candidate.is_memory()) return excerpt_of(shown_content(candidate.item));
  const Memory& memory = *candidate.memory;
  return shown_text(memory, memory_text(memory));
}

Value query_value(const Run& run) {
  Value results = Value::array();
  for (const Candidate* candidate : run.results) {
    Value result = result_value(*candidate);
    if (run.query.source_only) result.set("raw_rank", results.if_array()->size() + 1);
    results.push(std::move(result));
  }
  Value blocks = Value::array();
  for (const Candidate* candidate : run.blocks) blocks.push(block_value(*candidate));
  return Value::object({{"results", std::move(results)},
                        {"should_inject", run.injects()},
                        {"decision_reason", run.reason},
                        {"injectable_blocks", std::move(blocks)},
                        {"lookup_event_id", Value()}});
}

}  // namespace holdfast::surface::recall
