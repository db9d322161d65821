// What clients send to POST /v1/chat, in both dialects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/codec.h"
#include "service/chat/chat_types.h"
#include "wire/schema.h"

namespace holdfast::surface::chat {

using service::chat::BlockRef;
using service::chat::Budgets;
using service::chat::ChatRun;
using service::chat::Claim;
using service::chat::HistoryEntry;
using service::chat::InlineBlock;
using service::chat::PinnedContext;
using service::chat::Retrieval;
using service::chat::TraceLevel;

struct TraceConfig {
  TraceLevel level = TraceLevel::kInfo;
  bool force_evidence = false;
};

struct EvidenceMap {
  std::vector<Claim> claim_map = {};
};

struct Packet {
  std::string packet_id = {};
  std::string packet_type = {};
  std::vector<std::string> message_ids = {};
  std::vector<std::string> checkpoint_ids = {};
  PinnedContext pinned = {};
  std::vector<BlockRef> refs = {};
  std::vector<InlineBlock> carried = {};
  TraceConfig trace_config = {};
  Retrieval retrieval = {};
  EvidenceMap evidence = {};
};

struct ScopeGuard {
  std::vector<std::string> avoid_topics = {};
};

struct FactBlock {
  std::string primary_arc = {};
  std::vector<std::string> decisions = {};
  std::vector<std::string> next = {};
  ScopeGuard scope_guard = {};
};

struct Context {
  std::string capsule_summary = {};
  FactBlock facts = {};
  std::vector<HistoryEntry> history = {};
};

struct CanonicalRequest {
  std::string request_id = {};
  std::string user_id = {};
  std::string device_id = {};
  std::string thread_id = {};
  std::string message_id = {};
  Packet packet = {};
  Context context = {};
  std::string input_text = {};
  Budgets budgets = {};
};

// Hints that nothing here follows yet; they are read to be judged.
struct ProviderHints {
  std::string model = {};
  std::string tier = {};
};

struct FlatEvidence {
  std::vector<Value> captures = {};
  std::vector<Value> supports = {};
  std::vector<Value> claims = {};
};

struct FlatContext {
  Value thread_memento = {};
};

struct FlatRequest {
  std::string thread_id = {};
  std::string message = {};
  std::string packet_type = "chat";
  std::string request_id = {};
  std::string notification_policy = {};
  bool simulate = false;
  TraceConfig trace_config = {};
  ProviderHints provider_hints = {};
  std::vector<BlockRef> refs = {};
  std::vector<InlineBlock> carried = {};
  FlatEvidence evidence = {};
  std::string thread_context_mode = "auto";
  FlatContext context = {};
  Value meta = {};
};

const wire::Schema<CanonicalRequest>& canonical_schema();
const wire::Schema<FlatRequest>& flat_schema();

// The run that a request asks for, its user left open.
ChatRun run_of(const CanonicalRequest& request);
ChatRun run_of(const FlatRequest& request);

}  // namespace holdfast::surface::chat
