// What the memory, usage and transmission routes are called, take and answer.
#pragma once

#include "service/chat/transmission_service.h"
#include "surface/chat/memory_operations.h"
#include "surface/chat/requests.h"
#include "wire/operation.h"

namespace holdfast::surface::chat {

struct PageAnswer {
  service::chat::MemoryPage page = {};
  std::string request_id = {};
};

struct ShownAnswer {
  service::chat::ShownMemory shown = {};
  std::string request_id = {};
};

const wire::Operation<CreateBody, service::chat::CreatedMemory>& create_memory();
const wire::Operation<ListQuery, PageAnswer>& list_memories();
const wire::Operation<MemoryPath, ShownAnswer>& get_memory();
const wire::Operation<PatchBody, service::chat::PatchedMemory>& patch_memory();
const wire::Operation<MemoryPath, wire::Nothing>& delete_memory();
const wire::Operation<BatchDeleteBody, service::chat::DeletedMany>& batch_delete();
const wire::Operation<ClearBody, service::chat::DeletedMany>& clear_all();
const wire::Operation<DistillBody, service::chat::DistillAccepted>& distill();
const wire::Operation<TransmissionPath, service::chat::ShownTransmission>& show_transmission();
const wire::Operation<UsageQuery, service::chat::DayUsage>& daily_usage();
// Only described here: its answer depends on the dialect.
const wire::Operation<CanonicalRequest, wire::Nothing>& chat();

inline constexpr std::string_view kReplayHeader = "x-sol-idempotent-replay";
inline constexpr std::string_view kTransmissionHeader = "x-sol-transmission-id";
inline constexpr std::string_view kTraceHeader = "x-sol-trace-run-id";

}  // namespace holdfast::surface::chat
