// What a space knows across its parts: labels and kinds by number, and how much each label's
// documents amount to. Everything that scores depend on is counted here as documents come and go,
// so it never depends on how the index happens to be cut into parts. Guarded by the mutex of the
// space.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/label.h"

namespace holdfast::search {

struct LabelCounts {
  int64_t documents = 0;
  int64_t searchable = 0;  // with at least one word
  int64_t length = 0;      // of all of them, weighted
  std::vector<int64_t> by_kind = {};
};

class Tables {
 public:
  uint32_t label_id(const Label& label);
  uint16_t kind_id(std::string_view kind);
  const Label& label(uint32_t id) const { return labels_[id]; }
  const std::string& kind(uint16_t id) const { return kinds_[id]; }
  uint32_t label_count() const { return static_cast<uint32_t>(labels_.size()); }
  size_t kind_count() const { return kinds_.size(); }

  // sign +1 when a document comes, -1 when it goes.
  void count(uint32_t label, uint16_t kind, uint32_t length, int sign);
  const LabelCounts& counts(uint32_t label) const { return counts_[label]; }
  const LabelCounts& totals() const { return totals_; }

 private:
  static void add(LabelCounts& counts, uint16_t kind, uint32_t length, int sign);

  std::vector<Label> labels_;
  std::map<Label, uint32_t> label_ids_;
  std::vector<std::string> kinds_;
  std::map<std::string, uint16_t, std::less<>> kind_ids_;
  std::vector<LabelCounts> counts_;
  LabelCounts totals_;
};

}  // namespace holdfast::search
