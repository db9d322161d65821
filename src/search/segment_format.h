// The bytes of a segment, the same in memory and in a file (docs/search.md). Little-endian,
// sections aligned to eight bytes, no pointers: a file is used as it is mapped.
#pragma once

#include <array>
#include <cstdint>

#include "search/postings.h"

namespace holdfast::search {

inline constexpr uint64_t kSegmentMagic = 0x31474553'46444c48;  // "HLDFSEG1"
inline constexpr uint32_t kSegmentVersion = 1;

enum Section : uint32_t {
  kNumbers,
  kTimes,
  kHashes,
  kKeys,
  kDocLabels,
  kDocConversations,
  kDocSpeakers,
  kDocKinds,
  kLengths,
  kBlobOffsets,
  kBlobs,
  kFormStems,
  kFormOffsets,  // texts are two sections: where each begins (one more than there are texts) and
                 // the bytes
  kFormBytes,
  kStemOffsets,  // stems, facets, names, conversations and speakers are sorted
  kStemBytes,
  kStemEntries,
  kFacetOffsets,
  kFacetBytes,
  kFacetEntries,
  kNameOffsets,
  kNameBytes,
  kConversationOffsets,
  kConversationBytes,
  kConversationBegins,  // where each conversation's documents begin in the next section
  kConversationDocs,
  kSpeakerOffsets,
  kSpeakerBytes,
  kLabelOffsets,
  kLabelBytes,
  kKindOffsets,
  kKindBytes,
  kSkips,
  kPostings,
  kSectionCount,
};

struct SegmentHeader {
  uint64_t magic = kSegmentMagic;
  uint32_t version = kSegmentVersion;
  uint32_t documents = 0;
  uint64_t size = 0;  // of everything
  struct Extent {
    uint64_t offset = 0;
    uint64_t size = 0;
  };
  std::array<Extent, kSectionCount> sections = {};
};

// Where the postings of a stem or facet are.
struct ListEntry {
  uint32_t count = 0;
  uint32_t postings_at = 0;  // in kPostings
  uint32_t first_skip = 0;   // in kSkips, for lists of more than one block
  BlockBound bound = {};
};

}  // namespace holdfast::search
