// Reminders, tasks and peers.
#include "service/continuity/capsule.h"
#include "surface/continuity/capsule_operations.h"

namespace holdfast::surface::continuity {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs
using service::continuity::text;      // not the namespace of that name

int created_status(const Value& answer) {
  const Value* created = answer.find("created");
  return created != nullptr && *created == Value(true) ? 201 : 200;
}

// Reminders judge their payload themselves; the shape publishes it and keeps what was sent.
Operation scheduling(const std::string& name, std::string method, std::string path,
                     std::vector<Member> members,
                     std::function<Result<Value>(const Request&)> run) {
  Shape shape = object(std::move(members));
  const std::string verb = name.substr(name.find('.') + 1);
  return {.name = name,
          .method = std::move(method),
          .path = std::move(path),
          .bucket = "schedule_" + verb,
          .description = "Reminders: " + verb + ".",
          .scopes = {std::string(verb == "get" || verb == "list" ? kReadFiles : kWriteProjects)},
          .idempotent = verb == "get" || verb == "list" || verb == "create",
          .shape = std::move(shape),
          .run = std::move(run),
          .own_payload = true};
}

}  // namespace

std::vector<Operation> work_operations(const Services& services) {
  ScheduleService& schedule = services.schedule;
  TaskService& tasks = services.tasks;
  const std::string item = "/v1/schedule/items/{schedule_id}";
  const Shape id = text();
  const std::vector<Member> mutable_members = {
      optional("kind", one_of({"reminder", "task_nudge"})),
      optional("title", text(1, 160)),
      optional("note", text(0, 1000).or_null()),
      optional("due_at", text()),
      optional("task_id", text(1, 200).or_null()),
      optional("thread_id", text(1, 200).or_null()),
      optional("subject_kind", subject_kind_shape().or_null()),
      optional("subject_id", text(1, 200).or_null()),
      optional("metadata", map().or_null())};
  std::vector<Member> create = mutable_members;
  for (Member& member : create)
    member.required = member.name == "kind" || member.name == "title" || member.name == "due_at";
  create.push_back(optional("schedule_id", id.or_null()));
  create.push_back(optional("idempotency_key", text(1, 200).or_null()));
  std::vector<Member> update = mutable_members;
  update.push_back(required("schedule_id", id));
  update.push_back(required("expected_version", integer(1, INT64_MAX)));
  std::vector<Operation> out = {
      scheduling("schedule.create", "POST", "/v1/schedule/items", create,
                 bind(schedule, &ScheduleService::create)),
      scheduling(
          "schedule.list", "GET", "/v1/schedule/items",
          {optional("status", text()), optional("due", boolean()), optional("task_id", text()),
           optional("thread_id", text()), optional("subject_kind", subject_kind_shape()),
           optional("subject_id", text()), optional("include_retired", boolean()),
           optional("limit", integer(1, 200)), optional("offset", integer(0, 10'000))},
          bind(schedule, &ScheduleService::list)),
      scheduling("schedule.get", "GET", item, {required("schedule_id", id)},
                 bind(schedule, &ScheduleService::get)),
      scheduling("schedule.update", "PATCH", item, update,
                 bind(schedule, &ScheduleService::update)),
      scheduling("schedule.acknowledge", "POST", item + "/acknowledge",
                 {required("schedule_id", id), optional("status", one_of({"acknowledged", "done"})),
                  optional("reason", text(0, 500).or_null()),
                  optional("expected_version", integer(1, INT64_MAX))},
                 bind(schedule, &ScheduleService::acknowledge)),
      scheduling("schedule.retire", "POST", item + "/retire",
                 {required("schedule_id", id), optional("reason", text(0, 500).or_null()),
                  optional("expected_version", integer(1, INT64_MAX))},
                 bind(schedule, &ScheduleService::retire)),
  };
  out.front().status = created_status;
  out.front().shape.closed = true;
  const Shape status = one_of({"open", "in_progress", "blocked", "done"});
  const Shape texts = list(text());
  const std::string write(kWriteProjects);
  const std::string read(kReadFiles);
  out.push_back(
      {.name = "tasks.create",
       .path = "/v1/tasks",
       .bucket = "tasks_create",
       .description = "Create a task.",
       .scopes = {write},
       .shape = object({required("task_id", text()), required("title", text()),
                        optional("description", text(), Value("")),
                        optional("status", status, Value("open")), required("owner_peer", text()),
                        optional("collaborators", texts, Value::array()),
                        optional("thread_id", text().or_null(), Value()),
                        optional("blocked_by", texts, Value::array()),
                        optional("due_at", text().or_null(), Value()),
                        optional("metadata", map(), Value::object())}),
       .run = bind(tasks, &TaskService::create)});
  out.push_back(
      {.name = "tasks.update",
       .method = "PATCH",
       .path = "/v1/tasks/{task_id}",
       .bucket = "tasks_update",
       .description = "Change a task.",
       .scopes = {write},
       .shape = object(
           {required("task_id", text()), optional("title", text().or_null()),
            optional("description", text().or_null()), optional("status", status.or_null()),
            optional("owner_peer", text().or_null()), optional("collaborators", texts.or_null()),
            optional("thread_id", text().or_null()), optional("blocked_by", texts.or_null()),
            optional("due_at", text().or_null()), optional("metadata", map().or_null())}),
       .run = bind(tasks, &TaskService::update)});
  out.push_back(
      {.name = "tasks.query",
       .method = "GET",
       .path = "/v1/tasks/query",
       .bucket = "tasks_query",
       .description = "Find tasks.",
       .scopes = {read},
       .idempotent = true,
       .shape = object(
           {optional("status", status.or_null()), optional("owner_peer", text().or_null()),
            optional("collaborator", text().or_null()), optional("thread_id", text().or_null()),
            optional("limit", integer(1, 500), Value(100))}),
       .run = bind(tasks, &TaskService::query)});
  out.push_back(
      {.name = "peers.register",
       .path = "/v1/peers/register",
       .bucket = "peers_register",
       .description = "Register a peer and how far it is trusted.",
       .scopes = {std::string(kAdminPeers)},
       .shape = object({required("peer_id", text(1, 200)), required("base_url", text()),
                        optional("public_key", text().or_null()),
                        optional("capabilities_url", text(), Value("/v1/manifest")),
                        optional("trust_level", one_of({"trusted", "restricted", "untrusted"}),
                                 Value("restricted")),
                        optional("allowed_scopes", texts, Value::array()),
                        optional("expected_public_key_fingerprint", text().or_null()),
                        optional("transition_reason", text().or_null())}),
       .run = bind(tasks, &TaskService::register_peer)});
  out.push_back({.name = "peers.list",
                 .method = "GET",
                 .path = "/v1/peers",
                 .bucket = "peers_list",
                 .description = "List the known peers.",
                 .scopes = {read},
                 .idempotent = true,
                 .shape = object({}),
                 .run = bind(tasks, &TaskService::peers)});
  return out;
}

}  // namespace holdfast::surface::continuity
