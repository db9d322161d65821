// Workspaces and what is in them besides observations.
#include <functional>

#include "surface/observations/checks.h"
#include "surface/observations/dialect.h"
#include "surface/observations/encode.h"
#include "surface/observations/observation_schemas.h"
#include "surface/observations/registry_schemas.h"
#include "surface/observations/routes.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): their use cases
using http::Exchange;
using http::Reply;

// Who may, and whether what the path names is there, which is asked before the body is judged.
struct Gate {
  http::Step check;
  std::function<Status(const Exchange&)> find = {};
};

class RegistryTable {
 public:
  RegistryTable(http::RouteTable& routes, const Context& context)
      : routes_(routes), context_(context) {}

  // `act` gets what the schema read and returns a struct with a value_of.
  template <typename Body, typename Act>
  void write(const char* method, const std::string& path, const Gate& gate, const char* summary,
             const wire::Schema<Body>& schema, int status, Act act) {
    routes_.exchange(
        method, std::string(kBase) + path, {.json_body = true, .checks = {gate.check}},
        [&context = context_, &schema, status, act, find = gate.find](Exchange& exchange) {
          return mutate(exchange, context.services.receipts, [&]() -> Result<Receipts::Act> {
            if (find) HOLDFAST_CHECK_OK(find(exchange));
            HOLDFAST_TRY(Body body, read_request(exchange, schema));
            return Receipts::Act([&exchange, status, act, body = std::move(body)](
                                     Mutation& mutation) -> Result<StoredAnswer> {
              HOLDFAST_TRY(const auto made, act(exchange, mutation, body));
              return answer_of(exchange, status, value_of(made));
            });
          });
        },
        keyed({.name = name_of(method, path),
               .summary = summary,
               .tags = {"registry"},
               .body_schema = schema.json_schema(kStrict),
               .body_required = true,
               .success_status = status}));
  }

  template <typename Find>
  void read(const std::string& path, const char* summary, Find find) {
    routes_.exchange(
        "GET", std::string(kBase) + path, {.json_body = false, .checks = {need({"read"}, 0)}},
        [find](Exchange& exchange) {
          const auto found = find(exchange);
          if (!found) return refuse(exchange, found.error());
          if (const Status query = check_query(exchange); !query)
            return refuse(exchange, query.error());
          return exchange.answer(
              200, envelope(exchange.context.request_id, exchange.context.now, value_of(*found)));
        },
        {.name = name_of("GET", path), .summary = summary, .tags = {"registry"}});
  }

  template <typename T>
  void read_noun(const std::string& path, const char* summary, const Noun<T>& noun) {
    read(path, summary, [&context = context_, &noun](Exchange& exchange) {
      return context.services.registry.get(exchange.call, noun, id_of(exchange));
    });
  }

  // Gates of paths that name a noun, or a workspace.
  template <typename T>
  Gate at(const Noun<T>& noun, const http::Step& check) const {
    const auto find = [&context = context_, &noun](const Exchange& exchange) -> Status {
      HOLDFAST_CHECK_OK(context.services.registry.get(exchange.call, noun, id_of(exchange)));
      return {};
    };
    return {.check = check, .find = find};
  }
  Gate at_workspace(http::Step check) const {
    const auto find = [&context = context_](const Exchange& exchange) -> Status {
      HOLDFAST_CHECK_OK(context.services.registry.workspace(exchange.call, id_of(exchange)));
      return {};
    };
    return {.check = std::move(check), .find = find};
  }

 private:
  static std::string name_of(const std::string& method, const std::string& path) {
    std::string name = method + path;
    for (char& c : name) c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
    return name;
  }

  http::RouteTable& routes_;
  const Context& context_;
};

const wire::Schema<wire::Nothing>& nothing_schema() {
  static const wire::Schema<wire::Nothing> schema;
  return schema;
}

void add_workspaces(RegistryTable& table, RegistryService& registry) {
  table.write("POST", "/workspaces", {need({"review", "admin"}, 3)}, "Make a workspace.",
              workspace_schema(), 201,
              [&registry](Exchange&, Mutation& mutation, const Workspace& body) {
                return registry.create(mutation, body);
              });
  table.read("/workspaces/{id}", "A workspace.", [&registry](Exchange& exchange) {
    return registry.workspace(exchange.call, id_of(exchange));
  });
  table.write("POST", "/workspaces/{id}/members", table.at_workspace(need({"read"}, 1)),
              "Add a member.", member_schema(), 201,
              [&registry](Exchange& exchange, Mutation& mutation, Member body) {
                body.workspace_id = id_of(exchange);
                return registry.add(mutation, std::move(body));
              });
  table.read("/workspaces/{id}/members/{principal}", "A member.", [&registry](Exchange& exchange) {
    return registry.member(exchange.call, id_of(exchange),
                           std::string(exchange.request.path_parameter("principal")));
  });
  table.read("/workspaces/{id}/repos", "The registered repositories.",
             [&registry](Exchange& exchange) {
               return registry.repositories(exchange.call, id_of(exchange));
             });
}

void add_subcortexes(RegistryTable& table, RegistryService& registry) {
  table.write("POST", "/subcortexes", {need({"write:threads"}, 2)}, "Make a subcortex.",
              subcortex_schema(), 201,
              [&registry](Exchange&, Mutation& mutation, const Subcortex& body) {
                return registry.create(mutation, body);
              });
  table.read_noun("/subcortexes/{id}", "A subcortex.", subcortex_noun());
  table.write("POST", "/subcortexes/{id}/archive",
              table.at(subcortex_noun(), need({"write:threads"}, 3)), "Archive a subcortex.",
              nothing_schema(), 200,
              [&registry](Exchange& exchange, Mutation& mutation, const wire::Nothing&) {
                return registry.archive_subcortex(mutation, id_of(exchange));
              });
  table.write("POST", "/tasks", {need({"write:tasks"}, 2)}, "Make a task.", task_schema(), 201,
              [&registry](Exchange&, Mutation& mutation, const Task& body) {
                return registry.create(mutation, body);
              });
  table.read_noun("/tasks/{id}", "A task.", task_noun());
}

void add_discussions(RegistryTable& table, RegistryService& registry) {
  table.write("POST", "/threads", {need({"write:threads"}, 2)}, "Begin a thread.", thread_schema(),
              201, [&registry](Exchange&, Mutation& mutation, const ThreadBody& body) {
                return registry.create(mutation, thread_of(body), !body.sensitivity);
              });
  table.read_noun("/threads/{id}", "A thread.", thread_noun());
  table.write("PATCH", "/threads/{id}", table.at(thread_noun(), need({"write:threads"}, 2)),
              "Set a thread's status.", status_schema(), 200,
              [&registry](Exchange& exchange, Mutation& mutation, const StatusBody& body) {
                return registry.set_status(mutation, id_of(exchange), body.status);
              });
  table.write("POST", "/threads/{id}/comments", table.at(thread_noun(), need({"write:threads"}, 1)),
              "Comment.", comment_schema(), 201,
              [&registry](Exchange& exchange, Mutation& mutation, Comment body) {
                body.thread_id = id_of(exchange);
                return registry.create(mutation, std::move(body));
              });
  table.read_noun("/comments/{id}", "A comment.", comment_noun());
  table.read("/threads/{id}/comments/{comment}", "A comment of a thread.",
             [&registry](Exchange& exchange) -> Result<Comment> {
               const std::string id(exchange.request.path_parameter("comment"));
               HOLDFAST_TRY(Comment comment, registry.get(exchange.call, comment_noun(), id));
               if (comment.thread_id != id_of(exchange)) return not_found("comment", id);
               return comment;
             });
  table.write("POST", "/artifacts", {need({"write:artifacts"}, 2)}, "Make an artifact.",
              artifact_schema(), 201,
              [&registry](Exchange&, Mutation& mutation, const Artifact& body) {
                return registry.create(mutation, body);
              });
  table.read_noun("/artifacts/{id}", "An artifact.", artifact_noun());
  table.write("POST", "/artifacts/{id}/evidence",
              table.at(artifact_noun(), need({"write:artifacts"}, 2)), "Add evidence.",
              evidence_schema(), 200,
              [&registry](Exchange& exchange, Mutation& mutation, const EvidenceBody& body) {
                return registry.add_evidence(mutation, id_of(exchange), body.evidence_links);
              });
}

// Setting the whole list may be repeated as it is, so it needs no key.
Reply put_repositories(Exchange& exchange, const Context& context) {
  const auto there = context.services.registry.workspace(exchange.call, id_of(exchange));
  if (!there) return refuse(exchange, there.error());
  auto body = read_request(exchange, repositories_schema());
  if (!body) return refuse(exchange, body.error());
  body->workspace_id = id_of(exchange);
  const auto answer = context.services.receipts.perform(
      exchange.call, [&](Mutation& mutation) -> Result<StoredAnswer> {
        HOLDFAST_TRY(const Repositories kept, context.services.registry.put(mutation, *body));
        return answer_of(exchange, 200, value_of(kept));
      });
  if (!answer) return refuse(exchange, answer.error());
  return reply_of(exchange, *answer);
}

Reply remove_thread(Exchange& exchange, const Context& context) {
  return mutate_away(exchange, context.services.receipts, [&](Mutation& mutation) {
    return context.services.registry.remove_thread(mutation, id_of(exchange));
  });
}

}  // namespace

void add_registry_routes(http::RouteTable& routes, const Context& context) {
  RegistryTable table(routes, context);
  RegistryService& registry = context.services.registry;
  add_workspaces(table, registry);
  add_subcortexes(table, registry);
  add_discussions(table, registry);
  routes.exchange("PUT", std::string(kBase) + "/workspaces/{id}/repos",
                  {.json_body = true, .checks = {need({"read"}, 3)}},
                  [&context](Exchange& exchange) { return put_repositories(exchange, context); },
                  {.name = "put_repositories",
                   .summary = "Register the repositories of a workspace.",
                   .tags = {"registry"},
                   .body_schema = repositories_schema().json_schema(kStrict),
                   .body_required = true});
  routes.exchange(
      "DELETE", std::string(kBase) + "/threads/{id}",
      {.json_body = false, .checks = {need({"write:threads"}, 2)}},
      [&context](Exchange& exchange) { return remove_thread(exchange, context); },
      keyed({.name = "delete_thread",
             .summary = "Delete a thread with its comments.",
             .tags = {"registry"},
             .success_status = 204}));
}

}  // namespace holdfast::surface::observations
