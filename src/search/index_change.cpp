#include "search/index_change.h"

namespace holdfast::search {

IndexChange expected_change(const storage::Change& change) {
  return {.number = change.object.number, .position = change.entry.position, .at = change.entry.at};
}

IndexChange index_change(const storage::Change& change, DocumentMaker& documents) {
  IndexChange out = expected_change(change);
  switch (change.what) {
    case storage::Change::What::kPut:
      out.what = IndexChange::What::kPut;
      out.document = documents.make(change.object, change.projection);
      out.unjournalled = change.entry.position == 0;
      break;
    case storage::Change::What::kDeleted: out.what = IndexChange::What::kGone; break;
    case storage::Change::What::kErased: out.what = IndexChange::What::kErased; break;
  }
  return out;
}

}  // namespace holdfast::search
