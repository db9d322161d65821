// Looking after the memory from a shell.
#include <filesystem>
#include <iostream>
#include <sys/statvfs.h>

#include <fmt/format.h>

#include "app/bench_command.h"
#include "app/command.h"
#include "app/data_folder.h"
#include "app/terminal.h"
#include "app/version.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLowDiskBytes = uint64_t{256} << 20U;

Status verify(CommandRun& run) {
  Progress progress("checking store and index");
  const Value body = Value::object();
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/verify", &body));
  progress.done();
  run.print(answer, [](const Value& value) {
    std::string out;
    for (const Value& finding : *value.find("findings")->if_array())
      out += "- " + *finding.if_string() + "\n";
    return out +
           fmt::format("{} objects checked: {}\n", member_text(value, "objects_checked"),
                       member_text(value, "sound") == "true" ? "sound" : "NOT sound; see above");
  });
  if (member_text(answer, "sound") == "true") return {};
  return Error{.code = ErrorCode::kCorrupted,
               .message =
                   "The memory is not sound. 'holdfast reindex' repairs the index; a damaged store "
                   "needs 'holdfast "
                   "restore' from a backup."};
}

Status reindex(CommandRun& run) {
  Progress progress("building the index");
  Value body = Value::object();
  if (const auto space = run.given("space")) body.set("space", *space);
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/reindex", &body));
  progress.done();
  run.print(answer, [](const Value& value) {
    return fmt::format("{} documents indexed\n", member_text(value, "documents"));
  });
  return {};
}

// One line of the doctor's report.
struct Finding {
  std::string what;
  std::string verdict;  // ok, warning, problem
  std::string advice = {};
};

Finding look_at_folder(const FolderPaths& paths) {
  const Status ready = prepare_folder(paths);
  if (!ready) return {"data folder", "problem", ready.error().message};
  return {"data folder " + paths.folder, "ok"};
}

Finding look_at_disk(const FolderPaths& paths) {
  struct statvfs disk {};
  if (statvfs(paths.folder.c_str(), &disk) != 0)
    return {"free space", "warning", "it cannot be determined"};
  const uint64_t free = static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize;
  const std::string what = fmt::format("{} MiB free", free >> 20U);
  if (free < kLowDiskBytes)
    return {what, "warning", "make room: writes are refused when the disk is full"};
  return {what, "ok"};
}

Finding look_at_permissions(const FolderPaths& paths) {
  std::error_code error;
  const auto mode = fs::status(paths.folder, error).permissions();
  if ((mode & (fs::perms::group_all | fs::perms::others_all)) != fs::perms::none) {
    return {"permissions", "warning",
            fmt::format("others can look into it; run: chmod 700 {}", paths.folder)};
  }
  return {"permissions", "ok"};
}

Finding look_at_owner(const FolderPaths& paths) {
  const auto lock = FolderLock::acquire(paths);
  if (lock) return {"no process owns the folder", "ok"};
  if (lock.error().reason == reason::kOwnedByAnother) return {"owned by a running process", "ok"};
  return {"ownership", "problem", lock.error().message};
}

Finding look_at_memory(CommandRun& run) {
  const auto health = run.call("GET", "/health");
  if (!health) return {"memory", "problem", health.error().message};
  return {fmt::format("memory answers, journal at {}", member_text(*health, "latest_commit")),
          "ok"};
}

Status doctor(CommandRun& run) {
  const FolderPaths paths(run.settings().text("data"));
  std::vector<Finding> findings = {look_at_folder(paths)};
  if (findings.front().verdict == "ok") {
    findings.push_back(look_at_permissions(paths));
    findings.push_back(look_at_disk(paths));
    findings.push_back(look_at_owner(paths));
    findings.push_back(look_at_memory(run));
  }
  Value report = Value::array();
  bool healthy = true;
  for (const Finding& finding : findings) {
    healthy = healthy && finding.verdict != "problem";
    report.push(Value::object(
        {{"what", finding.what}, {"verdict", finding.verdict}, {"advice", finding.advice}}));
  }
  run.print(Value::object({{"healthy", healthy}, {"findings", report}}), [&](const Value&) {
    Table table({"VERDICT", "WHAT", "ADVICE"});
    for (const Finding& finding : findings)
      table.add({finding.verdict, finding.what, finding.advice});
    return table.text(terminal_width());
  });
  if (healthy) return {};
  return unavailable("Something needs attention; see above.");
}

Status version(CommandRun& run) {
  run.print(Value::object({{"name", "holdfast"}, {"version", kVersion}}),
            [](const Value&) { return fmt::format("holdfast {}\n", kVersion); });
  return {};
}

}  // namespace

std::vector<CommandSpec> care_commands() {
  return {
      {.name = "verify",
       .summary = "Check the store against itself and the index against the store.",
       .options = {json_option()},
       .run = verify},
      {.name = "reindex",
       .summary = "Build the search index anew from the store.",
       .options = {{.name = "space", .help = "only this space"}, json_option()},
       .run = reindex},
      {.name = "doctor",
       .summary = "Look for what may go wrong: folder, permissions, disk, ownership, store.",
       .options = {json_option()},
       .run = doctor},
      {.name = "bench",
       .summary = "Measure this machine: durable writes and searches on a throw-away memory.",
       .teach = "  holdfast bench --memories 100000",
       .options = {{.name = "memories", .help = "how many to store", .default_value = "20000"},
                   {.name = "callers", .help = "how many write at once", .default_value = "16"},
                   json_option()},
       .run = run_bench},
      {.name = "version",
       .summary = "The version of this program.",
       .options = {json_option()},
       .run = version},
  };
}

}  // namespace holdfast::app
