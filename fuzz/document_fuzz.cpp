// Documents from anywhere: the chunker, HTML to text and decoding take any bytes and keep their
// promises.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/utf8.h"
#include "text/document_chunker.h"
#include "text/html_text.h"
#include "text/lines.h"

using namespace holdfast;

namespace {

void check_chunks(std::string_view text, text::DocumentForm form) {
  const auto lines = static_cast<int64_t>(text::count_lines(text));
  int64_t begun = 0;
  for (const auto& chunk : text::chunk_document(text, form, 100)) {
    HOLDFAST_ASSERT(!chunk.text.empty() && !chunk.title.empty());
    HOLDFAST_ASSERT(chunk.line_start >= 1 && chunk.line_start <= chunk.line_end);
    HOLDFAST_ASSERT(chunk.line_end <= lines && chunk.line_start > begun);
    begun = chunk.line_start;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string text = text::decode_utf8(bytes, text::BadBytes::kReplace);
  HOLDFAST_ASSERT(is_valid_utf8(text));
  HOLDFAST_ASSERT(text::split_lines(text).size() == text::count_lines(text));
  check_chunks(text, text::DocumentForm::kText);
  check_chunks(text, text::DocumentForm::kMarkdown);
  check_chunks(bytes, text::DocumentForm::kMarkdown);
  HOLDFAST_ASSERT(is_valid_utf8(text::html_to_text(text)));
  return 0;
}
