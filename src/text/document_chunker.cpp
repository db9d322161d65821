#include "text/document_chunker.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "text/lines.h"

namespace holdfast::text {
namespace {

constexpr size_t kTitleChars = 80;
constexpr size_t kFrontmatterLines = 200;

using Lines = std::vector<std::string_view>;

bool is_blank(std::string_view line) { return trim_space(line).empty(); }

bool is_fence(std::string_view line) {
  const std::string_view trimmed = trim_space(line);
  return trimmed.starts_with("```") || trimmed.starts_with("~~~");
}

// Lines [begin, end) that share a title.
struct Block {
  std::string_view kind;
  std::string title;
  int level = 1;
  std::vector<std::string> heading_path = {};
  size_t begin = 0;
  size_t end = 0;
};

// Code points between the first and the last character that is no white space, kept up to date
// while lines are appended, so that no line is looked at twice.
class TrimmedLength {
 public:
  void append(std::string_view line) {
    const size_t before = total_ + (lines_++ == 0 ? 0 : 1);  // the LF that joins
    const std::string_view trimmed = trim_space(line);
    total_ = before + count_code_points(line);
    if (trimmed.empty()) return;
    const auto lead = static_cast<size_t>(trimmed.data() - line.data());
    const size_t first = before + count_code_points(line.substr(0, lead));
    if (!begin_) begin_ = first;
    end_ = first + count_code_points(trimmed);
  }
  size_t value() const { return begin_ ? end_ - *begin_ : 0; }

 private:
  size_t lines_ = 0;
  size_t total_ = 0;
  std::optional<size_t> begin_ = {};
  size_t end_ = 0;
};

class Chunker {
 public:
  Chunker(const Lines& lines, size_t max_chunks) : lines_(lines), max_chunks_(max_chunks) {}

  bool full() const { return chunks_.size() >= max_chunks_; }

  // Emits the block, in pieces if it is too long. Fences are never cut.
  void add(const Block& block) {
    bool in_fence = false;
    size_t begin = block.begin;
    TrimmedLength length;
    for (size_t at = block.begin; at < block.end && !full(); ++at) {
      if (is_fence(lines_[at])) in_fence = !in_fence;
      length.append(lines_[at]);
      if (length.value() < kChunkMaxChars || in_fence || at + 1 == block.end) continue;
      emit(block, begin, at + 1);
      begin = std::max(block.begin, at + 1 - std::min(at + 1, kChunkOverlapLines));
      length = {};
      for (size_t again = begin; again <= at; ++again) length.append(lines_[again]);
    }
    if (!full()) emit(block, begin, block.end);
  }

  std::vector<DocumentChunk> take() { return std::move(chunks_); }

 private:
  void emit(const Block& block, size_t begin, size_t end) {
    std::string joined;
    for (size_t at = begin; at < end; ++at) {
      if (at != begin) joined += '\n';
      joined += lines_[at];
    }
    const std::string_view trimmed = trim_space(joined);
    if (trimmed.empty()) return;
    chunks_.push_back({.kind = block.kind,
                       .title = block.title,
                       .level = block.level,
                       .line_start = static_cast<int64_t>(begin) + 1,
                       .line_end = static_cast<int64_t>(end),
                       .heading_path = block.heading_path,
                       .text = std::string(trimmed)});
  }

  const Lines& lines_;
  size_t max_chunks_;
  std::vector<DocumentChunk> chunks_ = {};
};

void chunk_text(const Lines& lines, Chunker& chunker) {
  for (size_t at = 0; at < lines.size() && !chunker.full();) {
    if (is_blank(lines[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < lines.size() && !is_blank(lines[at])) ++at;
    const auto title = prefix_code_points(trim_space(lines[begin]), kTitleChars);
    chunker.add({.kind = "paragraph", .title = std::string(title), .begin = begin, .end = at});
  }
}

struct Heading {
  int level = 0;
  std::string title = {};
};

std::optional<Heading> heading_of(std::string_view line) {
  size_t hashes = 0;
  while (hashes < line.size() && line[hashes] == '#') ++hashes;
  if (hashes < 1 || hashes > 6 || hashes == line.size()) return std::nullopt;
  if (line[hashes] != ' ' && line[hashes] != '\t') return std::nullopt;
  std::string_view title = trim_space(line.substr(hashes));
  while (title.ends_with('#')) title.remove_suffix(1);
  title = trim_space(title);
  if (title.empty()) return std::nullopt;
  return Heading{.level = static_cast<int>(hashes), .title = std::string(title)};
}

// Where the content starts after front matter; 0 without any.
size_t frontmatter_end(const Lines& lines) {
  if (lines.empty() || trim_space(lines[0]) != "---") return 0;
  for (size_t at = 1; at < std::min(lines.size(), kFrontmatterLines); ++at) {
    const std::string_view line = trim_space(lines[at]);
    if (line == "---" || line == "...") return at + 1;
  }
  return 0;
}

// The sections so far: a heading closes those of its level and below.
class Outline {
 public:
  std::vector<std::string> enter(const Heading& heading) {
    while (!stack_.empty() && stack_.back().level >= heading.level) stack_.pop_back();
    stack_.push_back(heading);
    std::vector<std::string> path;
    for (const Heading& open : stack_) path.push_back(open.title);
    return path;
  }

 private:
  std::vector<Heading> stack_ = {};
};

void chunk_markdown(const Lines& lines, Chunker& chunker) {
  const size_t content = frontmatter_end(lines);
  if (content > 0)
    chunker.add({.kind = "frontmatter", .title = "Frontmatter", .level = 0, .end = content});
  Block open{.kind = "preamble", .title = "Preamble", .begin = content};
  Outline outline;
  bool in_fence = false;
  bool any_heading = false;
  for (size_t at = content; at < lines.size() && !chunker.full(); ++at) {
    if (is_fence(lines[at])) in_fence = !in_fence;
    const auto heading = in_fence ? std::nullopt : heading_of(lines[at]);
    if (!heading) continue;
    open.end = at;
    chunker.add(open);
    any_heading = true;
    open = {.kind = "section",
            .title = heading->title,
            .level = heading->level,
            .heading_path = outline.enter(*heading),
            .begin = at};
  }
  if (!any_heading) {
    open.kind = "section";
    open.title = "Document";
  }
  open.end = lines.size();
  if (!chunker.full()) chunker.add(open);
}

}  // namespace

std::vector<DocumentChunk> chunk_document(std::string_view text, DocumentForm form,
                                          size_t max_chunks) {
  const Lines lines = split_lines(text);
  Chunker chunker(lines, max_chunks);
  if (form == DocumentForm::kMarkdown) {
    chunk_markdown(lines, chunker);
  } else {
    chunk_text(lines, chunker);
  }
  return chunker.take();
}

}  // namespace holdfast::text
