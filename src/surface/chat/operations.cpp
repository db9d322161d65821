#include "surface/chat/operations.h"

#include "surface/chat/render.h"

namespace holdfast::surface::chat {
namespace {

using namespace service::chat;  // NOLINT(google-build-using-namespace): a table of its types

template <typename Response>
void say_replayed(const Response& response, wire::Headers& headers) {
  if (response.replayed) headers.set(kReplayHeader, "true");
}

}  // namespace

const wire::Operation<CreateBody, CreatedMemory>& create_memory() {
  static const wire::Operation<CreateBody, CreatedMemory> operation{
      .name = "create_memory",
      .summary = "Keep a memory that the user asked to keep.",
      .request = create_schema(),
      .encode = created_value,
      .headers = say_replayed<CreatedMemory>,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<ListQuery, PageAnswer>& list_memories() {
  static const wire::Operation<ListQuery, PageAnswer> operation{
      .name = "list_memories",
      .summary = "The user's memories, newest first.",
      .request = list_schema(),
      .encode = [](const PageAnswer& answer) { return page_value(answer.page, answer.request_id); },
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<MemoryPath, ShownAnswer>& get_memory() {
  static const wire::Operation<MemoryPath, ShownAnswer> operation{
      .name = "get_memory",
      .summary = "One memory.",
      .request = memory_path_schema(),
      .encode =
          [](const ShownAnswer& answer) { return shown_value(answer.shown, answer.request_id); },
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<PatchBody, PatchedMemory>& patch_memory() {
  static const wire::Operation<PatchBody, PatchedMemory> operation{
      .name = "patch_memory",
      .summary = "Correct a memory in place.",
      .request = patch_schema(),
      .encode = patched_value,
      .headers = say_replayed<PatchedMemory>,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<MemoryPath, wire::Nothing>& delete_memory() {
  static const wire::Operation<MemoryPath, wire::Nothing> operation{
      .name = "delete_memory",
      .summary = "Forget a memory; its text is gone for good.",
      .request = memory_path_schema(),
      .success_status = 204,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<BatchDeleteBody, DeletedMany>& batch_delete() {
  static const wire::Operation<BatchDeleteBody, DeletedMany> operation{
      .name = "batch_delete_memories",
      .summary = "Forget every memory that a filter names.",
      .request = batch_delete_schema(),
      .encode = deleted_value,
      .headers = say_replayed<DeletedMany>,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<ClearBody, DeletedMany>& clear_all() {
  static const wire::Operation<ClearBody, DeletedMany> operation{
      .name = "clear_memories",
      .summary = "Forget everything.",
      .request = clear_schema(),
      .encode = deleted_value,
      .headers = say_replayed<DeletedMany>,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<DistillBody, DistillAccepted>& distill() {
  static const wire::Operation<DistillBody, DistillAccepted> operation{
      .name = "distill_memory",
      .summary = "One fact from a few messages becomes a memory; ask for the transmission later.",
      .request = distill_schema(),
      .encode = distill_value,
      .success_status = 202,
      .headers =
          [](const DistillAccepted& accepted, wire::Headers& headers) {
            headers.set(kTransmissionHeader, accepted.transmission_id);
            say_replayed(accepted, headers);
          },
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<TransmissionPath, ShownTransmission>& show_transmission() {
  static const wire::Operation<TransmissionPath, ShownTransmission> operation{
      .name = "get_transmission",
      .summary = "What became of a chat or a distillation.",
      .request = transmission_schema(),
      .encode = transmission_answer,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<UsageQuery, DayUsage>& daily_usage() {
  static const wire::Operation<UsageQuery, DayUsage> operation{
      .name = "daily_usage",
      .summary = "What the user's chats of a day cost.",
      .request = usage_schema(),
      .encode = usage_value,
      .tags = {"chat"}};
  return operation;
}

const wire::Operation<CanonicalRequest, wire::Nothing>& chat() {
  static const wire::Operation<CanonicalRequest, wire::Nothing> operation{
      .name = "chat",
      .summary = "Answer a message within its budgets.",
      .description =
          "With 'Prefer: respond-async' the answer is 202 and the transmission has the "
          "result later; with 'Accept: text/event-stream' the answer comes as events.",
      .request = canonical_schema(),
      .further_statuses = {202},
      .tags = {"chat"}};
  return operation;
}

}  // namespace holdfast::surface::chat
