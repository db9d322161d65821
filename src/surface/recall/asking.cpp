#include "surface/recall/asking.h"

#include "surface/recall/render.h"

namespace holdfast::surface::recall {

using namespace service::recall;  // NOLINT(google-build-using-namespace): asks them all

Result<Value> answer_query(const Services& services, const CallContext& call, const Query& wanted) {
  HOLDFAST_TRY(const Run run, services.query.run(call, wanted));
  Value body = query_value(run);
  if (wanted.trigger_origin && run.injects()) {
    HOLDFAST_TRY(const std::string lookup, services.usage.record(call, run));
    if (!lookup.empty()) body.set("lookup_event_id", lookup);
  }
  if (!wanted.own_item.empty()) body.set("source_item_id", wanted.own_item);
  if (wanted.trace) body.set("trace", trace_value(run));
  return body;
}

Status check_count(size_t items) {
  if (items <= kMostItems) return {};
  return Error{.code = ErrorCode::kInvalidArgument,
               .reason = std::string(kTooManyItems),
               .message = "Too many items: max 50 per request"};
}

Result<Value> ingest_items(const Services& services, const CallContext& call,
                           const std::vector<ItemBody>& bodies) {
  std::vector<NewItem> items;
  for (const ItemBody& body : bodies) items.push_back(item_of(body));
  HOLDFAST_TRY(const auto states, services.ingest.ingest(call, items));
  Value answer = Value::array();
  for (const ItemState& state : states) answer.push(ingest_value(state));
  return answer;
}

}  // namespace holdfast::surface::recall
