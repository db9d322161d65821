#include "surface/observations/observation_schemas.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.h"
#include "base/sorted.h"
#include "base/utf8.h"
#include "service/observation/failure.h"
#include "service/observation/metadata.h"
#include "surface/observations/schema_words.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their requests
using wire::no_echo;
using wire::Reading;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_visible(char c) { return c > 0x20 && c < 0x7f; }

// Too short is told by the length rule alone.
bool is_tag(std::string_view tag) {
  return tag.empty() || (is_ascii_alnum(tag.front()) && std::ranges::all_of(tag, [](char c) {
                           return is_ascii_alnum(c) || c == '_' || c == '-';
                         }));
}

bool is_path(std::string_view path) {
  if (path.empty()) return true;
  return path.find('\\') == std::string_view::npos &&
         field::all_segments(
             path, [](std::string_view one) { return !one.empty() && one != "." && one != ".."; });
}

bool is_sha(std::string_view sha) { return std::ranges::all_of(sha, is_hex); }
bool is_commit_id(std::string_view id) { return std::ranges::all_of(id, is_visible); }

constexpr size_t kLongestFilename = 255;

bool is_filename(std::string_view name) {
  return !name.empty() && name.size() <= kLongestFilename && name != "." && name != ".." &&
         std::ranges::all_of(
             name, [](char c) { return is_ascii_alnum(c) || c == '_' || c == '.' || c == '-'; });
}

// Whatever is wrong with a name, its length included, is wrong with its form.
FieldOption filename() {
  return wire::rule_of(
      [](const Value& value, Reading& reading) {
        const auto* name = value.if_string();
        if (name == nullptr || is_filename(*name)) return;
        reading.add(wire::rule::kPattern, {{"pattern", "1 to 255 letters, digits, _ . -"}});
      },
      [](Value& schema) {
        schema.set("minLength", 1);
        schema.set("maxLength", kLongestFilename);
      });
}

// Of a patch, what it leaves in the result counts.
FieldOption metadata_rules(bool patch = false) {
  return wire::rule_of([patch](const Value& value, Reading& reading) {
    if (!value.is_object()) return reading.add_type("object", value);
    for (const Issue& issue : metadata_issues(patch ? without_nulls(value) : value)) {
      // The first step is the member itself, where the reading already is.
      for (size_t i = 1; i < issue.path.size(); ++i) {
        const Issue::Step& step = issue.path[i];
        if (step.is_index) {
          reading.enter(static_cast<size_t>(std::stoul(step.name)));
        } else {
          reading.enter(std::string_view(step.name));
        }
      }
      reading.add(issue.rule);
      for (size_t i = 1; i < issue.path.size(); ++i) reading.leave();
    }
  });
}

FieldOption tag_rules() {
  return each(length(1, 50), wire::matching("letters, digits, _ and -", is_tag), no_echo());
}

FieldOption once_each() {
  return wire::rule_of([](const Value& value, Reading& reading) {
    const auto* list = value.if_array();
    std::set<std::string_view> known;
    for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto* text = (*list)[i].if_string();
      if (text == nullptr || known.insert(*text).second) continue;
      const wire::Place place(reading, i);
      reading.add(wire::rule::kDuplicate);
    }
  });
}

Schema<CodeLink> code_link_schema() {
  return Schema<CodeLink>()
      .required("repo", &CodeLink::repo, length(1, 200), no_echo(),
                wire::matching("segments joined by /", field::is_repository))
      .optional("path", &CodeLink::path, length(1, 1024), no_controls(), no_echo(),
                wire::matching("a relative path", is_path))
      .optional("symbol", &CodeLink::symbol, length(1, 300), no_controls(), no_echo())
      .optional("line_start", &CodeLink::line_start, wire::at_least(1), no_echo())
      .optional("line_end", &CodeLink::line_end, wire::at_least(1), no_echo())
      .optional("commit_sha", &CodeLink::commit_sha, length(7, 64), no_echo(),
                wire::matching("hexadecimal digits", is_sha))
      .check([](const CodeLink& link, wire::Checks& checks) {
        if (!link.line_end || !checks.ok({"line_start", "line_end"})) return;
        if (!link.line_start) {
          checks.add("line_end", wire::rule::kFormat, {{"expected", "given with line_start"}});
        } else if (*link.line_end < *link.line_start) {
          checks.add("line_end", wire::rule::kRangeMin,
                     {{"min", std::to_string(*link.line_start)}});
        }
      });
}

Schema<Source> source_schema() {
  return Schema<Source>()
      .optional("type", &Source::type, no_echo())
      .optional("session_id", &Source::session_id, length(1, 200), no_controls(), no_echo())
      .optional("commit_id", &Source::commit_id, length(1, 200), no_controls(), no_echo());
}

// A member of the observation that a draft is: what it inherits is not taken for its own.
template <typename M>
M Draft::*own(M Observation::*member) {
  return member;
}

void read_items(const Value& value, BatchItems& items, Reading& reading) {
  const auto* list = value.if_array();
  if (list == nullptr) return reading.add_type("array", value);
  if (list->empty()) reading.add(wire::rule::kItemsMin, {{"min", "1"}, {"actual", "0"}});
  items.list = &value;
}

}  // namespace

const Schema<Draft>& draft_schema() {
  static const Schema<Draft> schema =
      Schema<Draft>()
          .required("workspace_id", own(&Draft::workspace_id), field::id(), "Where it belongs.")
          .required("type", own(&Draft::type))
          .required("title", own(&Draft::title), field::title(), length(5, 300))
          .required("summary_md", own(&Draft::summary_md), field::markdown(), no_echo(),
                    field::markdown_length(10, 10000), "Markdown.")
          .optional("sensitivity", &Draft::wanted_sensitivity)
          .optional("tags", own(&Draft::tags), items(0, 20), tag_rules(), no_echo())
          .optional("source", own(&Draft::source), source_schema(), no_echo(), "How it came about.")
          .optional("linked_subcortex_id", own(&Draft::subcortex_id), field::id())
          .optional("linked_thread_id", own(&Draft::thread_id), field::id())
          .optional("linked_task_id", own(&Draft::task_id), field::id())
          .optional("attachment_ids", &Draft::attachment_ids, items(0, 10), once_each(),
                    each(field::id()), "Files that were completed before.")
          .optional("code_links", own(&Draft::code_links), items(0, 10), no_echo(),
                    each(code_link_schema(), no_echo()))
          .optional("metadata", own(&Draft::metadata), metadata_rules(), no_echo(),
                    "Anything, up to 32 KiB.")
          .read_only({"id", "summary_html", "created_by_id", "created_by", "created_at",
                      "updated_at", "attachments", "stats", "cited_by", "linked_subcortex",
                      "linked_thread", "linked_task"});
  return schema;
}

void drop_repeated(std::vector<std::string>& tags) {
  auto end = tags.begin();  // of those that are kept
  for (auto tag = tags.begin(); tag != tags.end(); ++tag) {
    if (std::find(tags.begin(), end, *tag) != end) continue;
    if (end != tag) *end = std::move(*tag);
    ++end;
  }
  tags.erase(end, tags.end());
}

const Schema<Patch>& patch_schema() {
  static const Schema<Patch> schema =
      Schema<Patch>()
          .optional("title", &Patch::title, field::title(), length(5, 300))
          .optional("summary_md", &Patch::summary_md, field::markdown(), no_echo(),
                    field::markdown_length(10, 10000))
          .optional("sensitivity", &Patch::sensitivity, "Changing it needs tier T3.")
          .optional("tags", &Patch::tags, items(0, 20), tag_rules(), no_echo())
          .optional("linked_subcortex_id", &Patch::subcortex_id, field::id())
          .optional("linked_thread_id", &Patch::thread_id, field::id())
          .optional("linked_task_id", &Patch::task_id, field::id())
          .optional("metadata", &Patch::metadata, metadata_rules(true), no_echo(),
                    "Merged into what is there; null takes a member out.")
          // Some of these are fixed at creation, the others the server's; errors.cpp tells them
          // apart.
          .read_only({"workspace_id", "type", "source", "attachment_ids", "code_links", "id",
                      "summary_html", "created_by_id", "created_by", "created_at", "updated_at",
                      "attachments", "stats", "cited_by", "linked_subcortex", "linked_thread",
                      "linked_task"});
  return schema;
}

const Schema<BatchBody>& batch_schema() {
  static const Schema<BatchBody> schema =
      Schema<BatchBody>()
          .required("commit_id", &BatchBody::commit_id, length(1, 200), no_echo(),
                    wire::matching("visible ASCII", is_commit_id),
                    "Names the batch: repeating it makes nothing twice.")
          .required("observations", &BatchBody::observations,
                    wire::read_by<BatchItems>(read_items, Value::object()), no_echo(),
                    "1 to 100 bodies of POST /observations.")
          .optional("fail_on_error", &BatchBody::fail_on_error, "All of them or none.");
  return schema;
}

const Schema<Attachment>& initiate_schema() {
  static const Schema<Attachment> schema =
      Schema<Attachment>()
          .required("filename", &Attachment::filename, filename(), no_echo())
          .required(
              "content_type", &Attachment::content_type,
              wire::one_of({"application/pdf", "text/plain", "text/markdown", "text/csv",
                            "application/json", "image/png", "image/jpeg", "image/gif",
                            "image/webp", "application/zip", "application/gzip", "text/x-python",
                            "text/x-javascript", "text/x-typescript", "text/x-c++", "text/x-diff"}))
          .required("size_bytes", &Attachment::size_bytes, wire::range(1, 524288000))
          .required("workspace_id", &Attachment::workspace_id, field::id())
          .read_only({"id", "sha256", "url", "status", "created_by_id", "created_at"});
  return schema;
}

const Schema<CompleteBody>& complete_schema() {
  static const Schema<CompleteBody> schema = Schema<CompleteBody>().optional(
      "sha256", &CompleteBody::sha256, length(64, 64), wire::matching("hexadecimal digits", is_sha),
      "Of the bytes, to be compared.");
  return schema;
}

}  // namespace holdfast::surface::observations
