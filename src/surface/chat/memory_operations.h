// The memory routes: what they take and what they answer.
#pragma once

#include "service/chat/distill_service.h"
#include "service/chat/memory_service.h"
#include "service/chat/usage.h"
#include "wire/operation.h"

namespace holdfast::surface::chat {

struct Consent {
  bool explicit_user_consent = false;
};

struct MemoryFields {
  std::string domain = {};
  std::string content = {};
  std::optional<std::string> title = {};
  std::vector<std::string> tags = {};
  Value importance = {};
  std::optional<std::string> mood_anchor = {};
  service::chat::Rigor rigor = service::chat::Rigor::kNormal;
};

struct CreateBody {
  std::string request_id = {};
  MemoryFields memory = {};
  std::optional<service::chat::MemorySource> source = {};
  Consent consent = {};
};

struct ListQuery {
  std::string domain = {};
  std::vector<std::string> tags_any = {};
  int64_t limit = 50;
  std::optional<service::chat::MemoryCursor> cursor = {};
  std::string thread_id = {};
  std::string type = {};
  std::string memory_kind = {};
  std::string lifecycle_state = {};
  std::string scope = {};
};

struct PatchFields {
  std::optional<std::string> snippet = {};
  std::optional<std::vector<std::string>> tags = {};
  std::optional<std::optional<std::string>> mood_anchor = {};
  std::optional<std::optional<std::string>> summary = {};
  std::optional<std::optional<std::string>> title = {};
};

struct PatchBody {
  std::string memory_id = {};
  std::string request_id = {};
  PatchFields patch = {};
  Consent consent = {};
};

struct MemoryPath {
  std::string memory_id = {};
  std::string confirm = {};
};

struct DeleteFilter {
  std::string thread_id = {};
  std::string domain = {};
  std::vector<std::string> tags_any = {};
  std::optional<Timestamp> created_before = {};
};

struct BatchDeleteBody {
  std::string request_id = {};
  DeleteFilter filter = {};
  bool confirm = false;
};

struct ClearBody {
  std::string request_id = {};
  bool confirm = false;
  std::string confirm_phrase = {};
};

struct DistillBody {
  std::string request_id = {};
  std::string thread_id = {};
  std::string trigger_message_id = {};
  std::vector<service::chat::WindowEntry> window = {};
  int64_t reaffirm_count = 0;
  Consent consent = {};
};

struct UsageQuery {
  std::string date = {};
};

struct TransmissionPath {
  std::string id = {};
};

const wire::Schema<CreateBody>& create_schema();
const wire::Schema<ListQuery>& list_schema();
const wire::Schema<MemoryPath>& memory_path_schema();
const wire::Schema<PatchBody>& patch_schema();
const wire::Schema<BatchDeleteBody>& batch_delete_schema();
const wire::Schema<ClearBody>& clear_schema();
const wire::Schema<DistillBody>& distill_schema();
const wire::Schema<UsageQuery>& usage_schema();
const wire::Schema<TransmissionPath>& transmission_schema();

Value created_value(const service::chat::CreatedMemory& created);
Value page_value(const service::chat::MemoryPage& page, const std::string& request_id);
Value shown_value(const service::chat::ShownMemory& shown, const std::string& request_id);
Value patched_value(const service::chat::PatchedMemory& patched);
Value deleted_value(const service::chat::DeletedMany& deleted);
Value distill_value(const service::chat::DistillAccepted& accepted);
Value usage_value(const service::chat::DayUsage& usage);

}  // namespace holdfast::surface::chat
