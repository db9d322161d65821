#include "service/continuity/repository_file.h"

#include <charconv>

#include "base/utf8.h"
#include "service/continuity/utc_time.h"

namespace holdfast::service::continuity {
namespace {

const Codec<RepositoryFile>& file_codec() {
  static const Codec<RepositoryFile> codec =
      Codec<RepositoryFile>()
          .field("path", &RepositoryFile::path)
          .field("text", &RepositoryFile::text)
          .field("modified_at", &RepositoryFile::modified_at);
  return codec;
}

Projection project_file(const RepositoryFile& file) {
  Projection out;
  if (file.path.starts_with("memory/summaries/"))
    out.facets.push_back(Facet::of(facet::kFileGroup, "summaries"));
  if (file.path.starts_with("messages/"))
    out.facets.push_back(Facet::of(facet::kFileGroup, "messages"));
  out.text = {.title = file.path,
              .body = file.text,
              .at = parse_iso(file.modified_at).value_or(Timestamp())};
  return out;
}

// The words of [a, b] or of a single value.
std::vector<std::string> words_of(std::string_view value) {
  std::vector<std::string> out;
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  while (!value.empty()) {
    const size_t comma = value.find(',');
    std::string_view word = trim_space(value.substr(0, comma));
    if (word.size() > 1 && (word.front() == '"' || word.front() == '\'') &&
        word.back() == word.front())
      word = word.substr(1, word.size() - 2);
    if (!word.empty()) out.emplace_back(word);
    value.remove_prefix(comma == std::string_view::npos ? value.size() : comma + 1);
  }
  return out;
}

void read_member(std::string_view line, FrontMatter& out) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = trim_space(line.substr(0, colon));
  const std::vector<std::string> words = words_of(trim_space(line.substr(colon + 1)));
  if (words.empty()) return;
  if (name == "type") out.type = words.front();
  if (name == "tags") out.tags = words;
  double number = 0;
  const std::string& word = words.front();
  if (name == "importance" &&
      std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc())
    out.importance = number;
}

}  // namespace

const Noun<RepositoryFile>& file_noun() {
  static const Noun<RepositoryFile> noun{
      .kind = "repository_file", .codec = file_codec(), .project = project_file};
  return noun;
}

FrontMatter front_matter(const RepositoryFile& file) {
  FrontMatter out{.type = file.path.substr(0, file.path.find('/')), .rest = file.text};
  constexpr std::string_view kDashes = "---\n";
  if (!file.path.ends_with(".md") || !out.rest.starts_with(kDashes)) return out;
  const size_t end = out.rest.find("\n---\n", kDashes.size() - 1);
  if (end == std::string_view::npos) return out;
  std::string_view head = out.rest.substr(0, end + 1);
  head.remove_prefix(std::min(head.size(), kDashes.size()));
  out.rest.remove_prefix(end + 5);
  while (!head.empty()) {
    const size_t line = head.find('\n');
    read_member(head.substr(0, line), out);
    head.remove_prefix(line == std::string_view::npos ? head.size() : line + 1);
  }
  return out;
}

}  // namespace holdfast::service::continuity
