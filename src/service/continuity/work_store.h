// Documents of the continuity family by their keys and facets.
#pragma once

#include <optional>
#include <string>

#include "search/index.h"
#include "service/continuity/capsule_store.h"
#include "service/continuity/work_nouns.h"

namespace holdfast::service::continuity {

// kCorrupted if what is stored lacks what the services rely on, or is no document at all.
Result<std::optional<Value>> find_document(storage::ReadTxn& txn, const Access& access,
                                           const Noun<Document>& noun, const std::string& id);
// Returns the position of the change.
Result<std::string> put_document(storage::WriteTxn& txn, const Access& access,
                                 const Noun<Document>& noun, const std::string& id,
                                 const Value& body, const std::string& message);

struct DocumentPage {
  std::vector<Value> documents = {};
  std::vector<std::string> unreadable = {};  // ids of matches that are stored but cannot be used
  size_t total = 0;                          // without the unreadable ones of this page
  bool has_more = false;
  std::optional<search::ListPosition> last = std::nullopt;  // of this page
};
Result<DocumentPage> list_documents(storage::ReadTxn& txn, const Access& access,
                                    const search::Index& index, const Noun<Document>& noun,
                                    search::ListRequest wanted);
search::FacetFilter has(std::string_view facet, std::string value);

}  // namespace holdfast::service::continuity
