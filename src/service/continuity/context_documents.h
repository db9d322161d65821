// The documents of a context bundle: core memory, what a subject's capsule names, and what the
// search index finds. Capsules are never among them: they have a place of their own.
#pragma once

#include "search/index.h"
#include "service/continuity/capsule_store.h"
#include "service/continuity/request.h"

namespace holdfast::service::continuity {

Result<Value> core_memory(const Request& request, const Access& access, storage::ReadTxn& txn);
// Whose objects may be among the documents.
enum class Reach { kEverySurface, kThisSurface };
Result<Value> recent_relevant(const Request& request, const Access& access, storage::ReadTxn& txn,
                              const search::Index& index, Reach reach, Timestamp now);

}  // namespace holdfast::service::continuity
