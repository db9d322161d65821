#include "search/list_aids.h"

#include <algorithm>

#include "search/part.h"
#include "search/posting_bits.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kFewDocuments = 16'384;  // in so small a part a list is read as quickly
constexpr uint32_t kShare = 32;             // of the documents have a frequent facet
constexpr size_t kMostFacets = 64;          // with a million documents, 8 MB
constexpr size_t kMostKinds = 16;
constexpr uint32_t kFewForms = 8192;

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
  if (kinds.size() < kFewDocuments) return nullptr;
  const MutexLock lock(mutex_);
  const auto known = kinds_.find(kind);
  if (known != kinds_.end()) return known->second.get();
  if (kinds_.size() == kMostKinds) return nullptr;
  std::vector<uint64_t> words((kinds.size() + 63) / 64);
  for (size_t doc = 0; doc < kinds.size(); ++doc)
    words[doc >> 6] |= uint64_t{kinds[doc] == kind ? 1U : 0U} << (doc & 63);
  auto& made = kinds_[kind];
  made = std::make_unique<const std::vector<uint64_t>>(std::move(words));
  return made.get();
}

std::span<const int64_t> ListAids::newest(std::span<const int64_t> at) {
  std::call_once(once_, [&] {
    newest_.reserve((at.size() + 63) / 64);
    for (size_t first = 0; first < at.size(); first += 64)
      newest_.push_back(
          std::ranges::max(at.subspan(first, std::min<size_t>(64, at.size() - first))));
  });
  return newest_;
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
