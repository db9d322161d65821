// The words of an object's text, as the index takes them in. Making them is the costly half of
// indexing and needs neither lock nor transaction: whoever prepares a put on a thread of its own
// makes them there and gives them along (Projection::words), so that the one thread that writes
// need not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/search_text.h"
#include "search/fields.h"

namespace holdfast {

struct Words {
  // A word as it is written, folded.
  struct Form {
    uint32_t begin = 0;  // in `texts`
    uint32_t size = 0;
    uint32_t hash = 0;       // StringPool::hash_of
    uint32_t frequency = 0;  // weighted by the fields it is in
  };

  std::string texts = {};
  std::vector<Form> forms = {};  // each once
  // Token codes as in search/doc_blob.h, with places in `forms` instead of numbers of a part.
  std::vector<uint32_t> tokens = {};
  std::array<uint32_t, search::kFieldCount + 1> field_begin = {};  // in tokens; the last is the end
  uint32_t length = 0;  // plain tokens times the weight of their field, at most kMaxCount

  std::string_view text(const Form& form) const {
    return std::string_view(texts).substr(form.begin, form.size);
  }
};

namespace search {

// Shared by the change and the documents made of it; thread-safe, as it never changes.
std::shared_ptr<const Words> words_of(const SearchText& text);

}  // namespace search
}  // namespace holdfast
