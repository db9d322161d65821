#include "search/list_aids.h"

#include <algorithm>

#include "search/part.h"
#include "search/posting_bits.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kFewDocuments = 16'384;  // in so small a part a list is read as quickly
constexpr uint32_t kShare = 32;             // of the documents have a frequent facet
constexpr size_t kMostFacets = 64;          // with a million documents, 8 MB
constexpr size_t kMostValues = 16;          // kinds, labels
constexpr uint32_t kFewForms = 8192;

// Where `column` has the value, from `known` or added to it; nullptr as in kind_bits().
template <typename T, typename Known>
const std::vector<uint64_t>* bits_of(T value, std::span<const T> column, Known& known) {
  if (column.size() < kFewDocuments) return nullptr;
  const auto found = known.find(value);
  if (found != known.end()) return found->second.get();
  if (known.size() == kMostValues) return nullptr;
  std::vector<uint64_t> words((column.size() + 63) / 64);
  for (size_t doc = 0; doc < column.size(); ++doc)
    words[doc >> 6] |= uint64_t{column[doc] == value ? 1U : 0U} << (doc & 63);
  auto& made = known[value];
  made = std::make_unique<const std::vector<uint64_t>>(std::move(words));
  return made.get();
}

}  // namespace

const std::vector<uint64_t>* ListAids::bits(uint32_t facet, const PostingList& list,
                                            uint32_t documents) {
  if (documents < kFewDocuments || list.count < documents / kShare) return nullptr;
  const MutexLock lock(mutex_);
  const auto known = bits_.find(facet);
  if (known != bits_.end()) return known->second.get();
  if (bits_.size() == kMostFacets) return nullptr;
  std::vector<uint64_t> words((size_t{documents} + 63) / 64);
  mark_documents(list, words);
  auto& made = bits_[facet];
  made = std::make_unique<const std::vector<uint64_t>>(std::move(words));
  return made.get();
}

const std::vector<uint64_t>* ListAids::kind_bits(uint16_t kind, std::span<const uint16_t> kinds) {
  const MutexLock lock(mutex_);
  return bits_of(kind, kinds, kinds_);
}

const std::vector<uint64_t>* ListAids::label_bits(uint32_t label,
                                                  std::span<const uint32_t> labels) {
  const MutexLock lock(mutex_);
  return bits_of(label, labels, labels_);
}

void ListAids::find_times(std::span<const int64_t> at) {
  std::call_once(once_, [&] {
    newest_.reserve((at.size() + 63) / 64);
    oldest_.reserve((at.size() + 63) / 64);
    for (size_t first = 0; first < at.size(); first += 64) {
      const auto [oldest, newest] =
          std::ranges::minmax(at.subspan(first, std::min<size_t>(64, at.size() - first)));
      oldest_.push_back(oldest);
      newest_.push_back(newest);
    }
  });
}

std::span<const int64_t> ListAids::newest(std::span<const int64_t> at) {
  find_times(at);
  return newest_;
}

std::span<const int64_t> ListAids::oldest(std::span<const int64_t> at) {
  find_times(at);
  return oldest_;
}

std::span<const int64_t> ListAids::gapless(std::span<const int64_t> numbers) {
  std::call_once(gapless_once_, [&] {
    gapless_.reserve((numbers.size() + 63) / 64);
    for (size_t first = 0; first < numbers.size(); first += 64) {
      const auto some = numbers.subspan(first, std::min<size_t>(64, numbers.size() - first));
      const auto gap = std::ranges::adjacent_find(
          some, [](int64_t one, int64_t next) { return next != one + 1; });
      gapless_.push_back(gap == some.end() ? some.front() : 0);
    }
  });
  return gapless_;
}

const std::vector<uint32_t>* ListAids::prose_forms(const Part& part) {
  const Columns& columns = part.columns();
  if (columns.count < kFewDocuments) return nullptr;
  std::call_once(prose_once_, [&] {
    prose_forms_.resize(part.stem_count());
    for (uint32_t form = 0; form < part.form_count(); ++form)
      ++prose_forms_[columns.form_stem[form]];
    for (uint32_t doc = 0; doc < columns.count; ++doc) {
      part.blob(doc).for_each_token([&](size_t field, uint32_t code) {
        if (code != kBoundaryToken && !is_prose(field))
          prose_forms_[columns.form_stem[token_form(code)]] = 0;
      });
    }
  });
  return &prose_forms_;
}

const FormBlocks* ListAids::form_blocks(const Part& part) {
  if (part.form_count() < kFewForms) return nullptr;
  std::call_once(blocks_once_, [&] { form_blocks_.emplace(part); });
  return &*form_blocks_;
}

}  // namespace holdfast::search
