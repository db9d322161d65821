#include "service/chat/transmission.h"

#include "service/chat/memory.h"
#include "storage/typed.h"

namespace holdfast {

template <>
const Codec<service::chat::Attempt>& codec_of<service::chat::Attempt>() {
  using service::chat::Attempt;
  static const Codec<Attempt> codec = Codec<Attempt>()
                                          .field("id", &Attempt::id)
                                          .field("provider", &Attempt::provider)
                                          .field("succeeded", &Attempt::succeeded)
                                          .field("created_at", &Attempt::created_at)
                                          .field("output_chars", &Attempt::output_chars)
                                          .field("error", &Attempt::error);
  return codec;
}

template <>
const Codec<service::chat::CharUsage>& codec_of<service::chat::CharUsage>() {
  using service::chat::CharUsage;
  static const Codec<CharUsage> codec = Codec<CharUsage>()
                                            .field("input_chars", &CharUsage::input_chars)
                                            .field("output_chars", &CharUsage::output_chars)
                                            .field("created_at", &CharUsage::created_at);
  return codec;
}

template <>
const Codec<service::chat::ChatCall>& codec_of<service::chat::ChatCall>() {
  using service::chat::ChatCall;
  static const Codec<ChatCall> codec = Codec<ChatCall>()
                                           .field("user", &ChatCall::user)
                                           .field("day", &ChatCall::day)
                                           .field("request_id", &ChatCall::request_id)
                                           .field("thread_id", &ChatCall::thread_id)
                                           .field("input_tokens", &ChatCall::input_tokens)
                                           .field("output_tokens", &ChatCall::output_tokens)
                                           .field("latency_ms", &ChatCall::latency_ms)
                                           .field("cost_micros", &ChatCall::cost_micros);
  return codec;
}

namespace service::chat {
namespace {

const Codec<Transmission>& transmission_codec() {
  static const Codec<Transmission> codec =
      Codec<Transmission>()
          .field("user", &Transmission::user)
          .field("packet_type", &Transmission::packet_type)
          .field("canonical", &Transmission::canonical)
          .field("thread_id", &Transmission::thread_id)
          .field("request_id", &Transmission::request_id)
          .field("status", &Transmission::status)
          .field("created_at", &Transmission::created_at)
          .field("status_code", &Transmission::status_code)
          .field("retryable", &Transmission::retryable)
          .field("error_code", &Transmission::error_code)
          .field("attempts", &Transmission::attempts)
          .field("usage", &Transmission::usage)
          .field("trace_run_id", &Transmission::trace_run_id)
          .field("trace_level", &Transmission::trace_level)
          .field("event_count", &Transmission::event_count)
          .field("phase_counts", &Transmission::phase_counts)
          .field("call", &Transmission::call)
          .field("trigger_message_id", &Transmission::trigger_message_id)
          .field("memory_id", &Transmission::memory_id)
          .field("mood_anchor", &Transmission::mood_anchor)
          .field("rigor", &Transmission::rigor)
          .field("reaffirmed", &Transmission::reaffirmed);
  return codec;
}

Projection project_call(const ChatCall& call) {
  Projection projection;
  projection.facets.push_back(Facet::of(std::string(facet::kDay), day_value(call.user, call.day)));
  return projection;
}

Projection project_transmission(const Transmission& transmission) {
  Projection projection;
  if (transmission.call) projection = project_call(*transmission.call);
  if (transmission.status == TransmissionStatus::kProcessing) {
    projection.facets.push_back(Facet::of(std::string(facet::kUser), transmission.user));
    projection.facets.push_back(Facet::of(std::string(facet::kPending), transmission.packet_type));
  }
  projection.text.at = transmission.created_at;
  return projection;
}

}  // namespace

const Noun<Transmission>& transmission_noun() {
  static const Noun<Transmission> noun{
      .kind = "chat_transmission", .codec = transmission_codec(), .project = project_transmission};
  return noun;
}

const Noun<ChatCall>& call_noun() {
  static const Noun<ChatCall> noun{
      .kind = "chat_call", .codec = codec_of<ChatCall>(), .project = project_call};
  return noun;
}

std::string day_value(const std::string& user, const std::string& day) { return day + "/" + user; }

ObjectKey transmission_key(const std::string& id) {
  return {.kind = transmission_noun().kind, .id = id};
}

Status cancel_distillations(storage::WriteTxn& txn, const access::SpaceAccess& access,
                            const search::Index& index) {
  search::ListRequest wanted{.filter = {.kinds = {transmission_noun().kind}},
                             .limit = search::kMaxLimit};
  wanted.filter.facets = {{.name = std::string(facet::kUser), .any_of = {access.viewer().actor}},
                          {.name = std::string(facet::kPending), .any_of = {"memory_distill"}}};
  HOLDFAST_TRY(const auto listed, index.list(access, wanted));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : listed.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  for (const Object& object : objects) {
    HOLDFAST_TRY(Transmission transmission, storage::value_of(transmission_noun(), object));
    if (transmission.status != TransmissionStatus::kProcessing) continue;
    transmission.status = TransmissionStatus::kFailed;
    transmission.error_code = std::string(kCancelledByClear);
    transmission.retryable = false;
    HOLDFAST_CHECK_OK(txn.add(
        access, storage::put_of(transmission_noun(), object.key.id, transmission, object.label)));
  }
  return {};
}

}  // namespace service::chat
}  // namespace holdfast
