// Whole spaces and whole memories, out and in.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "app/archive_pages.h"
#include "app/command.h"
#include "app/data_folder.h"
#include "app/relay_folder.h"
#include "app/restore.h"
#include "app/terminal.h"
#include "model/json_text.h"
#include "service/native/archive_service.h"
#include "wire/query_string.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPiecesAtOnce = 16;
constexpr size_t kMaxLineBytes = service::kMaxImportBytes - 1024;  // alone on its page
constexpr std::string_view kRelay = "cognirelay";
constexpr std::string_view kFormat = "holdfast-export-1";

std::string header_line(const CommandRun& run) {
  const std::string space = run.space();
  return to_json(
      Value::object({{"format", kFormat}, {"space", space.empty() ? "default" : space}}));
}

Error cannot_write_export() {
  return Error{.code = ErrorCode::kStorageFull,
               .message = "The export cannot be written; is the disk full?"};
}

// The bytes beside the objects, a piece a line, after all changes.
Status export_pieces_to(CommandRun& run, std::ostream& out, Progress& progress) {
  std::string after;
  int64_t piece = 0;
  int64_t pieces = 0;
  for (bool done = false; !done;) {
    HOLDFAST_TRY(const Value page,
                 run.call("GET", fmt::format("/holdfast/v1/export/pieces?after={}&piece={}",
                                             wire::percent_encode(after), piece)));
    for (const Value& one : *page.find("pieces")->if_array()) {
      out << to_json(one) << '\n';
      ++pieces;
    }
    after = *page.find("after")->if_string();
    piece = *page.find("piece")->if_int();
    done = *page.find("done")->if_bool();
    progress.update(1, fmt::format("{} pieces of attachments", pieces));
    if (!out) return cannot_write_export();
  }
  return {};
}

// Every change is one line: a file can be cut, searched and compared with the usual tools.
Status export_to(CommandRun& run, std::ostream& out, Progress& progress) {
  out << header_line(run) << '\n';
  int64_t after = 0;
  int64_t changes = 0;
  for (bool done = false; !done;) {
    HOLDFAST_TRY(
        const Value page,
        run.call("GET", fmt::format("/holdfast/v1/export?after={}&limit={}", after, kPageChanges)));
    for (const Value& change : *page.find("changes")->if_array()) {
      out << to_json(change) << '\n';
      ++changes;
    }
    after = *page.find("next")->if_int();
    done = *page.find("done")->if_bool();
    const auto head = static_cast<double>(*page.find("head")->if_int());
    progress.update(head > 0 ? static_cast<double>(after) / head : 1,
                    fmt::format("{} changes", changes));
    if (!out) return cannot_write_export();
  }
  HOLDFAST_CHECK_OK(export_pieces_to(run, out, progress));
  out.flush();
  if (!out) return cannot_write_export();
  progress.done(fmt::format("{} changes", changes));
  return {};
}

// `cognirelay FOLDER` in place of a file; nothing if a file is meant.
Result<std::optional<std::string>> relay_folder(const CommandRun& run) {
  const auto folder = run.given("<folder>");
  const bool relay = run.text("<file>") == kRelay;
  if (relay != folder.has_value())
    return invalid_argument(relay ? "Name the folder: cognirelay FOLDER. (A file of that name is "
                                    "./cognirelay.)"
                                  : "A folder is only named after the word cognirelay.");
  return folder;
}

Status run_export(CommandRun& run) {
  const std::string file = run.text("<file>");
  HOLDFAST_TRY(const auto folder, relay_folder(run));
  if (folder) return export_relay(run, *folder);
  Progress progress("exporting");
  if (file == "-") return export_to(run, std::cout, progress);
  std::error_code error;
  if (fs::exists(file, error))
    return invalid_argument(fmt::format("{} exists already; name a new file.", file));
  const std::string partial = file + ".partial";
  std::ofstream out(partial, std::ios::binary);
  if (!out) return invalid_argument(fmt::format("{} cannot be written.", partial));
  if (Status done = export_to(run, out, progress); !done) {
    out.close();
    fs::remove(partial, error);
    return done;
  }
  out.close();
  fs::rename(partial, file, error);
  if (error)
    return invalid_argument(fmt::format("{} cannot be written: {}.", file, error.message()));
  return {};
}

// Sends what has gathered; nothing of a page stays if one line of it is bad.
struct Import {
  CommandRun& run;
  Value changes = Value::array();
  Value pieces = Value::array();  // of bytes beside the objects, which come after them
  size_t bytes = 0;
  int64_t imported = 0;
  int64_t skipped = 0;

  void add(Value line, size_t size) {
    (line.find("blob") != nullptr ? pieces : changes).push(std::move(line));
    bytes += size;
  }
  // A line of that size has to wait for the next page.
  bool is_full_for(size_t size) const {
    return changes.if_array()->size() >= kPageChanges ||
           pieces.if_array()->size() >= kPiecesAtOnce || bytes + size > kMaxPageBytes;
  }
  Status send() {
    if (!changes.if_array()->empty()) {
      const Value body = Value::object({{"changes", std::exchange(changes, Value::array())}});
      HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/import", &body));
      imported += *answer.find("imported")->if_int();
      skipped += *answer.find("skipped")->if_int();
    }
    if (!pieces.if_array()->empty()) {
      const Value body = Value::object({{"pieces", std::exchange(pieces, Value::array())}});
      HOLDFAST_CHECK_OK(run.call("POST", "/holdfast/v1/import/pieces", &body));
    }
    bytes = 0;
    return {};
  }
};

Error bad_line(const std::string& file, int64_t line, std::string_view why) {
  return invalid_argument(fmt::format("{}, line {}: {}", file, line, why));
}

Status import_from(CommandRun& run, const std::string& file, std::istream& in) {
  std::string text;
  if (!std::getline(in, text)) return bad_line(file, 1, "the file is empty.");
  const auto header = parse_json(text);
  if (!header || member_text(*header, "format") != kFormat) {
    return bad_line(
        file, 1,
        fmt::format("this is no export of Holdfast (its first line must say {}).", kFormat));
  }
  Import import{.run = run};
  Progress progress("importing");
  const auto send = [&](int64_t last) -> Status {
    const Status sent = import.send();
    if (sent) return {};
    return bad_line(
        file, last,
        fmt::format("up to here: {} What came before is imported; the command can be repeated.",
                    sent.error().message));
  };
  int64_t line = 2;
  for (; std::getline(in, text); ++line) {
    if (text.empty()) continue;
    if (text.size() > kMaxLineBytes)
      return bad_line(file, line,
                      fmt::format("the line is longer than {} MiB.", kMaxLineBytes >> 20U));
    auto change = parse_json(text);
    if (!change) return bad_line(file, line, change.error().message);
    if (import.is_full_for(text.size())) {
      HOLDFAST_CHECK_OK(send(line - 1));
      progress.update(0, fmt::format("{} lines", line - 1));
    }
    import.add(std::move(*change), text.size());
  }
  HOLDFAST_CHECK_OK(send(line - 1));
  progress.done(
      fmt::format("{} changes imported, {} were there already", import.imported, import.skipped));
  run.print(Value::object({{"imported", import.imported}, {"skipped", import.skipped}}),
            [](const Value& value) {
              return fmt::format("{} changes imported, {} were there already\n",
                                 member_text(value, "imported"), member_text(value, "skipped"));
            });
  return {};
}

Status run_import(CommandRun& run) {
  const std::string file = run.text("<file>");
  HOLDFAST_TRY(const auto folder, relay_folder(run));
  if (folder) return import_relay(run, *folder);
  if (file == "-") return import_from(run, "standard input", std::cin);
  std::ifstream in(file, std::ios::binary);
  if (!in) return invalid_argument(fmt::format("{} cannot be read.", file));
  return import_from(run, file, in);
}

Status run_backup(CommandRun& run) {
  const std::string file = fs::absolute(run.text("<file>"));
  Progress progress("copying");
  const Value body = Value::object({{"path", file}});
  HOLDFAST_TRY(const Value answer, run.call("POST", "/holdfast/v1/backup", &body));
  progress.done();
  run.print(answer, [](const Value& value) {
    return fmt::format("{} ({} bytes)\nRestore it with: holdfast restore {} --data NEW_FOLDER\n",
                       member_text(value, "path"), member_text(value, "bytes"),
                       member_text(value, "path"));
  });
  return {};
}

Status run_restore(CommandRun& run) {
  const FolderPaths paths(run.settings().text("data"));
  HOLDFAST_CHECK_OK(restore_backup(run.text("<file>"), paths));
  run.print(Value::object({{"data", paths.folder}}), [](const Value& value) {
    return fmt::format("restored into {}\nThe search index is built at the next start.\n",
                       member_text(value, "data"));
  });
  return {};
}

}  // namespace

std::vector<CommandSpec> archive_commands() {
  return {
      {.name = "export",
       .summary = "Write a whole space with its history as JSON Lines, or as a git repository.",
       .teach = "  holdfast export team-a.jsonl --space team-a\n  holdfast export - | zstd > "
                "memory.jsonl.zst\n  holdfast export cognirelay ./relay     capsules, tasks and "
                "coordination as CogniRelay's files, one commit a change",
       .options = {{.name = "<file>",
                    .help = "a new file; - for standard output; the word cognirelay",
                    .required = true},
                   {.name = "<folder>", .help = "a new folder, after the word cognirelay"},
                   {.name = "author-name",
                    .help = "of the commits",
                    .default_value = "CogniRelay Bot"},
                   {.name = "author-email",
                    .help = "of the commits",
                    .default_value = "bot@example.local"},
                   json_option(),
                   space_option()},
       .run = run_export},
      {.name = "import",
       .summary = "Add an export to a space, history included. Safe to repeat.",
       .teach = "  holdfast import team-a.jsonl --space team-a\n  holdfast import cognirelay "
                "/srv/data_repo     the files of a CogniRelay data folder",
       .options = {{.name = "<file>",
                    .help = "what export wrote; - for standard input; the word cognirelay",
                    .required = true},
                   {.name = "<folder>", .help = "a data folder, after the word cognirelay"},
                   space_option(),
                   json_option()},
       .run = run_import},
      {.name = "backup",
       .summary = "Write a consistent copy of the store to a new file, while serving.",
       .teach = "  holdfast backup /backups/memory-$(date +%F).db",
       .options = {{.name = "<file>", .help = "a new file", .required = true}, json_option()},
       .run = run_backup},
      {.name = "restore",
       .summary = "Make a data folder from a backup. Never overwrites a memory.",
       .teach = "  holdfast restore /backups/memory-2026-11-15.db --data /srv/holdfast-restored",
       .options = {{.name = "<file>", .help = "what backup wrote", .required = true},
                   json_option()},
       .run = run_restore},
  };
}

}  // namespace holdfast::app
