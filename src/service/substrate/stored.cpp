#include "service/substrate/stored.h"

#include "storage/typed.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kPage = 500;

Status each_of(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
               storage::Scan scan, const std::function<Status(Stored&)>& visit) {
  for (;;) {
    HOLDFAST_TRY(storage::Page page, txn.scan(access, scan));
    for (Object& object : page.objects) {
      HOLDFAST_TRY(Stored stored, stored_of(type, std::move(object)));
      HOLDFAST_CHECK_OK(visit(stored));
    }
    if (!page.next) return {};
    scan.after = page.next;
  }
}

}  // namespace

Result<Stored> stored_of(ObjectType type, Object object) {
  HOLDFAST_TRY(Document document, storage::value_of(noun_of(type), object));
  return Stored{.type = type, .object = std::move(object), .json = std::move(document.json)};
}

Result<std::optional<Stored>> find_stored(storage::ReadTxn& txn, const access::SpaceAccess& access,
                                          std::string_view id) {
  const auto type = type_of_id(id);
  if (!type) return std::optional<Stored>();
  auto object = txn.get(access, {.kind = std::string(type_name(*type)), .id = std::string(id)});
  if (!object && object.error().code == ErrorCode::kNotFound) return std::optional<Stored>();
  if (!object) return std::move(object).error();
  HOLDFAST_TRY(Stored stored, stored_of(*type, std::move(*object)));
  return std::optional(std::move(stored));
}

Status each_stored(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                   const std::function<Status(Stored&)>& visit) {
  return each_of(txn, access, type, {.kind = std::string(type_name(type)), .limit = kPage}, visit);
}

Status each_stored_with(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                        const Facet& facet, const std::function<Status(Stored&)>& visit) {
  return each_of(txn, access, type,
                 {.kind = std::string(type_name(type)), .equal = facet, .limit = kPage}, visit);
}

Status each_stored_until(storage::ReadTxn& txn, const access::SpaceAccess& access, ObjectType type,
                         std::string_view facet, int64_t last,
                         const std::function<Status(Stored&)>& visit) {
  return each_of(txn, access, type,
                 {.kind = std::string(type_name(type)),
                  .range = storage::Scan::Range{.name = std::string(facet), .to = last},
                  .limit = kPage},
                 visit);
}

}  // namespace holdfast::service::substrate
