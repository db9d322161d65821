#include "surface/native/memory_operations.h"

#include "model/json_text.h"
#include "surface/native/encode.h"

namespace holdfast::surface::native {
namespace {

using service::DeclaredLink;
using service::RememberRequest;
using service::RememberResponse;
using service::Scope;
using wire::each;
using wire::items;
using wire::length;
using wire::max_length;
using wire::no_controls;

constexpr size_t kMaxTextPoints = 200'000;
constexpr size_t kMaxMetadataBytes = 32'768;

bool is_word(std::string_view text) {
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    if (!plain) return false;
  }
  return !text.empty();
}

wire::Schema<Scope> scope_schema() {
  return wire::Schema<Scope>()
      .optional("container", &Scope::container, max_length(500), no_controls(),
                "Channel, room or repository it belongs to.")
      .optional("thread", &Scope::thread, max_length(500), no_controls(),
                "Conversation inside the container.")
      .optional("task", &Scope::task, max_length(500), no_controls(), "Task it is about.")
      .optional("repository", &Scope::repository, max_length(500), no_controls(),
                "Repository it is about.")
      .optional("work_refs", &Scope::work_refs, items(0, 16), each(length(1, 200)),
                "Tickets or pull requests; PROJ-123, proj 123 and proj_123 are one.");
}

wire::Schema<DeclaredLink> link_schema() {
  return wire::Schema<DeclaredLink>()
      .required("relation", &DeclaredLink::relation, length(1, 64),
                wire::matching("[a-z0-9_.-]+", is_word),
                "What the link says: supports, supersedes, about, ...")
      .required("kind", &DeclaredLink::kind, length(1, 64), "Kind of the object linked to.")
      .required("id", &DeclaredLink::id, length(1, 200), "Its id. It need not exist yet.");
}

// Free-form, but an object and of bounded size.
wire::FieldOption bounded_object() {
  return wire::rule_of(
      [](const Value& value, wire::Reading& reading) {
        if (!value.is_object()) {
          reading.add("type", {{"expected", "object"}});
        } else if (to_json(value).size() > kMaxMetadataBytes) {
          reading.add("size_max", {{"max", std::to_string(kMaxMetadataBytes)}});
        }
      },
      [](Value& schema) { schema.set("type", "object"); });
}

void check_times_and_audience(const RememberRequest& request, wire::Checks& checks) {
  if (request.valid_from && request.valid_until && *request.valid_until <= *request.valid_from) {
    checks.add("valid_until", "after", {{"other", "valid_from"}});
  }
  if (request.visibility == service::Audience::kContainer && request.scope.container.empty()) {
    checks.add("visibility", "needs", {{"other", "scope.container"}});
  }
}

Value encode_remembered(const RememberResponse& response) {
  return Value::object({{"space", response.space.value},
                        {"created", response.created},
                        {"replayed", response.replayed},
                        {"object", encode_object(response.object)}});
}

}  // namespace

const wire::Operation<RememberRequest, RememberResponse>& remember() {
  static const wire::Operation<RememberRequest, RememberResponse> operation{
      .name = "remember",
      .summary = "Store one memory or one piece of evidence.",
      .description =
          "A memory may be corrected by sending it again under its id; evidence never changes. "
          "With the header "
          "Idempotency-Key a repeated call stores nothing twice.",
      .request =
          wire::Schema<RememberRequest>()
              .required("text", &RememberRequest::text, length(1, kMaxTextPoints),
                        wire::not_blank(), "What to remember.")
              .optional("kind", &RememberRequest::kind,
                        "memory: what is believed; evidence: what was observed.")
              .optional("id", &RememberRequest::id, max_length(200), no_controls(),
                        "An id of your own, or the one to correct.")
              .optional("title", &RememberRequest::title, max_length(300), no_controls(),
                        "One line; weighs most in search.")
              .optional("tags", &RememberRequest::tags, items(0, 32),
                        each(length(1, 64), no_controls()), "Words to filter by.")
              .optional("scope", &RememberRequest::scope, scope_schema(), "Where it belongs.")
              .optional("visibility", &RememberRequest::visibility,
                        "public: everyone in the space; container: readers of scope.container; "
                        "private: only you.")
              .optional("sensitivity", &RememberRequest::sensitivity,
                        "sensitive needs clearance to be seen.")
              .optional("speaker", &RememberRequest::speaker, max_length(200), no_controls(),
                        "Who said it.")
              .optional("source", &RememberRequest::source, max_length(2000), no_controls(),
                        "Where it came from.")
              .optional("occurred_at", &RememberRequest::occurred_at,
                        "When it happened; now if left out.")
              .optional("valid_from", &RememberRequest::valid_from,
                        "Believed true from this time on.")
              .optional("valid_until", &RememberRequest::valid_until,
                        "Believed true until this time.")
              .optional("due_at", &RememberRequest::due_at,
                        "A reminder: context shows it when due.")
              .optional("work_state", &RememberRequest::work_state,
                        "open work is shown by context until it is done.")
              .optional("links", &RememberRequest::links, items(0, 64), each(link_schema()),
                        "Objects it refers to.")
              .optional("metadata", &RememberRequest::metadata, bounded_object(),
                        "Anything of your own; kept as it is.")
              .optional("expected_revision", &RememberRequest::expected_revision, wire::at_least(0),
                        "Refuse unless the stored revision is this one (0: must not exist).")
              .optional("reason", &RememberRequest::reason, max_length(500),
                        "Why; shown in the history.")
              .check(check_times_and_audience),
      .encode = encode_remembered,
      .success_status = 201,
      .status = [](const RememberResponse& response) { return response.created ? 201 : 200; },
      .further_statuses = {200},
      .tags = {"memory"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
