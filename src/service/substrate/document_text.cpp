#include "service/substrate/document_text.h"

#include "model/json_text.h"
#include "service/substrate/unique_texts.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

// Text beyond these is not searched: a document is found by what is in its first half megabyte.
constexpr size_t kMaxPayloadBytes = size_t{256} << 10;
constexpr size_t kMaxSegmentBytes = size_t{512} << 10;
constexpr size_t kUsualMetadata = 256;

std::string bounded(std::string text, size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;
  text.resize(limit);
  return text;
}

// The words of a payload as they are, for the index: JSON's escapes would glue them together.
void append_words(std::string& out, const Value& value) {
  if (out.size() > kMaxPayloadBytes) return;
  if (const auto* text = value.if_string()) {
    out.append(*text).append("\n");
  } else if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements) append_words(out, element);
  } else if (const auto* members = value.if_object()) {
    for (const auto& member : *members) {
      out.append(member.name).append("\n");
      append_words(out, member.value);
    }
  } else if (!value.is_null()) {
    append_json(out, value);
    out += '\n';
  }
}

std::string payload_text(const DocumentView& view) {
  const Value& payload = view.member("payload");
  const auto* members = payload.if_object();
  if (members == nullptr || members->empty()) return {};
  return bounded(sorted_json(payload), kMaxPayloadBytes);
}

// Excerpts, and the paths of their places.
std::string segment_text(const DocumentView& view) {
  std::string out;
  const auto* segments = view.member("segments").if_array();
  if (segments == nullptr) return out;
  for (const Value& element : *segments) {
    const DocumentView segment(view.type(), element);
    out += segment.text("excerpt");
    out += '\n';
    const DocumentView locator(view.type(), segment.member("locator"));
    for (const std::string_view name : {"path", "ref"}) {
      if (const auto path = locator.text(name); !path.empty()) out.append(path).append("\n");
    }
    if (out.size() > kMaxSegmentBytes) break;
  }
  return bounded(std::move(out), kMaxSegmentBytes);
}

std::string metadata_of(const DocumentView& view) {
  std::string out;
  out.reserve(kUsualMetadata);
  const auto add = [&](std::string_view word) { out.append(word).append("\n"); };
  each_named_word(view, add);
  each_evidence_word(view, add);
  return lowered(std::move(out));
}

}  // namespace

SearchText search_text_of(const DocumentView& view) {
  SearchText text;
  text.title = std::string(view.title());
  UniqueTexts ids;
  const auto add = [&](std::string_view word) { ids.add(word); };
  each_named_word(view, add);
  each_evidence_word(view, add);
  text.ids = ids.take();
  text.summary = view.summary();
  append_words(text.body, view.member("payload"));
  text.body = bounded(std::move(text.body), kMaxPayloadBytes);
  text.body += '\n';
  text.body += segment_text(view);
  if (const auto at = read_time(view.updated_at())) text.at = *at;
  text.valid_from = read_time(view.text("valid_from"));
  text.valid_until = read_time(view.text("valid_until"));
  return text;
}

Haystacks haystacks_of(const DocumentView& view) {
  return {.title = lower(view.title()),
          .summary = lowered(view.summary()),
          .metadata = metadata_of(view),
          .payload = lowered(payload_text(view)),
          .segments = lowered(segment_text(view))};
}

Haystacks record_haystacks_of(const DocumentView& view) {
  std::string metadata;
  const auto add = [&](std::string_view word) { metadata.append(word).append("\n"); };
  add(type_name(view.type()));
  add(view.kind());
  add(view.status());
  each_evidence_word(view, add);
  return {.title = lower(view.title()),
          .summary = lowered(view.summary()),
          .metadata = lowered(std::move(metadata)),
          .payload = lowered(payload_text(view))};
}

std::string payload_of(const Outline& outline) {
  const std::string_view written = outline.payload();
  if (written.empty()) return {};
  const auto json = parse_json(written);
  return lowered(bounded(json ? sorted_json(*json) : std::string(written), kMaxPayloadBytes));
}

std::string_view plain_payload_of(const Outline& outline) {
  const std::string_view written = outline.payload();
  const bool is_same = written.size() <= kMaxPayloadBytes && json_pieces::is_plain(written);
  return is_same ? written : std::string_view();
}

}  // namespace holdfast::service::substrate
