#include "surface/observations/encode.h"

#include "base/time_text.h"
#include "model/json_pieces.h"
#include "model/json_text.h"
#include "service/observation/left_out_titles.h"
#include "surface/observations/errors.h"

namespace holdfast::surface::observations {
namespace {

using namespace observation;  // NOLINT(google-build-using-namespace): their encoders

void set_given(Value& to, std::string_view name, const std::optional<std::string>& value) {
  if (value) to.set(name, *value);
}

Value source_value(const Source& source) {
  Value value = Value::object({{"type", enum_name(source.type)}});
  if (!source.session_id.empty()) value.set("session_id", source.session_id);
  if (!source.commit_id.empty()) value.set("commit_id", source.commit_id);
  return value;
}

Value stats_value(const Stats& stats) {
  return Value::object({{"view_count", stats.views}, {"citation_count", stats.citations}});
}

Value attachment_entry(const AttachmentRef& attachment) {
  return Value::object({{"id", attachment.id},
                        {"filename", attachment.filename},
                        {"content_type", attachment.content_type},
                        {"size_bytes", attachment.size_bytes}});
}

Value code_links_value(const std::vector<CodeLink>& links) {
  Value list = Value::array();
  for (const CodeLink& link : links) list.push(codec_of<CodeLink>().encode(link));
  return list;
}

// `name` with quotes and colon, and with a comma where it is not the first.
void append_piece(std::string& out, std::string_view name, std::string_view piece) {
  out.append(name).append(piece);
}
void append_given(std::string& out, std::string_view name, std::string_view piece) {
  if (!piece.empty()) append_piece(out, name, piece);
}

// A stored time has microseconds, a shown one milliseconds.
void append_time(std::string& out, std::string_view name, std::string_view piece) {
  constexpr std::string_view kCut = "000Z\"";
  append_piece(out, name, piece.substr(0, piece.size() - kCut.size()));
  out += "Z\"";
}

// Without the texts that say nothing.
void append_source(std::string& out, std::string_view source) {
  out += R"(,"source":{)";
  json_pieces::each_member(source, [&](std::string_view name, std::string_view value, bool) {
    if (value == R"("")") return true;
    if (out.back() != '{') out += ',';
    out.append(1, '"').append(name).append("\":").append(value);
    return true;
  });
  out += '}';
}

void append_item(std::string& out, const Listed& item, std::string_view creator) {
  append_piece(out, R"({"id":)", item.id);
  append_piece(out, R"(,"workspace_id":)", item.workspace_id);
  append_piece(out, R"(,"type":)", item.type);
  append_piece(out, R"(,"title":)", item.title);
  append_piece(out, R"(,"summary_md":)", item.summary_md);
  append_piece(out, R"(,"sensitivity":)", item.sensitivity);
  append_piece(out, R"(,"tags":)", item.tags);
  append_piece(out, R"(,"created_by_id":)", item.created_by);
  append_piece(out, R"(,"created_by":)", creator);
  append_time(out, R"(,"created_at":)", item.created_at);
  append_time(out, R"(,"updated_at":)", item.updated_at);
  append_source(out, item.source);
  append_given(out, R"(,"linked_subcortex_id":)", item.subcortex_id);
  append_given(out, R"(,"linked_thread_id":)", item.thread_id);
  append_given(out, R"(,"linked_task_id":)", item.task_id);
  append_piece(out, R"(,"attachments":)", item.attachments);
  append_piece(out, R"(,"stats":{"view_count":)", std::to_string(item.stats.views));
  append_piece(out, R"(,"citation_count":)", std::to_string(item.stats.citations));
  out += "}}";
}

// Everything up to the links.
Value head_of(const Observation& one) {
  Value value = Value::object({{"id", one.id},
                               {"workspace_id", one.workspace_id},
                               {"type", enum_name(one.type)},
                               {"title", one.title},
                               {"summary_md", one.summary_md}});
  value.set("summary_html", summary_html(one));
  value.set("sensitivity", enum_name(one.sensitivity));
  value.set("tags", Value::array_of(one.tags));
  value.set("created_by_id", one.created_by);
  return value;
}

void add_rest(Value& value, const Observation& one, const PrincipalCard& creator) {
  value.set("created_by", value_of(creator));
  value.set("created_at", format_millis(one.created_at));
  value.set("updated_at", format_millis(one.updated_at));
  value.set("source", source_value(one.source));
  set_given(value, "linked_subcortex_id", one.subcortex_id);
  set_given(value, "linked_thread_id", one.thread_id);
  set_given(value, "linked_task_id", one.task_id);
  Value attachments = Value::array();
  for (const AttachmentRef& attachment : one.attachments)
    attachments.push(attachment_entry(attachment));
  value.set("attachments", std::move(attachments));
}

void add_embedded(Value& value, const Shown& shown) {
  if (const auto& subcortex = shown.subcortex) {
    value.set("linked_subcortex",
              Value::object(
                  {{"id", subcortex->id}, {"slug", subcortex->slug}, {"name", subcortex->name}}));
  }
  if (const auto& thread = shown.thread) {
    value.set("linked_thread", Value::object({{"id", thread->id}, {"title", thread->title}}));
  }
  if (const auto& task = shown.task) {
    value.set("linked_task",
              Value::object({{"id", task->id}, {"title", task->title}, {"status", task->status}}));
  }
}

std::string field_text(const std::vector<Issue::Step>& path) {
  return "body." + Issue{.path = path}.path_text();
}

// The link as it stands now; null after it was cleared.
void set_link(Value& value, std::string_view name,
              const std::optional<std::optional<std::string>>& sent,
              const std::optional<std::string>& now) {
  if (sent) value.set(name, now ? Value(*now) : Value());
}

}  // namespace

std::string list_text(const ObservationPage& page, const Value& pagination, const Value& meta) {
  constexpr size_t kItemBytes = 300;  // mostly less, beside the body
  std::vector<std::string> creators;
  for (const PrincipalCard& creator : page.creators) creators.push_back(to_json(value_of(creator)));
  size_t size = 2 * kItemBytes;
  for (const auto& one : page.bodies) size += one.body.size() + kItemBytes;
  std::string out;
  out.reserve(size);
  out += R"({"data":[)";
  for (const Listed& item : page.items) {
    if (out.back() != '[') out += ',';
    append_item(out, item, creators[item.creator]);
  }
  out += R"(],"pagination":)";
  append_json(out, pagination);
  out += R"(,"meta":)";
  append_json(out, meta);
  out += '}';
  return out;
}

Value created_value(const Created& created) {
  Value value = head_of(created.observation);
  add_rest(value, created.observation, created.creator);
  value.set("code_links", code_links_value(created.observation.code_links));
  value.set("metadata", created.observation.metadata);
  value.set("stats", stats_value({}));
  return value;
}

Value shown_value(const Shown& shown, const std::string& public_url) {
  const Observation& one = shown.observation;
  Value value = head_of(one);
  add_rest(value, one, shown.creator);
  add_embedded(value, shown);
  Value attachments = Value::array();
  for (const AttachmentRef& attachment : one.attachments) {
    Value entry = attachment_entry(attachment);
    entry.set("url", public_url + "/attachments/" + attachment.id + "/" + attachment.filename);
    attachments.push(std::move(entry));
  }
  value.set("attachments", std::move(attachments));
  value.set("code_links", code_links_value(one.code_links));
  value.set("metadata", one.metadata);
  value.set("stats", stats_value(shown.stats));
  Value cited_by = Value::array();
  for (const CitedBy& citing : shown.cited_by) {
    Value entry = Value::object({{"type", citing.type}, {"id", citing.id}});
    if (!citing.thread_id.empty()) entry.set("thread_id", citing.thread_id);
    cited_by.push(std::move(entry));
  }
  value.set("cited_by", std::move(cited_by));
  return value;
}

Value patched_value(const Patched& patched, const Patch& patch) {
  const Observation& now = patched.observation;
  Value value = Value::object({{"id", now.id}});
  if (patch.title) value.set("title", now.title);
  if (patch.summary_md) {
    value.set("summary_md", now.summary_md);
    value.set("summary_html", summary_html(now));
  }
  if (patch.tags) value.set("tags", Value::array_of(now.tags));
  if (patch.sensitivity) value.set("sensitivity", enum_name(now.sensitivity));
  set_link(value, "linked_subcortex_id", patch.subcortex_id, now.subcortex_id);
  set_link(value, "linked_thread_id", patch.thread_id, now.thread_id);
  set_link(value, "linked_task_id", patch.task_id, now.task_id);
  if (patch.metadata) value.set("metadata", now.metadata);
  value.set("updated_at", format_millis(now.updated_at));
  return value;
}

std::string batch_text(const BatchOutcome& outcome) {
  constexpr size_t kItemBytes = 160;  // mostly less
  std::string out;
  out.reserve((outcome.made.size() + 2) * kItemBytes);
  out += R"({"commit_id":)";
  append_json_string(out, outcome.commit_id);
  out += R"(,"created":[)";
  for (const auto& item : outcome.made) {
    if (out.back() != '[') out += ',';
    out += R"({"index":)";
    out += std::to_string(item.index);
    out += R"(,"id":)";
    append_json_string(out, item.id);
    out += R"(,"title":)";
    service::observation::leave_out_title(out, item.index);
    out += '}';
  }
  out += R"(],"failed":)";
  Value failed = Value::array();
  for (const auto& item : outcome.failed) {
    failed.push(Value::object(
        {{"index", item.index},
         {"title", item.title ? Value(*item.title) : Value()},
         {"error",
          Value::object({{"code", published(item.error).code},
                         {"message", message_of(item.error)},
                         {"details", details_of(item.error, "POST", "/observations")}})}}));
  }
  append_json(out, failed);
  out += R"(,"total_created":)" + std::to_string(outcome.made.size());
  out += R"(,"total_failed":)" + std::to_string(outcome.failed.size());
  out += '}';
  return out;
}

Value warnings_value(const std::vector<ContentWarning>& warnings) {
  Value list = Value::array();
  for (const ContentWarning& warning : warnings) {
    list.push(Value::object({{"field", field_text(warning.path)},
                             {"code", warning.code},
                             {"severity", warning.severity}}));
  }
  return list;
}

std::string file_url(const Attachment& attachment, const std::string& public_url) {
  return public_url + "/attachments/" + attachment.id + "/" + attachment.filename;
}

Value attachment_value(const Attachment& attachment, const std::string& public_url) {
  Value value = Value::object({{"id", attachment.id},
                               {"filename", attachment.filename},
                               {"content_type", attachment.content_type},
                               {"size_bytes", attachment.size_bytes}});
  if (attachment.ready) {
    value.set("sha256", attachment.sha256);
    value.set("url", file_url(attachment, public_url));
  }
  value.set("status", attachment.ready ? "ready" : "pending");
  value.set("created_at", format_millis(attachment.created_at));
  return value;
}

}  // namespace holdfast::surface::observations
