// A posting list as bits, as quickly as it can be had: filters lay whole lists out.
#pragma once

#include <cstdint>
#include <vector>

#include "search/postings.h"

namespace holdfast::search {

// Sets the bit of every document of the list; `words` has room for all documents of the part. A run
// of neighbours costs as much as one document, so lists that nearly everything is on are cheap.
void mark_documents(const PostingList& list, std::vector<uint64_t>& words);

}  // namespace holdfast::search
