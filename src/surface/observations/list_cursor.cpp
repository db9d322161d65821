// Where a page of observations ended, signed.
#include "service/observation/failure.h"
#include "surface/observations/list_parameters.h"

namespace holdfast::surface::observations {
namespace {

using service::observation::ListPlace;
namespace reason = service::observation::reason;

constexpr std::chrono::hours kCursorLifetime{24};

Error bad_cursor(std::string_view why, std::string message) {
  Error error = invalid_argument(std::move(message));
  error.reason = why;
  return error;
}

}  // namespace

std::string encode_cursor(const wire::CursorCodec& codec, const ListPlace& place,
                          const std::string& last_id, const std::string& digest, Timestamp now) {
  Value keys = Value::array();
  for (const ListPlace::Key& key : place.keys) {
    keys.push(Value::array({key.number, key.text}));
  }
  return codec.encode(Value::object({{"id", last_id},
                                     {"keys", std::move(keys)},
                                     {"number", place.number},
                                     {"list", digest},
                                     {"at", to_micros(now)}}));
}

Result<ListPlace> decode_cursor(const wire::CursorCodec& codec, const std::string& text,
                                const std::string& digest, Timestamp now) {
  HOLDFAST_TRY(const Value payload, codec.decode(text));
  const Value* at = payload.find("at");
  const Value* list = payload.find("list");
  const Value* number = payload.find("number");
  const Value* keys = payload.find("keys");
  const bool ours = at != nullptr && at->if_int() != nullptr && list != nullptr &&
                    number != nullptr && number->if_int() != nullptr && keys != nullptr &&
                    keys->is_array();
  if (!ours || *list != Value(digest)) {
    return bad_cursor(wire::reason::kCursorInvalid,
                      "This cursor belongs to a list with other filters or another order.");
  }
  if (from_micros(*at->if_int()) + kCursorLifetime < now)
    return bad_cursor(reason::kCursorExpired, "This cursor is older than a day; start again.");
  ListPlace place{.number = *number->if_int()};
  for (const Value& key : *keys->if_array()) {
    const auto* parts = key.if_array();
    if (parts == nullptr || parts->size() != 2 || (*parts)[0].if_int() == nullptr ||
        (*parts)[1].if_string() == nullptr)
      return bad_cursor(wire::reason::kCursorInvalid, "This cursor is not one of ours.");
    place.keys.push_back({*(*parts)[0].if_int(), *(*parts)[1].if_string()});
  }
  return place;
}

}  // namespace holdfast::surface::observations
