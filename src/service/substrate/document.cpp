#include "service/substrate/document.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/json_text.h"
#include "service/substrate/unique_texts.h"
#include "service/substrate/words.h"

namespace holdfast {

using service::substrate::Document;

std::string Codec<Document>::encode_text(const Document& from) const { return to_json(from.json); }

Result<Document> Codec<Document>::decode_text(std::string_view text) const {
  auto value = parse_json(text);
  if (value && value->is_object()) return Document{.json = std::move(*value)};
  return Error{.code = ErrorCode::kCorrupted,
               .message = "A stored object cannot be read; 'holdfast verify' tells more.",
               .detail = value ? "the body is no object" : value.error().message};
}

namespace service::substrate {
namespace {

// Lists of names that are references for filters and for search, but no edges.
constexpr std::array<std::string_view, 2> kNamingFields = {"scope_refs", "artifact_refs"};

// An id has a prefix; longer texts are prose.
constexpr size_t kMaxIdBytes = 256;

bool can_be_id(std::string_view text) {
  return text.size() <= kMaxIdBytes && text.find(':') != std::string_view::npos &&
         text.find_first_of(" \t\r\n") == std::string_view::npos;
}

std::string joined(const Value& list, size_t limit, std::string_view member) {
  std::string out;
  size_t count = 0;
  const auto* elements = list.if_array();
  if (elements == nullptr) return out;
  for (const Value& element : *elements) {
    const Value* named = member.empty() ? &element : element.find(member);
    const auto* text = named != nullptr ? named->if_string() : nullptr;
    if (text == nullptr) continue;
    if (count++ == limit) break;
    if (!out.empty()) out += ", ";
    out += *text;
  }
  return out;
}

std::string repo_summary(const Value& payload) {
  const auto part = [&](std::string_view name) -> const Value& {
    static const Value none;
    const Value* found = payload.find(name);
    return found != nullptr ? *found : none;
  };
  const auto number = [&](std::string_view name) {
    return static_cast<int64_t>(part(name).to_double());
  };
  std::string out = fmt::format("Repository map with {} files and {} directories.",
                                number("file_count"), number("dir_count"));
  const auto add = [&](std::string_view label, const std::string& list) {
    if (!list.empty()) out += fmt::format(" {}: {}.", label, list);
  };
  add("Source roots", joined(part("source_roots"), 12, ""));
  add("Modules", joined(part("code_modules"), 12, "path"));
  add("Documents", joined(part("document_sections"), 3, "heading"));
  std::string languages;
  if (const auto* members = part("language_counts").if_object()) {
    for (const auto& member : *members) {
      languages += fmt::format("{}{} {}", languages.empty() ? "" : ", ", member.name,
                               static_cast<int64_t>(member.value.to_double()));
    }
  }
  add("Languages", languages);
  return out;
}

}  // namespace

const Value& DocumentView::member(std::string_view name) const {
  static const Value none;
  const Value* found = json_.find(name);
  return found != nullptr ? *found : none;
}

std::string_view DocumentView::text(std::string_view name) const {
  const auto* found = member(name).if_string();
  return found != nullptr ? std::string_view(*found) : std::string_view();
}

std::vector<std::string> DocumentView::texts(std::string_view name) const {
  std::vector<std::string> out;
  each_text(name, [&](const std::string& one) { out.push_back(one); });
  return out;
}

std::string_view DocumentView::title() const { return title_of(*this); }
std::string_view DocumentView::kind() const { return kind_of(*this); }
std::string_view DocumentView::status() const { return status_of(*this); }

std::string_view DocumentView::updated_at() const {
  const std::string_view found = text("updated_at");
  return found.empty() ? text("created_at") : found;
}

bool DocumentView::is_repo_source() const {
  return type_ == ObjectType::kSource && text("kind") == "repo";
}

bool DocumentView::is_temporary() const {
  return is_temporary_word(text("status")) || is_temporary_word(text("lifecycle_state"));
}

std::string DocumentView::summary() const {
  return is_repo_source() ? repo_summary(member("payload")) : std::string(text("summary"));
}

std::vector<DocumentView::Evidence> DocumentView::evidence() const {
  std::vector<Evidence> out;
  if (const auto* elements = member("evidence_refs").if_array()) {
    for (const Value& element : *elements) {
      const DocumentView ref(type_, element);
      if (!ref.text("source_id").empty()) {
        out.push_back({std::string(ref.text("source_id")), std::string(ref.text("segment_id"))});
      }
    }
  }
  return out;
}

std::vector<std::string> DocumentView::evidence_sources() const {
  UniqueTexts out;
  for (const Evidence& ref : evidence()) out.add(ref.source_id);
  return out.take();
}

std::vector<std::string> DocumentView::payload_ids() const {
  UniqueTexts out;
  const auto add = [&](const Value& value) {
    const auto* found = value.if_string();
    if (found != nullptr && can_be_id(*found)) out.add(*found);
  };
  // A source's payload is its content, not statements about others.
  const auto* members = member("payload").if_object();
  if (members == nullptr || type_ == ObjectType::kSource) return {};
  for (const auto& [name, value] : *members) {
    add(value);
    if (const auto* elements = value.if_array()) {
      for (const Value& element : *elements) add(element);
    }
  }
  return out.take();
}

std::vector<std::string> DocumentView::all_references() const {
  UniqueTexts out;
  for (const ReferenceField& field : kReferenceFields) out.add_all(texts(field.field));
  for (const std::string_view field : kNamingFields) out.add_all(texts(field));
  out.add_all(evidence_sources());
  out.add_all(payload_ids());
  return out.take();
}

bool is_temporary_word(std::string_view word) {
  return word == "temporary" || word == "scratch" || word == "evaluation";
}

int status_rank(std::string_view status) {
  struct Rank {
    std::string_view status;
    int rank;
  };
  static constexpr std::array<Rank, 9> kRanks = {{{"active", 0},
                                                  {"finalized", 1},
                                                  {"completed", 1},
                                                  {"candidate", 2},
                                                  {"open", 3},
                                                  {"in_progress", 4},
                                                  {"blocked", 5},
                                                  {"draft", 6},
                                                  {"archived", 99}}};
  const auto* const found = std::ranges::find(kRanks, status, &Rank::status);
  return found != kRanks.end() ? found->rank : 50;
}

}  // namespace service::substrate
}  // namespace holdfast
