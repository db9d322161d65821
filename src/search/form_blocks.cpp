#include "search/form_blocks.h"

#include <bit>

#include "search/part.h"

namespace holdfast::search {
namespace {

constexpr size_t kRun = 3;
constexpr uint32_t kBucketBits = 12;

size_t bucket_of(const char* run) {
  const auto byte = [&](size_t at) { return uint32_t{static_cast<unsigned char>(run[at])}; };
  const uint32_t bytes = byte(0) | byte(1) << 8 | byte(2) << 16;
  return bytes * 2654435761U >> (32 - kBucketBits);  // Knuth's multiplier
}

// Calls use(bucket) for every run of the text.
template <typename Use>
void for_each_run(std::string_view text, Use&& use) {
  for (size_t at = 0; at + kRun <= text.size(); ++at) use(bucket_of(text.data() + at));
}

}  // namespace

FormBlocks::FormBlocks(const Part& part)
    : words_((part.form_count() / kForms + 64) / 64), bits_(words_ << kBucketBits) {
  for (uint32_t form = 0; form < part.form_count(); ++form) {
    const uint32_t block = form / kForms;
    for_each_run(part.form_text(form), [&](size_t bucket) {
      bits_[bucket * words_ + block / 64] |= uint64_t{1} << (block % 64);
    });
  }
}

std::optional<std::vector<uint32_t>> FormBlocks::with(std::string_view infix) const {
  if (infix.size() < kRun) return std::nullopt;
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
