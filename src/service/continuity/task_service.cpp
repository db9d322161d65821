#include "service/continuity/task_service.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/time_text.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"

namespace holdfast::service::continuity {
namespace {

constexpr std::string_view kRegistry = "peers/registry.json";

int trust_rank(const std::string& level) {
  if (level == "untrusted") return 0;
  return level == "trusted" ? 2 : 1;
}

// kNotFound; kInvalidArgument for one that is stored and cannot be read.
Result<Value> find_task(storage::ReadTxn& txn, const Access& access, const std::string& id) {
  auto found = find_document(txn, access, task_noun(), id);
  if (!found && found.error().code == ErrorCode::kCorrupted)
    return bad_request(fmt::format("stored task is invalid: {}", id));
  if (!found) return found.error();
  if (!*found) return absent(fmt::format("Task not found: {}", id));
  return std::move(**found);
}

Value files(std::initializer_list<std::string> names) {
  Value out = Value::array();
  for (const std::string& name : names) out.push(name);
  return out;
}

}  // namespace

std::string task_path(const Value& task) {
  return fmt::format("tasks/{}/{}.json", text_of(task, "status") == "done" ? "done" : "open",
                     text_of(task, "task_id"));
}

Result<Value> TaskService::create(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_CHECK_OK(require_write(request.call, task_path(request.args)));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const std::string id = request.text("task_id");
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        const auto found = find_task(txn, access, id);
        if (found || found.error().code == ErrorCode::kInvalidArgument)
          return clash(fmt::format("Task already exists: {}", id));
        if (found.error().code != ErrorCode::kNotFound) return found.error();
        Value task = request.args;
        const std::string now = format_seconds(clock_.now());
        task.set("created_at", now);
        task.set("updated_at", now);
        HOLDFAST_TRY(const std::string commit,
                     put_document(txn, access, task_noun(), id, task, "tasks: create " + id));
        return Value::object({{"ok", true},
                              {"task", task},
                              {"path", task_path(task)},
                              {"committed", true},
                              {"latest_commit", commit}});
      });
}

Result<Value> TaskService::update(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kWriteProjects));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const std::string id = request.text("task_id");
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        const auto before = find_task(txn, access, id);
        if (!before) {
          HOLDFAST_CHECK_OK(require_write(request.call, fmt::format("tasks/open/{}.json", id)));
          return before.error();
        }
        HOLDFAST_CHECK_OK(require_write(request.call, task_path(*before)));
        Value task = *before;
        for (const auto& member : *request.args.if_object()) {
          if (!member.value.is_null()) task.set(member.name, member.value);
        }
        const std::string from = text_of(*before, "status");
        const std::string to = text_of(task, "status");
        if (from == "done" && to != "done")
          return clash(fmt::format("Invalid task status transition: {} -> {}", from, to));
        HOLDFAST_CHECK_OK(require_write(request.call, task_path(task)));
        task.set("updated_at", format_seconds(clock_.now()));
        const bool moved = task_path(*before) != task_path(task);
        HOLDFAST_TRY(const std::string commit,
                     put_document(txn, access, task_noun(), id, task,
                                  fmt::format("tasks: update{} {}", moved ? " and move" : "", id)));
        return Value::object(
            {{"ok", true},
             {"task", task},
             {"path", task_path(task)},
             {"committed_files",
              moved ? files({task_path(task), task_path(*before)}) : files({task_path(task)})},
             {"latest_commit", commit}});
      });
}

Result<Value> TaskService::query(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  using search::SortKey;
  search::ListRequest wanted{
      .sort = {{.by = SortKey::By::kNumberFacet, .facet = facet::kWorkUpdated},
               {.by = SortKey::By::kTextFacet, .facet = facet::kItem}},
      .limit = static_cast<size_t>(integer_of(request.args, "limit", 100))};
  const auto add = [&](std::string_view name, const char* member) {
    if (const std::string text = request.text(member); !text.empty())
      wanted.filter.facets.push_back(has(name, text));
  };
  add(facet::kStatus, "status");
  add(facet::kOwnerPeer, "owner_peer");
  add(facet::kPeer, "collaborator");
  add(shared_facet::kThread, "thread_id");
  // Hidden tasks take no place on the page.
  Value tasks = Value::array();
  const size_t limit = wanted.limit;
  for (bool more = true; more && tasks.if_array()->size() < limit;) {
    HOLDFAST_TRY(const DocumentPage page,
                 list_documents(*txn, access, index_, task_noun(), wanted));
    for (const Value& task : page.documents) {
      if (tasks.if_array()->size() < limit && may_read(request.call, task_path(task)))
        tasks.push(task);
    }
    wanted.after = page.last;
    more = page.has_more;
  }
  const size_t count = tasks.if_array()->size();
  return Value::object({{"ok", true}, {"count", count}, {"tasks", std::move(tasks)}});
}

Result<Value> TaskService::get(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  HOLDFAST_TRY(const Value task, find_task(*txn, access, request.text("task_id")));
  HOLDFAST_CHECK_OK(require_read(request.call, task_path(task)));
  return Value::object({{"ok", true}, {"task", task}, {"path", task_path(task)}});
}

Result<Value> TaskService::register_peer(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kAdminPeers));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  const std::string id = request.text("peer_id");
  return storage::write_returning<Value>(
      store_, request.call, [&](storage::WriteTxn& txn) -> Result<Value> {
        // An entry that cannot be read is replaced.
        const auto found = find_document(txn, access, peer_noun(), id);
        if (!found && found.error().code != ErrorCode::kCorrupted) return found.error();
        const std::optional<Value> before = found ? *found : std::nullopt;
        Value peer = before ? *before : Value::object();
        for (const auto& member : *request.args.if_object()) {
          if (!member.value.is_null()) peer.set(member.name, member.value);
        }
        const std::string key = text_of(peer, "public_key");
        peer.set("public_key_fingerprint",
                 key.empty() ? Value() : Value("sha256:" + to_hex(sha256(key))));
        const std::string expected = request.text("expected_public_key_fingerprint");
        if (!expected.empty() && Value(expected) != *peer.find("public_key_fingerprint"))
          return clash(fmt::format("Public key fingerprint does not match for peer: {}", id));
        const std::string to = text_of(peer, "trust_level");
        if (to == "trusted" && key.empty())
          return bad_request("public_key fingerprint is required for trusted peers");
        const std::string from = before ? text_of(*before, "trust_level") : to;
        if (std::abs(trust_rank(from) - trust_rank(to)) > 1)
          return clash(fmt::format("Trust transition not allowed: {} -> {}", from, to));
        peer.set("updated_at", format_seconds(clock_.now()));
        HOLDFAST_TRY(const std::string commit,
                     put_document(txn, access, peer_noun(), id, peer, "peers: register " + id));
        return Value::object({{"ok", true},
                              {"peer", peer},
                              {"created", !before},
                              {"path", kRegistry},
                              {"latest_commit", commit}});
      });
}

Result<Value> TaskService::peers(const Request& request) {
  HOLDFAST_CHECK_OK(require_scope(request.call, kReadFiles));
  HOLDFAST_CHECK_OK(require_read(request.call, kRegistry));
  HOLDFAST_TRY(const Access access, open_space(gatekeeper_, request.call));
  HOLDFAST_TRY(const auto txn, store_.begin_read(request.call.deadline));
  search::ListRequest wanted{.limit = search::kMaxLimit};
  Value peers = Value::array();
  for (bool more = true; more;) {
    HOLDFAST_TRY(const DocumentPage page,
                 list_documents(*txn, access, index_, peer_noun(), wanted));
    for (const Value& peer : page.documents) peers.push(peer);
    wanted.after = page.last;
    more = page.has_more;
  }
  const size_t count = peers.if_array()->size();
  return Value::object({{"ok", true}, {"count", count}, {"peers", std::move(peers)}});
}

}  // namespace holdfast::service::continuity
