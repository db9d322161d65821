// A filter and a viewer, prepared for one part: cheap checks a document, most of them a look into a
// column. Lives as long as one query, under the space's mutex.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/space_access.h"
#include "search/doc_bits.h"
#include "search/filter.h"
#include "search/part.h"
#include "search/tables.h"

namespace holdfast::search {

// Which labels of a space a viewer may see, decided once a label and query.
class VisibleLabels {
 public:
  VisibleLabels(const access::SpaceAccess& access, const Tables& tables);

  bool sees(uint32_t label) const {
    if (everything_) return true;
    return seen_[label] != 0;
  }
  // True if no living document is hidden: then the space's own statistics are the viewer's.
  bool everything() const { return everything_; }
  int64_t searchable() const { return searchable_; }
  int64_t length() const { return length_; }

 private:
  bool everything_ = false;
  std::vector<uint8_t> seen_;
  int64_t searchable_ = 0;
  int64_t length_ = 0;
};

class PartFilter {
 public:
  PartFilter(const Filter& filter, const VisibleLabels& visible, const Tables& tables,
             const Part& part);

  // Nothing in this part can pass.
  bool empty() const { return empty_; }
  // Alive and visible: what statistics and neighbours go by.
  bool sees(uint32_t doc) const {
    return (all_alive_ || part_.alive(doc)) &&
           (all_labels_ || label_ok_[part_.columns().label[doc]] != 0);
  }
  bool passes(uint32_t doc) const { return passes_outside(doc) && passes_inside(doc); }
  // The same in two steps: what the columns tell, and what only the document itself does. The
  // second costs more.
  bool passes_outside(uint32_t doc) const {
    return !empty_ && sees(doc) && (laid_out_.empty() || passes_laid_out(doc)) &&
           (!needs_columns_ || passes_columns(doc));
  }
  bool passes_inside(uint32_t doc) const { return !needs_blob_ || passes_blob(doc); }
  bool looks_inside() const { return needs_blob_; }

  // For a walk that asks about many documents: facets are told by bits from now on, not by looking
  // inside, except those that a large share of a small part has. Before passes(); not with the two
  // below.
  void lay_facets_out();

  // Then: documents without this bit do not pass; nullptr where most have it or nothing is known.
  const std::vector<uint64_t>* narrow() const;

  // Every document that passes, found list by list and column by column: the cost of a document is
  // a few instructions, whatever the filter.
  DocBits all_passing() const;
  // The same as a list, made from the shortest list of a facet, where that is much shorter than the
  // part.
  std::optional<std::vector<uint32_t>> few_passing() const;

 private:
  struct Facets {
    std::vector<uint32_t> any_of;  // sorted
    bool negated = false;
    uint64_t docs = 0;  // at most so many have one
  };
  // The documents with one of the facets.
  struct LaidOut {
    const std::vector<uint64_t>* kept = nullptr;  // by the part
    std::vector<uint64_t> made = {};              // for this query, otherwise
    bool negated = false;

    bool passes(uint32_t doc) const {
      const std::vector<uint64_t>& words = kept != nullptr ? *kept : made;
      return ((words[doc >> 6] >> (doc & 63) & 1) != 0) != negated;
    }
  };
  struct Range {
    std::optional<uint32_t> name;
    int64_t from = INT64_MIN;
    int64_t to = INT64_MAX;
    bool negated = false;
  };

  // Documents with a word that has a given text inside. Looked up when first needed: it takes a
  // look at every word of the part, and most parts are done with before.
  struct Words {
    std::string inside = {};
    bool ready = false;
    std::vector<bool> forms = {};      // which forms have it
    std::vector<uint32_t> stems = {};  // of these forms, sorted: where to look them up
    std::vector<uint32_t> sure = {};   // of these stems: every document that has one passes
  };

  const std::vector<Words>& words() const;
  bool keep_others(const Facets& done, std::vector<uint32_t>& docs) const;
  void keep_facets(DocBits& bits) const;
  void keep_labels(DocBits& bits) const;
  void keep_times(DocBits& bits) const;
  void keep_only(DocBits& bits) const;
  bool is_in_time(int64_t at) const { return at >= from_ && (at < to_ || to_ == INT64_MAX); }
  void keep_words(DocBits& bits) const;
  std::vector<uint32_t> sure_stems(const std::vector<uint32_t>& stems) const;
  std::optional<std::vector<const std::vector<uint64_t>*>> wanted_kinds() const;
  // False where that is left to passes_columns.
  bool keep_kinds(DocBits& bits) const;
  bool keep_kinds(std::vector<uint32_t>& docs) const;
  bool lay_out(const Facets& facets);
  bool passes_laid_out(uint32_t doc) const {
    for (const LaidOut& facets : laid_out_) {
      if (!facets.passes(doc)) return false;
    }
    return true;
  }
  bool passes_columns(uint32_t doc) const;
  bool passes_blob(uint32_t doc) const;
  bool passes_facets(const BlobReader& blob) const;
  bool passes_ranges(const BlobReader& blob) const;
  bool passes_words(const BlobReader& blob) const;

  const Part& part_;
  bool all_labels_ = false;
  bool all_alive_ = false;
  bool all_kinds_ = true;
  bool needs_columns_ = false;
  bool needs_times_ = false;  // these and the next are of the columns
  bool needs_rest_ = false;   // neither kinds nor times nor `only_`
  bool with_text_ = false;
  bool needs_blob_ = false;
  bool empty_ = false;
  std::vector<uint8_t> label_ok_;
  std::vector<uint8_t> kind_ok_;
  int64_t from_ = INT64_MIN;
  int64_t to_ = INT64_MAX;
  std::optional<int64_t> valid_at_;
  std::vector<Facets> facets_;
  std::vector<LaidOut> laid_out_;
  std::vector<Range> ranges_;
  mutable std::vector<Words> words_;
  std::optional<uint32_t> words_unless_;   // a facet
  std::vector<ObjectNumber> not_numbers_;  // sorted
  ObjectNumber after_number_ = 0;
  const NumberBits* only_ = nullptr;  // of the filter, which outlives this
};

}  // namespace holdfast::search
