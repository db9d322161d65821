// Reading documents from the store.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "access/space_access.h"
#include "base/result.h"
#include "service/substrate/document.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct Stored {
  ObjectType type = ObjectType::kKnowledge;
  Object object = {};
  Value json = Value::object();

  DocumentView view() const { return DocumentView(type, json); }
  std::string id() const { return object.key.id; }
};

// Nothing if it does not exist, may not be seen, or the id is of no type of ours.
Result<std::optional<Stored>> find_stored(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                          std::string_view id);
Result<Stored> stored_of(ObjectType type, Object object);
// The struct of a stored object; kCorrupted if a member has another type.
template <typename T>
Result<T> struct_of(const Stored& stored) {
  return codec_of<T>().decode(stored.json);
}

// All objects of a type in the order of their creation, page by page. For maintenance, which is
// asked for and may cost what the store holds; no other request may.
Status each_stored(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                   const std::function<Status(Stored&)>& visit);
// Those that have the facet.
Status each_stored_with(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                        const Facet& facet, const std::function<Status(Stored&)>& visit);
// Those whose number facet is at most `last`, in its order.
Status each_stored_until(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                         std::string_view facet, int64_t last,
                         const std::function<Status(Stored&)>& visit);

}  // namespace holdfast::service::substrate
