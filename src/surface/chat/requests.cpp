#include "surface/chat/requests.h"

#include <algorithm>

#include "base/utf8.h"
#include "surface/chat/field_lengths.h"
#include "surface/chat/names.h"
#include "wire/reading.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::BlockScope;
using service::chat::BlockSource;
using service::chat::Support;
using wire::each;
using wire::items;
using wire::length;
using wire::max_length;
using wire::one_of;
using wire::range;
using wire::Reading;
using wire::Schema;

Schema<PinnedContext> pinned_schema() {
  return Schema<PinnedContext>()
      .required("id", &PinnedContext::id, length(1, 256))
      .required("version", &PinnedContext::version, length(1, 256))
      .required("hash", &PinnedContext::hash, length(1, 256));
}

Schema<BlockRef> ref_schema() {
  return Schema<BlockRef>()
      .required("id", &BlockRef::id, id_length())
      .required("version", &BlockRef::version, id_length());
}

// A proposal that nobody approved must not be applied.
void need_approval(const InlineBlock& block, wire::Checks& checks, const char* member) {
  if (block.source == BlockSource::kAssistantProposed && !block.approved_at)
    checks.add(member, wire::rule::kRequired, {});
}

Schema<InlineBlock> inline_schema() {
  return Schema<InlineBlock>()
      .required("id", &InlineBlock::id, id_length())
      .required("version", &InlineBlock::version, id_length())
      .required("definition", &InlineBlock::definition, length(1, 100'000), wire::no_echo())
      .optional("title", &InlineBlock::title, length(1, 200))
      .optional("scope", &InlineBlock::scope)
      .optional("source", &InlineBlock::source)
      .optional("approved_at", &InlineBlock::approved_at)
      .optional("created_at", &InlineBlock::created_at)
      .optional("thread_id", &InlineBlock::thread_id, id_length())
      .optional("notes", &InlineBlock::notes, max_length(2000))
      .check([](const InlineBlock& block, wire::Checks& checks) {
        need_approval(block, checks, "approved_at");
      });
}

Schema<InlineBlock> flat_inline_schema() {
  return Schema<InlineBlock>()
      .required("id", &InlineBlock::id, id_length())
      .required("version", &InlineBlock::version, id_length())
      .required("title", &InlineBlock::title, length(1, 200))
      .required("scope", &InlineBlock::scope)
      .required("definition", &InlineBlock::definition, length(1, 100'000), wire::no_echo())
      .required("source", &InlineBlock::source)
      .required("approvedAt", &InlineBlock::approved_at)
      .optional("threadId", &InlineBlock::thread_id, id_length())
      .optional("notes", &InlineBlock::notes, max_length(2000));
}

Schema<TraceConfig> trace_schema() {
  return Schema<TraceConfig>().optional("level", &TraceConfig::level,
                                        "debug shows the events of the run.");
}

Schema<TraceConfig> flat_trace_schema() {
  return Schema<TraceConfig>()
      .optional("level", &TraceConfig::level)
      .optional("forceEvidence", &TraceConfig::force_evidence);
}

void read_domain(const Value& value, std::vector<std::string>& out, Reading& reading) {
  const std::string* text = value.if_string();
  if (text == nullptr) return reading.add(wire::rule::kType, {{"expected", "string"}});
  if (text->empty()) return reading.add(wire::rule::kLengthMin, {{"min", "1"}});
  if (count_code_points(*text) > 64) return reading.add(wire::rule::kLengthMax, {{"max", "64"}});
  out.push_back(*text);
}

// A domain, or several.
void read_scope(const Value& value, std::vector<std::string>& out, Reading& reading) {
  if (value.is_string()) return read_domain(value, out, reading);
  const Value::Array* domains = value.if_array();
  if (domains == nullptr) return reading.add(wire::rule::kType, {{"expected", "string or array"}});
  if (domains->empty()) return reading.add(wire::rule::kItemsMin, {{"min", "1"}});
  if (domains->size() > 10) return reading.add(wire::rule::kItemsMax, {{"max", "10"}});
  for (size_t i = 0; i < domains->size(); ++i) {
    const wire::Place place(reading, i);
    read_domain((*domains)[i], out, reading);
  }
}

Schema<Retrieval> retrieval_schema() {
  return Schema<Retrieval>()
      .required("domain_scope", &Retrieval::domain_scope,
                wire::read_by<std::vector<std::string>>(
                    read_scope, Value::object({{"type", Value::array({"string", "array"})}})),
                "all, none, thread, a domain, or several of these.")
      .required("max_items", &Retrieval::max_items, range(0, 100), "0: no memories.")
      .required("per_item_max_summary_tokens", &Retrieval::per_item_max_summary_tokens,
                range(1, 4000), "How long each summary may be.");
}

Schema<Support> support_schema() {
  return Schema<Support>()
      .required("support_id", &Support::support_id, id_length())
      .required("source_type", &Support::source_type, id_length())
      .required("source_uri", &Support::source_uri, length(0, 2048))
      .required("excerpt", &Support::excerpt, length(1, 10'000), wire::no_echo())
      .optional("capture_id", &Support::capture_id, id_length());
}

Schema<Claim> claim_schema() {
  return Schema<Claim>()
      .required("claim_id", &Claim::claim_id, id_length())
      .required("claim_text", &Claim::claim_text, length(1, 2000), wire::no_echo())
      .required("support", &Claim::support, items(0, 20), each(support_schema()));
}

Schema<EvidenceMap> evidence_schema() {
  return Schema<EvidenceMap>().required("claim_map", &EvidenceMap::claim_map, items(0, 50),
                                        each(claim_schema()));
}

Schema<Packet> packet_schema() {
  return Schema<Packet>()
      .required("packet_id", &Packet::packet_id, id_length())
      .required("packet_type", &Packet::packet_type, one_of({"chat"}))
      .required("message_ids", &Packet::message_ids, items(0, 50), each(id_length()))
      .optional("checkpoint_ids", &Packet::checkpoint_ids, items(0, 20), each(id_length()))
      .required("pinned_context_ref", &Packet::pinned, pinned_schema())
      .optional("driver_block_refs", &Packet::refs, items(0, 100), each(ref_schema()),
                "Blocks of the server's registry; the first 10 apply.")
      .optional("driver_block_inline", &Packet::carried, items(0, 50), each(inline_schema()),
                "Blocks of the user's own; the first 5 apply.")
      .optional("trace_config", &Packet::trace_config, trace_schema())
      .required("retrieval_config", &Packet::retrieval, retrieval_schema())
      .optional("evidence", &Packet::evidence, evidence_schema());
}

Schema<ScopeGuard> guard_schema() {
  return Schema<ScopeGuard>().optional("avoid_topics", &ScopeGuard::avoid_topics, items(0, 20),
                                       each(length(1, 100)));
}

Schema<FactBlock> fact_schema() {
  return Schema<FactBlock>()
      .optional("primary_arc", &FactBlock::primary_arc, max_length(500))
      .optional("decisions", &FactBlock::decisions, items(0, 20), each(length(1, 500)))
      .optional("next", &FactBlock::next, items(0, 20), each(length(1, 500)))
      .optional("scope_guard", &FactBlock::scope_guard, guard_schema());
}

Schema<HistoryEntry> history_schema() {
  return Schema<HistoryEntry>()
      .required("role", &HistoryEntry::role)
      .required("content", &HistoryEntry::content, length(1, 20'000), wire::no_echo())
      .optional("message_id", &HistoryEntry::message_id, id_length())
      .optional("created_at", &HistoryEntry::created_at);
}

Schema<Context> context_schema() {
  return Schema<Context>()
      .required("capsule_summary", &Context::capsule_summary, max_length(8000), wire::no_echo())
      .optional("cfb_inference", &Context::facts, fact_schema())
      .required("history", &Context::history, items(0, 100), each(history_schema()),
                "Oldest first; the newest 20 are considered.");
}

Schema<Budgets> budget_schema() {
  return Schema<Budgets>()
      .required("max_input_tokens", &Budgets::max_input_tokens, range(1, 1'000'000))
      .required("max_output_tokens", &Budgets::max_output_tokens, range(1, 100'000))
      .required("max_regenerations", &Budgets::max_regenerations, range(0, 10))
      .optional("max_tool_steps", &Budgets::max_tool_steps, range(0, 100), "Accepted, no effect.");
}

wire::FieldOption an_object() {
  return wire::rule_of(
      [](const Value& value, Reading& reading) {
        if (!value.is_object()) reading.add(wire::rule::kType, {{"expected", "object"}});
      },
      [](Value& schema) { schema.set("type", "object"); });
}

Schema<ProviderHints> hints_schema() {
  return Schema<ProviderHints>()
      .optional("model", &ProviderHints::model)
      .optional("tier", &ProviderHints::tier, one_of({"nano", "mini", "full"}));
}

Schema<FlatEvidence> flat_evidence_schema() {
  return Schema<FlatEvidence>()
      .optional("captures", &FlatEvidence::captures, items(0, 25), each(an_object()))
      .optional("supports", &FlatEvidence::supports, items(0, 50), each(an_object()))
      .optional("claims", &FlatEvidence::claims, items(0, 50), each(an_object()));
}

Schema<FlatContext> flat_context_schema() {
  return Schema<FlatContext>().optional("thread_memento", &FlatContext::thread_memento,
                                        an_object());
}

}  // namespace

const Schema<CanonicalRequest>& canonical_schema() {
  static const Schema<CanonicalRequest> schema =
      Schema<CanonicalRequest>()
          .required("request_id", &CanonicalRequest::request_id, id_length(),
                    "Stable across retries: a repetition gets the same answer.")
          .optional("user_id", &CanonicalRequest::user_id, id_length())
          .optional("device_id", &CanonicalRequest::device_id, id_length())
          .required("thread_id", &CanonicalRequest::thread_id, id_length())
          .required("user_message_id", &CanonicalRequest::message_id, id_length(),
                    wire::alias("message_id"))
          .required("packet", &CanonicalRequest::packet, packet_schema())
          .required("context", &CanonicalRequest::context, context_schema())
          .required("input_text", &CanonicalRequest::input_text, length(1, 20'000),
                    wire::not_blank(), wire::no_echo(), "The message to answer.")
          .required("budgets", &CanonicalRequest::budgets, budget_schema());
  return schema;
}

const Schema<FlatRequest>& flat_schema() {
  static const Schema<FlatRequest> schema =
      Schema<FlatRequest>()
          .required("threadId", &FlatRequest::thread_id, wire::min_length(1))
          .required("message", &FlatRequest::message, length(1, 20'000), wire::not_blank(),
                    wire::no_echo())
          .optional("packetType", &FlatRequest::packet_type, one_of({"chat"}))
          .optional("clientRequestId", &FlatRequest::request_id, wire::min_length(1))
          .optional("notification_policy", &FlatRequest::notification_policy,
                    one_of({"silent", "muted", "alert", "urgent"}))
          .optional("simulate", &FlatRequest::simulate)
          .optional("traceConfig", &FlatRequest::trace_config, flat_trace_schema())
          .optional("providerHints", &FlatRequest::provider_hints, hints_schema())
          .optional("driverBlockRefs", &FlatRequest::refs, each(ref_schema()))
          .optional("driverBlockInline", &FlatRequest::carried, each(flat_inline_schema()))
          .optional("evidence", &FlatRequest::evidence, flat_evidence_schema())
          .optional("thread_context_mode", &FlatRequest::thread_context_mode,
                    one_of({"off", "auto"}))
          .optional("context", &FlatRequest::context, flat_context_schema())
          .optional("meta", &FlatRequest::meta, an_object());
  return schema;
}

}  // namespace holdfast::surface::chat
