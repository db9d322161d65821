// What callers send.
#pragma once

#include <string_view>
#include <vector>

#include "service/recall/ingest_service.h"
#include "service/recall/memory_service.h"
#include "service/recall/query_types.h"
#include "service/recall/source_service.h"
#include "wire/schema.h"

namespace holdfast::surface::recall {

inline constexpr size_t kMostItems = 50;
inline constexpr std::string_view kTooManyItems = "too_many_items";

struct ItemBody {
  std::string source_type = {};
  std::string source_id = {};
  std::string content_type = {};
  std::string content = {};
  std::optional<std::string> container_ref = {};
  service::recall::Scope visibility = service::recall::Scope::kPrivate;
  std::optional<std::string> thread_ref = {};
  std::optional<std::string> actor_ref = {};
  std::optional<std::string> agent_ref = {};
  std::optional<std::string> source_ref = {};
  std::optional<std::string> role = {};
  std::optional<std::string> artifact_kind = {};
  std::vector<std::string> work_refs = {};
  std::optional<Timestamp> occurred_at = {};
  Value metadata = {};
  std::string use_case = std::string(service::recall::kUseCase);
  // Of an item that also asks.
  std::optional<std::string> query_text = {};
  int64_t query_limit = 5;
  std::optional<std::string> query_actor_ref = {};
  service::recall::RuntimeContext runtime = {};
  std::optional<std::string> trigger_origin = {};
};
struct ItemsBody {
  std::vector<ItemBody> items = {};
};

// How a visibility is read: a word, or an object whose `kind` is one.
wire::FieldOption scope_option();

const wire::Schema<ItemBody>& item_schema();
const wire::Schema<ItemBody>& asking_item_schema();  // with the query that comes with it
const wire::Schema<ItemsBody>& items_schema();
const wire::Schema<service::recall::Query>& query_schema();
const wire::Schema<service::recall::Expand>& expand_schema();
const wire::Schema<service::recall::FlagMemory>& flag_schema();
const wire::Schema<service::recall::ContextRequest>& context_schema();

service::recall::NewItem item_of(const ItemBody& body);
// The query that an item asks on its way in.
service::recall::Query query_of(const ItemBody& body, const std::string& item_id);

}  // namespace holdfast::surface::recall
