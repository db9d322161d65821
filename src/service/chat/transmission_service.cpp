#include "service/chat/transmission_service.h"

#include "service/chat/as_user.h"
#include "service/chat/budget.h"
#include "service/chat/chat_service.h"
#include "service/chat/distiller.h"
#include "service/chat/memory.h"
#include "service/chat/replay.h"
#include "storage/typed.h"

namespace holdfast::service::chat {

Result<ShownTransmission> TransmissionService::show(const CallContext& call,
                                                    const ShowTransmission& request) const {
  HOLDFAST_TRY(const access::SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), access::Permission::kRead));
  // Before the store is read: work that ends in between is then seen as ended.
  const auto flight = flights_.find(request.id);
  const bool under_way = flight && flight->chat && flight->chat->user == request.user &&
                         flight->space == call.viewer.space;
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  ShownTransmission shown{.id = request.id};
  Transmission& transmission = shown.transmission;
  const auto object = txn->get(access, transmission_key(request.id));
  if (object) {
    HOLDFAST_TRY(transmission, storage::value_of(transmission_noun(), *object));
  } else if (under_way && object.error().code == ErrorCode::kNotFound) {
    transmission = *flight->chat;  // a chat is written when it ends
  } else {
    return object.error();
  }
  // One that failed is being made again.
  if (under_way && transmission.status == TransmissionStatus::kFailed) {
    const Timestamp since = transmission.created_at;
    transmission = *flight->chat;
    transmission.created_at = since;
  }
  if (transmission.status == TransmissionStatus::kProcessing && !flight) {
    // The process that knew the text is gone.
    transmission.status = TransmissionStatus::kFailed;
    transmission.error_code = std::string(kContextMissing);
    transmission.retryable = true;
  }
  shown.pending = transmission.status == TransmissionStatus::kProcessing;
  if (transmission.status != TransmissionStatus::kCompleted) return shown;
  if (transmission.memory_id) {
    const auto memory =
        txn->get(access, {.kind = memory_noun().kind, .id = *transmission.memory_id});
    if (memory) {
      HOLDFAST_TRY(const Memory kept, storage::value_of(memory_noun(), *memory));
      // As it is now: somebody may have written more since than a fact can have.
      shown.fact = fit_code_points(kept.snippet, kFactLength);
    }
  } else if (transmission.packet_type == "chat") {
    HOLDFAST_TRY(const auto answer,
                 txn->find_idempotency(
                     access, answer_key(request.user, transmission.request_id, request.id)));
    // A request id that was used again, long after, leads to another answer.
    const bool own = answer && (transmission.request_id.empty() ||
                                Print::parse(answer->fingerprint).id == request.id);
    if (own && answer->state != kErased) {
      HOLDFAST_TRY(shown.answer, parse_json(answer->body));
    }
  }
  return shown;
}

}  // namespace holdfast::service::chat
