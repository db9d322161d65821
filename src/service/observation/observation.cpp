#include "service/observation/observation.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/ulid.h"
#include "base/utf8.h"
#include "text/markdown_html.h"

namespace holdfast {

using service::observation::AttachmentRef;
using service::observation::CodeLink;
using service::observation::Source;

template <>
const Codec<Source>& codec_of() {
  static const Codec<Source> codec = Codec<Source>()
                                         .field("type", &Source::type)
                                         .field("session_id", &Source::session_id)
                                         .field("commit_id", &Source::commit_id);
  return codec;
}

template <>
const Codec<CodeLink>& codec_of() {
  static const Codec<CodeLink> codec = Codec<CodeLink>()
                                           .field("repo", &CodeLink::repo)
                                           .field("path", &CodeLink::path)
                                           .field("symbol", &CodeLink::symbol)
                                           .field("line_start", &CodeLink::line_start)
                                           .field("line_end", &CodeLink::line_end)
                                           .field("commit_sha", &CodeLink::commit_sha);
  return codec;
}

template <>
const Codec<AttachmentRef>& codec_of() {
  static const Codec<AttachmentRef> codec = Codec<AttachmentRef>()
                                                .field("id", &AttachmentRef::id)
                                                .field("filename", &AttachmentRef::filename)
                                                .field("content_type", &AttachmentRef::content_type)
                                                .field("size_bytes", &AttachmentRef::size_bytes);
  return codec;
}

namespace service::observation {
namespace {

// The index cuts words at 80 bytes.
constexpr size_t kLongestWord = 72;

const Codec<Observation>& observation_codec() {
  static const Codec<Observation> codec = Codec<Observation>()
                                              .field("id", &Observation::id)
                                              .field("workspace_id", &Observation::workspace_id)
                                              .field("type", &Observation::type)
                                              .field("title", &Observation::title)
                                              .field("summary_md", &Observation::summary_md)
                                              .field("sensitivity", &Observation::sensitivity)
                                              .field("tags", &Observation::tags)
                                              .field("created_by", &Observation::created_by)
                                              .field("created_at", &Observation::created_at)
                                              .field("updated_at", &Observation::updated_at)
                                              .field("source", &Observation::source)
                                              .field("subcortex_id", &Observation::subcortex_id)
                                              .field("thread_id", &Observation::thread_id)
                                              .field("task_id", &Observation::task_id)
                                              .field("attachments", &Observation::attachments)
                                              .field("code_links", &Observation::code_links)
                                              .field("metadata", &Observation::metadata)
                                              .field("quarantined", &Observation::quarantined)
                                              .field("seeded", &Observation::seeded);
  return codec;
}

bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const auto letter = static_cast<unsigned char>((byte | 0x20U) - 'a');
  return byte >= 0x80 || letter < 26 || static_cast<unsigned char>(byte - '0') < 10;
}

// Steps as long as the words that are allowed: a longer one cannot hide between two of them.
bool has_long_word(std::string_view text) {
  for (size_t at = kLongestWord; at < text.size(); at += kLongestWord + 1) {
    size_t begin = at + 1;
    while (begin > 0 && is_of_word(text[begin - 1])) --begin;
    size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end > begin + kLongestWord) return true;
  }
  return false;
}

// For the index alone: nobody scans the store by what lists filter by.
Facet& add_listed(Projection& projection, std::string_view name) {
  Facet& facet = projection.facets.emplace_back();
  facet.name += '~';
  facet.name += name;
  return facet;
}

void add(Projection& projection, std::string_view name, std::string_view text) {
  add_listed(projection, name).text = text;
}

void add(Projection& projection, std::string_view name, int64_t number) {
  Facet& facet = add_listed(projection, name);
  facet.number = number;
  facet.is_number = true;
}

void add_given(Projection& projection, std::string_view name,
               const std::optional<std::string>& text) {
  if (text) add(projection, name, *text);
}

// Seeds that were stored before they were marked are known by ids that are no ULIDs.
bool has_id_made_here(const Observation& observation) {
  static constexpr std::string_view kAfterAll = "obs_8";  // no ULID begins so
  const std::string& id = observation.id;
  return !observation.seeded && id.size() == kIdPrefix.size() + kUlidSize &&
         id.starts_with(kIdPrefix) && id < kAfterAll;
}

Facet* find_listed(Projection& projection, std::string_view name) {
  const auto found = std::ranges::find_if(projection.facets, [&](const Facet& facet) {
    return std::string_view(facet.name).substr(1) == name;
  });
  return found == projection.facets.end() ? nullptr : &*found;
}

Projection project(const Observation& observation) {
  Projection out = project_ahead(observation);
  complete(out, observation);
  return out;
}

}  // namespace

// Facets in the order of their names: whoever wants them sorted has little left to do. So what the
// write sets has its place already.
Projection project_ahead(const Observation& observation) {
  Projection out{.text = searchable(observation.title, observation.tags, observation.summary_md)};
  out.facets.reserve(12 + observation.tags.size() + observation.code_links.size());
  add(out, facet::kCreatedBy, "");
  for (const CodeLink& link : observation.code_links)
    add(out, shared_facet::kRepository, link.repo);
  add(out, facet::kSensitivity, "");
  add(out, facet::kSourceType, enum_name(observation.source.type));
  add_given(out, facet::kSubcortex, observation.subcortex_id);
  for (const std::string& tag : observation.tags) add(out, shared_facet::kTag, tag);
  add_given(out, shared_facet::kTask, observation.task_id);
  if (const auto form = text_form(observation); !form.empty()) add(out, facet::kText, form);
  add_given(out, shared_facet::kThread, observation.thread_id);
  add_listed(out, facet::kTitleKey).text = fold_case(observation.title);
  add(out, facet::kType, enum_name(observation.type));
  add(out, facet::kUpdatedAt, int64_t{0});
  add(out, facet::kWorkspace, observation.workspace_id);
  return out;
}

void complete(Projection& projection, const Observation& observation) {
  find_listed(projection, facet::kCreatedBy)->text = observation.created_by;
  find_listed(projection, facet::kSensitivity)->text = enum_name(observation.sensitivity);
  find_listed(projection, facet::kUpdatedAt)->number = to_micros(observation.updated_at);
  if (!has_id_made_here(observation)) add(projection, facet::kOwnId, observation.id);
  // What looks like a secret is not even among the words of the index.
  if (observation.quarantined) {
    projection.text = {};
    if (const Facet* form = find_listed(projection, facet::kText); form != nullptr)
      projection.facets.erase(projection.facets.begin() + (form - projection.facets.data()));
  }
  for (const AttachmentRef& attachment : observation.attachments) {
    projection.links.push_back({.relation = std::string(relation::kAttaches),
                                .target = {.kind = "attachment", .id = attachment.id},
                                .provenance = "declared"});
  }
  projection.text.at = observation.created_at;
}

SearchText searchable(const std::string& title, const std::vector<std::string>& tags,
                      const std::string& summary_md) {
  return {.title = title, .tags = tags, .summary = summary_md};
}

std::string_view text_form(const Observation& observation) {
  const std::string_view texts[] = {observation.title, observation.summary_md};
  if (std::ranges::any_of(texts, has_long_word)) return kLongText;
  return std::ranges::all_of(texts, is_ascii) ? kPlainText : std::string_view();
}

std::string summary_html(const Observation& observation) {
  return text::markdown_to_html(observation.summary_md);
}

Result<Observation> read_observation(const Object& object) {
  return observation_codec().decode_text(object.body);
}

const Noun<Observation>& observation_noun() {
  static const Noun<Observation> noun{
      .kind = "observation", .codec = observation_codec(), .project = project};
  return noun;
}

}  // namespace service::observation
}  // namespace holdfast
