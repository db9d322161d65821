#include "service/continuity/work_store.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "service/continuity/document.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

// The members without which a document cannot be used.
struct Needs {
  std::string_view kind;
  std::vector<const char*> texts;
  bool version;
};

const std::array<Needs, 5>& all_needs() {
  static const std::array<Needs, 5> all = {{
      {"reminder", {"schedule_id", "kind", "status", "title", "due_at"}, true},
      {"task", {"task_id", "status"}, false},
      {"handoff", {"handoff_id", "sender_peer", "recipient_peer", "recipient_status"}, false},
      {"shared_state", {"shared_id", "owner_peer"}, true},
      {"reconciliation", {"reconciliation_id", "owner_peer", "status"}, true},
  }};
  return all;
}

bool is_whole(std::string_view kind, const Value& body) {
  if (!body.is_object()) return false;
  const auto needs = std::ranges::find(all_needs(), kind, &Needs::kind);
  if (needs == all_needs().end()) return true;
  const auto is_there = [&](const char* name) { return !text_of(body, name).empty(); };
  return std::ranges::all_of(needs->texts, is_there) &&
         (!needs->version || integer_of(body, "version", 0) >= 1);
}

Result<Value> document_of(const Noun<Document>& noun, const Object& object) {
  auto document = storage::value_of(noun, object);
  if (document && is_whole(noun.kind, document->body)) return std::move(document->body);
  return Error{
      .code = ErrorCode::kCorrupted,
      .message = fmt::format("The stored {} {} cannot be read.", noun.kind, object.key.id)};
}

// The index pages to kMaxWindow and no further; what lies behind is walked to.
Result<search::ListResponse> list_far(const search::Index& index, const Access& access,
                                      search::ListRequest wanted) {
  const size_t limit = std::exchange(wanted.limit, 0);
  size_t left = std::exchange(wanted.offset, 0);
  HOLDFAST_TRY(search::ListResponse found, index.list(access, wanted));
  if (left >= found.total) return found;
  while (left > 0) {
    wanted.limit = std::min(left, search::kMaxLimit);
    HOLDFAST_TRY(found, index.list(access, wanted));
    if (found.hits.empty()) return found;
    left -= found.hits.size();
    wanted.after = found.hits.back().position;
  }
  wanted.limit = limit;
  return index.list(access, wanted);
}

}  // namespace

Result<std::optional<Value>> find_document(storage::ReadTxn& txn, const Access& access,
                                           const Noun<Document>& noun, const std::string& id) {
  const auto object = txn.get(access, {.kind = noun.kind, .id = id});
  if (!object) {
    if (object.error().code == ErrorCode::kNotFound) return std::optional<Value>();
    return object.error();
  }
  HOLDFAST_TRY(Value body, document_of(noun, *object));
  return std::optional<Value>(std::move(body));
}

Result<std::string> put_document(storage::WriteTxn& txn, const Access& access,
                                 const Noun<Document>& noun, const std::string& id,
                                 const Value& body, const std::string& message) {
  auto put = storage::put_of(noun, id, Document{.body = body}, Label{});
  put.message = message;
  HOLDFAST_CHECK_OK(txn.add(access, std::move(put)));
  return position_text(txn);
}

Result<DocumentPage> list_documents(storage::ReadTxn& txn, const Access& access,
                                    const search::Index& index, const Noun<Document>& noun,
                                    search::ListRequest wanted) {
  wanted.filter.kinds = {noun.kind};
  const bool far = wanted.offset + wanted.limit > search::kMaxWindow;
  HOLDFAST_TRY(const auto found,
               far ? list_far(index, access, wanted) : index.list(access, wanted));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : found.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  DocumentPage page{.total = found.total, .has_more = found.has_more};
  if (!found.hits.empty()) page.last = found.hits.back().position;
  for (const Object& object : objects) {
    if (auto body = document_of(noun, object)) {
      page.documents.push_back(std::move(*body));
    } else {
      page.unreadable.push_back(object.key.id);
    }
  }
  page.total -= std::min(page.total, page.unreadable.size());
  return page;
}

search::FacetFilter has(std::string_view facet, std::string value) {
  return {.name = std::string(facet), .any_of = {std::move(value)}};
}

}  // namespace holdfast::service::continuity
