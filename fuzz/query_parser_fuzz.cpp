// Any bytes as a query and as a text: parsing, analysing and cutting snippets must stay within
// their bounds.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/utf8.h"
#include "text/analyzer.h"
#include "text/query.h"
#include "text/snippet.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace holdfast;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const text::ParsedQuery query = text::parse_query(bytes);
  HOLDFAST_ASSERT(query.words.size() <= text::kMaxQueryTerms);
  text::TokenList list;
  text::analyze(bytes, list);
  for (const text::Token& token : list.tokens) {
    HOLDFAST_ASSERT(token.size > 0 && token.size <= text::kMaxTokenBytes + 4);
    HOLDFAST_ASSERT(is_valid_utf8(list.text(token)));
    HOLDFAST_ASSERT(token.source_begin <= token.source_end && token.source_end <= size);
  }
  const text::Snippet snippet = text::make_snippet(bytes, query, 80);
  HOLDFAST_ASSERT(snippet.text.size() <= 80);
  for (const auto& range : snippet.matches)
    HOLDFAST_ASSERT(range.begin <= range.end && range.end <= snippet.text.size());
  return 0;
}
