#include "service/continuity/work_store.h"

#include "storage/typed.h"

namespace holdfast::service::continuity {

Result<std::optional<Value>> find_document(storage::ReadTxn& txn, const Access& access,
                                           const Noun<Document>& noun, const std::string& id) {
  const auto object = txn.get(access, {.kind = noun.kind, .id = id});
  if (!object) {
    if (object.error().code == ErrorCode::kNotFound) return std::optional<Value>();
    return object.error();
  }
  HOLDFAST_TRY(Document document, storage::value_of(noun, *object));
  return std::optional<Value>(std::move(document.body));
}

Result<std::string> put_document(storage::WriteTxn& txn, const Access& access,
                                 const Noun<Document>& noun, const std::string& id,
                                 const Value& body, const std::string& message) {
  auto put = storage::put_of(noun, id, Document{.body = body}, Label{});
  put.message = message;
  HOLDFAST_CHECK_OK(txn.put(access, put));
  return position_text(txn);
}

Result<DocumentPage> list_documents(storage::ReadTxn& txn, const Access& access,
                                    const search::Index& index, const Noun<Document>& noun,
                                    search::ListRequest wanted) {
  wanted.filter.kinds = {noun.kind};
  HOLDFAST_TRY(const auto found, index.list(access, wanted));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : found.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  DocumentPage page{.total = found.total, .has_more = found.has_more};
  if (!found.hits.empty()) page.last = found.hits.back().position;
  for (const Object& object : objects) {
    HOLDFAST_TRY(Document document, storage::value_of(noun, object));
    page.documents.push_back(std::move(document.body));
  }
  return page;
}

search::FacetFilter has(std::string_view facet, std::string value) {
  return {.name = std::string(facet), .any_of = {std::move(value)}};
}

}  // namespace holdfast::service::continuity
