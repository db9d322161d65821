// document_chunker.v1: a document cut into pieces that evidence can point at. Text is cut at blank
// lines, Markdown at headings outside code fences with its front matter apart; a piece that grows
// too long is cut between lines, outside fences, with a little overlap. Works on any bytes, in
// linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::text {

inline constexpr std::string_view kChunkerName = "document_chunker.v1";
inline constexpr size_t kChunkMaxChars = 1600;
inline constexpr size_t kChunkOverlapLines = 2;

struct DocumentChunk {
  std::string_view kind = {};  // paragraph, frontmatter, preamble or section: a literal
  std::string title = {};
  int level = 1;
  int64_t line_start = 0;  // from 1, inclusive; a continuation's includes the overlap
  int64_t line_end = 0;
  std::vector<std::string> heading_path = {};
  std::string text = {};  // lines joined with LF, trimmed; never empty
};

enum class DocumentForm { kText, kMarkdown };

// The first `max_chunks` pieces, in order.
std::vector<DocumentChunk> chunk_document(std::string_view text, DocumentForm form,
                                          size_t max_chunks);

}  // namespace holdfast::text
