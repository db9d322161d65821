#include "text/stemmer.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include <libstemmer.h>

#include "base/assert.h"

namespace holdfast::text {
namespace {

bool is_plain_word(std::string_view word) {
  if (word.size() <= 2) return false;
  return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '\''; });
}

// Every rule of the stemmer is about how a word ends, and the last two letters tell for most words
// that none of them applies. An apostrophe in front is taken off, whatever the end is.
bool may_change(std::string_view word) {
  if (word.front() == '\'') return true;
  const char before = word[word.size() - 2];
  switch (word.back()) {
    case 'c': return before == 'i';                                    // -ic
    case 'd': return before == 'e';                                    // -ed
    case 'g': return before == 'n';                                    // -ing
    case 'l': return before == 'a' || before == 'u' || before == 'l';  // -al, -ful, -ll
    case 'm': return before == 's';                                    // -ism
    case 'n': return before == 'o';                                    // -ion
    case 'r': return before == 'e' || before == 'o';                   // -er, -ator
    case 't': return before == 'n';                                    // -ant, -ent
    case '\'':
    case 'e':
    case 'i':
    case 's':
    case 'y': return true;
    default: return false;
  }
}

std::string stem_anew(std::string_view folded) {
  using Stemmer = std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)>;
  // libstemmer's objects hold the word under work. Plain words are the same bytes in every encoding
  // it knows, and in this one it need not put characters together.
  thread_local const Stemmer stemmer(sb_stemmer_new("english", "ISO_8859_1"), &sb_stemmer_delete);
  HOLDFAST_ASSERT(stemmer != nullptr);
  const sb_symbol* stemmed =
      sb_stemmer_stem(stemmer.get(), reinterpret_cast<const sb_symbol*>(folded.data()),
                      static_cast<int>(folded.size()));
  if (stemmed == nullptr) return std::string(folded);
  return std::string(reinterpret_cast<const char*>(stemmed),
                     static_cast<size_t>(sb_stemmer_length(stemmer.get())));
}

// Text repeats its words, and a stem costs a microsecond. A word has one place in the table and
// pushes out whatever is there; words that would need memory of their own are not kept.
class StemTable {
 public:
  const std::string& stem_of(std::string_view word) {
    if (entries_.empty()) entries_.resize(kEntries);
    Entry& entry = entries_[std::hash<std::string_view>()(word) % kEntries];
    if (entry.word != word) {
      entry.word.assign(word);
      entry.stem = stem_anew(word);
    }
    return entry.stem;
  }
  static constexpr size_t kLongestWord = 15;

 private:
  static constexpr size_t kEntries = 2048;
  struct Entry {
    std::string word = {};
    std::string stem = {};
  };
  std::vector<Entry> entries_;
};

}  // namespace

bool may_have_another_stem(std::string_view folded) {
  return is_plain_word(folded) && may_change(folded);
}

std::string stem(std::string_view folded) {
  if (!may_have_another_stem(folded)) return std::string(folded);
  if (folded.size() > StemTable::kLongestWord) return stem_anew(folded);
  thread_local StemTable table;
  return table.stem_of(folded);
}

}  // namespace holdfast::text
