#include <array>
#include <fstream>

#include <fmt/format.h>

#include "base/log.h"
#include "storage/sqlite/migrations.h"
#include "storage/store.h"

namespace holdfast::storage::sqlite {
namespace {

constexpr char kUserVersion[] = "PRAGMA user_version";
constexpr char kTables[] = "SELECT count(*) FROM sqlite_schema";

// Where SQLite's file format keeps these.
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr size_t kVersionOffset = 60;
constexpr size_t kHeaderBytes = 100;

int newest() { return migrations().back().version; }

Status refuse_newer(int64_t version) {
  if (version <= newest()) return {};
  return Error{
      .code = ErrorCode::kConflict,
      .reason = std::string(reason::kNewerVersion),
      .message = fmt::format("This data was written by a newer Holdfast (schema {}, this program "
                             "knows {}); start that version, or a newer one.",
                             version, newest())};
}

Error no_store(std::string detail) {
  return Error{
      .code = ErrorCode::kCorrupted,
      .message =
          "This file is not a Holdfast store; restore a backup or choose another data folder.",
      .detail = std::move(detail)};
}

Status run_migration(Connection& db, const Migration& migration) {
  HOLDFAST_CHECK_OK(db.run(kBeginWrite));
  Status done = db.execute(migration.sql);
  if (done) done = db.run(kCommit);
  if (!done && db.in_transaction()) static_cast<void>(db.run(kRollback).has_value());
  return done;
}

}  // namespace

Status check_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::array<char, kHeaderBytes> header{};
  file.read(header.data(), header.size());
  if (file.gcount() == 0) return {};
  if (static_cast<size_t>(file.gcount()) < header.size() ||
      std::string_view(header.data(), kMagic.size()) != kMagic) {
    return no_store("no SQLite header in " + path);
  }
  int64_t version = 0;
  for (size_t i = 0; i < 4; ++i) {
    version = version * 256 + static_cast<unsigned char>(header[kVersionOffset + i]);
  }
  return refuse_newer(version);
}

Status migrate(Connection& db) {
  HOLDFAST_TRY(const int64_t version, db.integer_or(0, kUserVersion));
  HOLDFAST_CHECK_OK(refuse_newer(version));
  HOLDFAST_TRY(const int64_t tables, db.integer_or(0, kTables));
  if (version == 0 && tables > 0) return no_store("tables, but no schema version");
  for (const Migration& migration : migrations()) {
    if (migration.version <= version) continue;
    if (version > 0) log::info("schema_upgrade", {{"migration", migration.name}});
    HOLDFAST_CHECK_OK(run_migration(db, migration));
    log::debug("schema_migrated", {{"migration", migration.name}});
  }
  return {};
}

}  // namespace holdfast::storage::sqlite
