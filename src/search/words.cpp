#include "search/words.h"

#include <algorithm>
#include <bit>

#include "search/doc_blob.h"
#include "search/string_pool.h"
#include "text/analyzer.h"

namespace holdfast::search {
namespace {

// A text's words numbered in the order of their first appearance.
class Forms {
 public:
  Forms(const text::TokenList& list, Words& words) : list_(list), words_(words) {
    slots_.assign(std::bit_ceil(list.tokens.size() * 2 + 1), 0);
  }

  uint32_t number_of(const text::Token& token) {
    const std::string_view text = list_.text(token);
    const uint32_t hash = StringPool::hash_of(text);
    const size_t mask = slots_.size() - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] == 0) {
        words_.forms.push_back({.begin = token.begin, .size = token.size, .hash = hash});
        slots_[at] = static_cast<uint32_t>(words_.forms.size());
        return slots_[at] - 1;
      }
      const Words::Form& known = words_.forms[slots_[at] - 1];
      const std::string_view other = std::string_view(list_.folded).substr(known.begin, known.size);
      if (known.hash == hash && other == text) return slots_[at] - 1;
    }
  }

 private:
  const text::TokenList& list_;
  Words& words_;
  std::vector<uint32_t> slots_;  // number + 1; 0: free
};

using Ends = std::array<size_t, kFieldCount>;

constexpr size_t kLettersAWord = 5;  // about, with what stands between

void add_list(const std::vector<std::string>& list, text::TokenList& tokens) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) tokens.tokens.push_back({});
    text::analyze(list[i], tokens);
  }
}

// A token of size 0 stands between two ids or tags. Returns where each field ends.
Ends analyze_fields(const SearchText& text, text::TokenList& tokens) {
  Ends ends{};
  const size_t most = text.title.size() + text.summary.size() + text.body.size();
  tokens.folded.reserve(most);
  tokens.tokens.reserve(most / kLettersAWord);
  const auto end = [&](Field field) { ends[static_cast<size_t>(field)] = tokens.tokens.size(); };
  text::analyze(text.title, tokens);
  end(Field::kTitle);
  add_list(text.ids, tokens);
  end(Field::kIds);
  add_list(text.tags, tokens);
  end(Field::kTags);
  text::analyze(text.summary, tokens);
  end(Field::kSummary);
  text::analyze(text.body, tokens);
  end(Field::kBody);
  return ends;
}

}  // namespace

std::shared_ptr<const Words> words_of(const SearchText& text) {
  text::TokenList list;
  const Ends ends = analyze_fields(text, list);
  auto words = std::make_shared<Words>();
  words->tokens.reserve(list.tokens.size());
  words->forms.reserve(list.tokens.size());
  Forms forms(list, *words);
  uint64_t length = 0;
  size_t at = 0;
  for (size_t field = 0; field < kFieldCount; ++field) {
    for (; at < ends[field]; ++at) {
      const text::Token& token = list.tokens[at];
      if (token.size == 0) {
        words->tokens.push_back(kBoundaryToken);
        continue;
      }
      const uint32_t form = forms.number_of(token);
      words->forms[form].frequency += kFieldWeights[field];
      words->tokens.push_back(token_code(form, token.overlay));
      if (!token.overlay) length += kFieldWeights[field];
    }
    words->field_begin[field + 1] = static_cast<uint32_t>(at);
  }
  words->length = static_cast<uint32_t>(std::min<uint64_t>(length, kMaxCount));
  words->texts = std::move(list.folded);
  return words;
}

}  // namespace holdfast::search
