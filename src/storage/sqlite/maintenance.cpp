#include "storage/sqlite/maintenance.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "storage/sqlite/row_key.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr int kPagesAtOnce = 256;

constexpr char kIntegrity[] = "PRAGMA integrity_check(100)";

// Every rule selects one sentence for each row that breaks it. ?1 is the counter mask of row_key.h.
// SQLite reads a text of JSON only as far as a NUL in it, so facets with one cannot be compared.
constexpr char kRules[][600] = {
    "SELECT 'A facet of ' || f.kind || ' number ' || f.object_number || ' belongs to no object.' "
    "FROM facets f WHERE NOT EXISTS (SELECT 1 FROM objects o "
    "WHERE o.row_key = f.space_id * (?1 + 1) + f.object_number AND o.kind = f.kind) LIMIT 100",

    "SELECT 'The facet ' || json_extract(e.value, '$[0]') || ' of ' || o.kind || ' ' || o.id || "
    "' is not in the list of facets.' FROM objects o, json_each(o.facets) e WHERE o.facets <> '' "
    "AND ?1 > 0 AND instr(e.value, '\\u0000') = 0 AND NOT EXISTS (SELECT 1 FROM facets f WHERE "
    "f.space_id = o.space_id AND f.kind = o.kind "
    "AND f.name = json_extract(e.value, '$[0]') AND f.value = json_extract(e.value, '$[1]') "
    "AND f.object_number = o.row_key & ?1) LIMIT 100",

    "SELECT 'A link from ' || l.from_kind || ' ' || l.from_id || ' comes from no object.' "
    "FROM links l WHERE ?1 > 0 AND NOT EXISTS (SELECT 1 FROM objects o WHERE o.space_id = "
    "l.space_id "
    "AND o.kind = l.from_kind AND o.id = l.from_id) LIMIT 100",

    "SELECT 'Revision ' || (r.revision + 1) || ' of ' || r.kind || ' ' || r.id || ' is missing.' "
    "FROM revisions r WHERE ?1 > 0 AND NOT EXISTS (SELECT 1 FROM revisions n WHERE n.space_id = "
    "r.space_id "
    "AND n.kind = r.kind AND n.id = r.id AND n.revision = r.revision + 1) "
    "AND NOT EXISTS (SELECT 1 FROM objects o WHERE o.space_id = r.space_id AND o.kind = r.kind "
    "AND o.id = r.id AND o.revision = r.revision + 1) AND NOT r.deleted LIMIT 100",

    "SELECT 'The journal has no entry for ' || o.kind || ' ' || o.id || '.' FROM objects o "
    "LEFT JOIN journal j ON j.row_key = o.space_id * (?1 + 1) + o.position "
    "WHERE j.row_key IS NULL OR j.id <> o.id OR j.kind <> o.kind LIMIT 100",

    "SELECT 'The journal has no entry for a revision of ' || r.kind || ' ' || r.id || '.' "
    "FROM revisions r LEFT JOIN journal j ON j.row_key = r.row_key "
    "WHERE ?1 > 0 AND (j.row_key IS NULL OR j.id <> r.id OR j.kind <> r.kind) LIMIT 100",

    "SELECT 'The journal goes beyond its last position (' || (j.row_key & ?1) || ').' FROM journal "
    "j, "
    "store_state s WHERE (j.row_key & ?1) > s.last_position OR j.change > (j.row_key & ?1) LIMIT "
    "100",

    "SELECT 'Object ' || o.kind || ' ' || o.id || ' lies in a space that does not exist.' "
    "FROM objects o WHERE o.row_key / (?1 + 1) NOT IN (SELECT space_id FROM spaces) LIMIT 100",

    "SELECT 'Blob ' || c.blob_id || ' has chunks but no record.' FROM blob_chunks c WHERE ?1 > 0 "
    "AND "
    "NOT EXISTS (SELECT 1 FROM blobs b WHERE b.space_id = c.space_id AND b.id = c.blob_id) LIMIT "
    "100",
};

// Flushes a file, or the folder that holds its name.
Status flush(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return internal_error("cannot open " + path);
  const bool flushed = fsync(file) == 0;
  close(file);
  if (!flushed) return internal_error("cannot flush " + path);
  return {};
}

// Tells a name that cannot be written from a copy that went wrong.
Status create(const std::string& temporary, const std::string& path) {
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) {
    return invalid_argument(
        fmt::format("'{}' cannot be written ({}); name a file in a folder that exists and may be "
                    "written.",
                    path, std::generic_category().message(errno)));
  }
  close(file);
  return {};
}

Status copy_pages(Connection& source, Connection& target,
                  const std::function<void(double)>& progress) {
  sqlite3_backup* backup = sqlite3_backup_init(target.handle(), "main", source.handle(), "main");
  if (backup == nullptr) return target.error(sqlite3_errcode(target.handle()));
  int code = SQLITE_OK;
  do {
    code = sqlite3_backup_step(backup, kPagesAtOnce);
    const int total = sqlite3_backup_pagecount(backup);
    if (progress && total > 0) progress(1.0 - double(sqlite3_backup_remaining(backup)) / total);
  } while (code == SQLITE_OK);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) return target.error(code);
  return {};
}

Status copy_to(Connection& source, const std::string& path,
               const std::function<void(double)>& progress) {
  {
    HOLDFAST_TRY(const auto target, Connection::open(path, Connection::Mode::kReadWrite));
    // The copy is thrown away if anything fails before it has its name.
    HOLDFAST_CHECK_OK(target->execute("PRAGMA synchronous = OFF"));
    HOLDFAST_CHECK_OK(copy_pages(source, *target, progress));
    // One file, not three: the copy is opened in WAL mode again by whoever serves it.
    HOLDFAST_CHECK_OK(target->execute("PRAGMA journal_mode = DELETE"));
  }
  return flush(path, O_RDWR);
}

}  // namespace

Status copy_database(Connection& source, const std::string& path,
                     const std::function<void(double)>& progress) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    return Error{.code = ErrorCode::kAlreadyExists,
                 .message = fmt::format("The file '{}' exists; choose another name.", path)};
  }
  const std::string temporary = path + ".partial";
  std::filesystem::remove(temporary, ignored);
  HOLDFAST_CHECK_OK(create(temporary, path));
  Status copied = copy_to(source, temporary, progress);
  if (copied && std::rename(temporary.c_str(), path.c_str()) != 0) {
    copied = internal_error("cannot rename " + temporary);
  }
  if (!copied) {
    std::filesystem::remove(temporary, ignored);
    return copied;
  }
  const auto folder = std::filesystem::absolute(path, ignored).parent_path();
  return flush(folder.string(), O_RDONLY | O_DIRECTORY);
}

Result<std::vector<std::string>> find_damage(Connection& source) {
  std::vector<std::string> findings;
  const auto note = [&](const Row& row) {
    if (row.bytes(0) != "ok") findings.push_back(row.text(0));
  };
  HOLDFAST_CHECK_OK(source.each(kIntegrity, note));
  // A file that is damaged below the tables gives no meaningful answers about them.
  if (!findings.empty()) return findings;
  for (const auto& rule : kRules) {
    HOLDFAST_CHECK_OK(source.each(rule, note, kMaxCounter));
  }
  return findings;
}

}  // namespace holdfast::storage::sqlite
