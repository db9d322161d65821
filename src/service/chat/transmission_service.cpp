#include "service/chat/transmission_service.h"

#include "service/chat/as_user.h"
#include "service/chat/chat_service.h"
#include "service/chat/memory.h"
#include "service/chat/replay.h"
#include "storage/typed.h"

namespace holdfast::service::chat {

Result<ShownTransmission> TransmissionService::show(const CallContext& call,
                                                    const ShowTransmission& request) const {
  HOLDFAST_TRY(const access::SpaceAccess access,
               gatekeeper_.require(as_user(call, request.user), access::Permission::kRead));
  // Before the store is read: work that ends in between is then seen as ended.
  const bool under_way = flights_.has(request.id);
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(const Object object, txn->get(access, transmission_key(request.id)));
  ShownTransmission shown{.id = request.id};
  HOLDFAST_TRY(shown.transmission, storage::value_of(transmission_noun(), object));
  Transmission& transmission = shown.transmission;
  if (transmission.status == TransmissionStatus::kProcessing && !under_way) {
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
      shown.fact = kept.snippet;
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
