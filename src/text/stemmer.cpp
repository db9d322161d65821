#include "text/stemmer.h"

#include <memory>

#include <libstemmer.h>

#include "base/assert.h"

namespace holdfast::text {
namespace {

bool is_plain_word(std::string_view word) {
  for (const char c : word) {
    if ((c < 'a' || c > 'z') && c != '\'') return false;
  }
  return word.size() > 2;
}

}  // namespace

std::string stem(std::string_view folded) {
  if (!is_plain_word(folded)) return std::string(folded);
  using Stemmer = std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)>;
  // libstemmer's objects hold the word under work.
  thread_local const Stemmer stemmer(sb_stemmer_new("english", "UTF_8"), &sb_stemmer_delete);
  HOLDFAST_ASSERT(stemmer != nullptr);
  const sb_symbol* stemmed =
      sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(folded.data()),
                      static_cast<int>(folded.size()));
  if (stemmed == nullptr) return std::string(folded);
  return std::string(reinterpret_cast<const char*>(stemmed),
                     static_cast<size_t>(sb_stemmer_length(stemmer.get())));
}

}  // namespace holdfast::text
