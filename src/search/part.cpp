#include "search/part.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/sorted.h"
#include "search/find_bytes.h"
#include "search/form_blocks.h"

namespace holdfast::search {

void Part::mark_alive(uint32_t doc) {
  if ((doc >> 6) >= live_.size()) live_.resize((doc >> 6) + 1);
  live_[doc >> 6] |= uint64_t{1} << (doc & 63);
}

void Part::mark_all_alive(uint32_t count) {
  live_.assign((count + 63) / 64, ~uint64_t{0});
  if (count % 64 != 0) live_.back() = (uint64_t{1} << (count % 64)) - 1;
}

void Part::kill(uint32_t doc) {
  HOLDFAST_ASSERT(alive(doc));
  live_[doc >> 6] &= ~(uint64_t{1} << (doc & 63));
  ++dead_count_;
  std::vector<uint32_t> stems;
  blob(doc).for_each_token([&](size_t, uint32_t code) {
    if (code != kBoundaryToken) stems.push_back(columns_.form_stem[token_form(code)]);
  });
  sort_once(stems);
  if (!stems.empty() && stems.back() >= dead_postings_.size()) dead_postings_.resize(stem_count());
  for (const uint32_t stem : stems) ++dead_postings_[stem];
}

std::vector<uint32_t> Part::forms_with_infix(std::string_view infix) const {
  std::vector<uint32_t> forms;
  if (form_count() == 0 || infix.empty()) return forms;
  const FormBlocks* const known = form_blocks();
  const auto blocks = known != nullptr ? known->with(infix) : std::nullopt;
  if (!blocks) {
    add_forms_with_infix(infix, 0, form_count(), forms);
    return forms;
  }
  for (const uint32_t block : *blocks) {
    const uint32_t first = block * FormBlocks::kForms;
    add_forms_with_infix(infix, first, std::min(first + FormBlocks::kForms, form_count()), forms);
  }
  return forms;
}

void Part::add_forms_with_infix(std::string_view infix, uint32_t first, uint32_t end,
                                std::vector<uint32_t>& forms) const {
  const std::string_view last = form_text(end - 1);
  const char* const bytes_end = last.data() + last.size();
  const char* at = form_text(first).data();
  while (at < bytes_end) {
    const char* const place = find_bytes(at, bytes_end, infix);
    if (place == nullptr) break;
    uint32_t low = first;  // forms before it are done
    uint32_t high = end;
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      (form_text(middle).data() <= place ? low : high) = middle;
    }
    const std::string_view form = form_text(low);
    const char* const form_end = form.data() + form.size();
    if (place + infix.size() <= form_end) {
      forms.push_back(low);
      first = low + 1;
      at = form_end;
    } else {
      at = place + 1;  // it only looked so across two forms
    }
  }
}

}  // namespace holdfast::search
