#include "surface/substrate/compact_page.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/substrate/words.h"
#include "surface/substrate/encode_query.h"

namespace holdfast::surface::substrate {

using namespace service::substrate;

namespace {

constexpr std::string_view kCompactWarning =
    "Compact page returned. Use options.detail='full' only when the complete stored object is "
    "required.";
constexpr std::string_view kRepoWarning =
    "Compact repo page returned. Use its locators (path, line_start, line_end) to read local "
    "files; "
    "repo sources have no full page.";
constexpr std::string_view kRepoUnavailable =
    "Repo sources are not returned in full. Use the compact page and read local files by locator.";

bool is_empty(const Value& value) {
  if (value.is_null()) return true;
  if (const auto* elements = value.if_array()) return elements->empty();
  const auto* members = value.if_object();
  return members != nullptr && members->empty();
}

class Compacting {
 public:
  Compacting(const DocumentView& view, const PageStyle& style) : view_(view), style_(style) {}

  Value run() {
    put("id", view_.id());
    put("kind", view_.kind());
    put("title", view_.title());
    put("status", view_.status());
    put("summary", view_.summary());
    for (const std::string_view name : {"identity_key", "created_at", "updated_at"}) {
      put(name, view_.member(name));
    }
    view_.type() == ObjectType::kSource ? add_source() : add_other();
    return Value::object({{"object_type", type_name(view_.type())},
                          {"object", std::move(object_)},
                          {"detail", "compact"},
                          {"truncated", std::move(truncated_)}});
  }

 private:
  void put(std::string_view name, Value value) {
    if (!is_empty(value)) object_.set(name, std::move(value));
  }

  // A list cut to the budget, with a note under `path`.
  Value capped(const std::string& path, const Value& list) {
    const auto& elements = *list.if_array();
    if (elements.size() <= style_.max_items) return list;
    truncated_.set(path,
                   Value::object({{"returned", style_.max_items}, {"total", elements.size()}}));
    return Value(Value::Array(elements.begin(),
                              elements.begin() + static_cast<std::ptrdiff_t>(style_.max_items)));
  }

  Value clipped(const std::string& path, const std::string& text) {
    const size_t length = count_code_points(text);
    if (length <= style_.snippet_chars) return text;
    truncated_.set(
        path, Value::object({{"returned_chars", style_.snippet_chars}, {"total_chars", length}}));
    return clip(text, style_.snippet_chars);
  }

  Value compact_payload() {
    Value out = Value::object();
    const auto* members = view_.member("payload").if_object();
    if (members == nullptr) return out;
    const bool document = view_.type() == ObjectType::kSource && !view_.is_repo_source();
    for (const auto& [name, value] : *members) {
      const std::string path = "payload." + name;
      const auto* text = value.if_string();
      if (document && name == "text" && text != nullptr) {
        const size_t length = count_code_points(*text);
        out.set("text_preview", clip(*text, style_.snippet_chars));
        out.set("text_char_count", length);
        truncated_.set(path,
                       Value::object({{"returned", "text_preview"}, {"total_chars", length}}));
      } else if (text != nullptr) {
        out.set(name, clipped(path, *text));
      } else {
        out.set(name, bounded(path, value));
      }
    }
    return out;
  }

  // A list within the budget. So are the lists in the maps of a repository, which are indexes too.
  Value bounded(const std::string& path, const Value& value) {
    if (value.is_array()) return capped(path, value);
    if (!value.is_object() || !view_.is_repo_source()) return value;
    Value out = Value::object();
    for (const auto& [name, member] : *value.if_object())
      out.set(name, bounded(path + "." + name, member));
    return out;
  }

  void add_source() {
    put("origin", view_.member("origin"));
    put("content_type", view_.member("content_type"));
    put("payload", compact_payload());
    const auto* segments = view_.member("segments").if_array();
    object_.set("segment_count", segments != nullptr ? segments->size() : 0);
    if (!style_.include_segments || segments == nullptr) return;
    Value shown = Value::array();
    const Value kept = capped("segments", view_.member("segments"));
    for (const Value& json : *kept.if_array()) {
      const DocumentView segment(ObjectType::kSource, json);
      shown.push(Value::object({{"segment_id", segment.text("segment_id")},
                                {"locator", segment.member("locator")},
                                {"excerpt", clip(segment.text("excerpt"), style_.snippet_chars)},
                                {"hash", segment.text("hash")}}));
    }
    object_.set("segments", std::move(shown));
  }

  void add_other() {
    const auto add_list = [this](std::string_view name) {
      const Value& member = view_.member(name);
      if (member.is_array()) put(name, capped(std::string(name), member));
      if (member.is_string()) put(name, member);
    };
    for (const ReferenceField& field : kReferenceFields) add_list(field.field);
    for (const std::string_view name : {"artifact_refs", "aliases", "evidence_refs"})
      add_list(name);
    put("payload", compact_payload());
  }

  const DocumentView& view_;
  const PageStyle& style_;
  Value object_ = Value::object();
  Value truncated_ = Value::object();
};

Value unavailable_page(const DocumentView& view) {
  Value answer = result(
      "page_unavailable",
      Value::object({{"object_type", type_name(view.type())},
                     {"object_id", view.id()},
                     {"kind", view.kind()},
                     {"requested_detail", "full"},
                     {"unsupported_detail", "repo_source_full"},
                     {"supported_details", Value::array({"compact"})},
                     {"reason", "repo_sources_expose_compact_locators_not_full_payloads"},
                     {"next_actions", Value::array({"call_memory_query_page_without_full_detail",
                                                    "use_compact_locators_to_choose_files",
                                                    "read_local_files_for_complete_source"})}}),
      Value::array({kRepoUnavailable}));
  answer.set("status", "unsupported");
  return answer;
}

}  // namespace

Value encode_missing_page(const std::string& id) {
  return result("page", Value(), Value::array({fmt::format("Object not found: {}", id)}));
}

Value encode_page(PageAnswer page, const PageStyle& style) {
  const auto type = type_from_name(page.object_type);
  // What other surfaces stored has no compact form here: it is short, or theirs to shorten.
  if (!type || style.full) {
    if (type && DocumentView(*type, page.object).is_repo_source()) {
      return unavailable_page(DocumentView(*type, page.object));
    }
    return result("page", Value::object({{"object_type", page.object_type},
                                         {"object", std::move(page.object)},
                                         {"detail", style.full ? "full" : "compact"}}));
  }
  const DocumentView view(*type, page.object);
  return result("page", Compacting(view, style).run(),
                Value::array({view.is_repo_source() ? kRepoWarning : kCompactWarning}));
}

}  // namespace holdfast::surface::substrate
