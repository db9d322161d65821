#include "search/form_blocks.h"

#include <bit>

#include "search/part.h"

namespace holdfast::search {
namespace {

constexpr size_t kShortRun = 3;
constexpr size_t kLongRun = 4;
constexpr uint32_t kBucketBits = 11;  // for the runs of each length
constexpr size_t kBuckets = size_t{2} << kBucketBits;

size_t bucket_of(std::string_view run) {
  uint32_t bytes = 0;
  for (const char c : run) bytes = bytes << 8 | static_cast<unsigned char>(c);
  return bytes * 2654435761U >> (32 - kBucketBits);  // Knuth's multiplier
}

// Calls use(bucket) for every run of the text.
template <typename Use>
void for_each_run(std::string_view text, Use&& use) {
  for (size_t at = 0; at + kShortRun <= text.size(); ++at) {
    use(bucket_of(text.substr(at, kShortRun)));
    if (at + kLongRun <= text.size())
      use((size_t{1} << kBucketBits) + bucket_of(text.substr(at, kLongRun)));
  }
}

}  // namespace

FormBlocks::FormBlocks(const Part& part)
    : words_((part.form_count() / kForms + 64) / 64), bits_(words_ * kBuckets) {
  for (uint32_t form = 0; form < part.form_count(); ++form) {
    const uint32_t block = form / kForms;
    for_each_run(part.form_text(form), [&](size_t bucket) {
      bits_[bucket * words_ + block / 64] |= uint64_t{1} << (block % 64);
    });
  }
}

std::optional<std::vector<uint32_t>> FormBlocks::with(std::string_view infix) const {
  if (infix.size() < kShortRun) return std::nullopt;
  std::vector<uint64_t> all(words_, ~uint64_t{0});
  for_each_run(infix, [&](size_t bucket) {
    for (size_t i = 0; i < words_; ++i) all[i] &= bits_[bucket * words_ + i];
  });
  std::vector<uint32_t> blocks;
  for (size_t i = 0; i < words_; ++i) {
    for (uint64_t left = all[i]; left != 0; left &= left - 1)
      blocks.push_back(static_cast<uint32_t>(i * 64) +
                       static_cast<uint32_t>(std::countr_zero(left)));
  }
  return blocks;
}

}  // namespace holdfast::search
