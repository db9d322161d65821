// One SQLite connection with its prepared statements. Everything an adapter file does with SQLite
// goes through here. Not thread-safe: a connection is used by one thread at a time.
//
//   HOLDFAST_CHECK_OK(db.run(kRenameSpace, space_id, name));
//   HOLDFAST_CHECK_OK(db.each(kListSpaces, [&](const Row& row) { names.emplace_back(row.text(0));
//   }));
//
// Statements are constexpr texts with ?1, ?2, ... and are cached by their address. Errors:
// kStorageFull (no room on the disk), kCorrupted, kUnavailable (locked by somebody else),
// kInternal; the detail has SQLite's own words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include <sqlite3.h>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::storage::sqlite {

inline constexpr char kBegin[] = "BEGIN";  // reads; writes have kBeginWrite, which waits for others
inline constexpr char kBeginWrite[] = "BEGIN IMMEDIATE";
inline constexpr char kCommit[] = "COMMIT";
inline constexpr char kRollback[] = "ROLLBACK";

// The current row of a running statement. Valid inside the callback it is given to.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  int number(int column) const { return sqlite3_column_int(statement_, column); }
  bool is_null(int column) const { return type(column) == SQLITE_NULL; }
  bool is_integer(int column) const { return type(column) == SQLITE_INTEGER; }
  // Texts and blobs alike. Points into the statement.
  std::string_view bytes(int column) const;
  std::string text(int column) const { return std::string(bytes(column)); }
  Timestamp time(int column) const { return from_micros(integer(column)); }
  std::optional<Timestamp> optional_time(int column) const;

 private:
  int type(int column) const { return sqlite3_column_type(statement_, column); }

  sqlite3_stmt* statement_;
};

// Binds bytes as a BLOB; a bare string_view is bound as TEXT.
struct Blob {
  std::string_view bytes;
};

// Gives a statement its values, from the first on. Texts are bound without a copy.
class Binder {
 public:
  explicit Binder(sqlite3_stmt* statement) : statement_(statement) {}
  template <typename... Args>
  void bind(const Args&... args) {
    (bind_one(statement_, ++index_, args), ...);
  }

 private:
  static void bind_one(sqlite3_stmt* s, int index, std::string_view text);
  static void bind_one(sqlite3_stmt* s, int index, const Blob& blob);
  template <std::integral I>
  static void bind_one(sqlite3_stmt* s, int index, I value) {
    sqlite3_bind_int64(s, index, static_cast<int64_t>(value));
  }
  static void bind_one(sqlite3_stmt* s, int index, Timestamp at) {
    bind_one(s, index, to_micros(at));
  }
  template <typename T>
  static void bind_one(sqlite3_stmt* s, int index, const std::optional<T>& value) {
    if (value) {
      bind_one(s, index, *value);
    } else {
      sqlite3_bind_null(s, index);
    }
  }

  sqlite3_stmt* statement_;
  int index_ = 0;
};

// Rows that wait to be inserted together with others.
class DelayedRows {
 public:
  virtual Status insert() = 0;

 protected:
  ~DelayedRows() = default;
};

class Connection {
 public:
  enum class Mode { kReadWrite, kRead };

  // kReadWrite makes the file if there is none.
  static Result<std::unique_ptr<Connection>> open(const std::string& path, Mode mode);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs to the end; rows are ignored.
  template <typename... Args>
  Status run(const char* sql, const Args&... args) {
    return each(
        sql, [](const Row&) {}, args...);
  }

  // The same where bind_all(Binder&) gives the values: for statements of many rows. The texts live
  // as long as the call.
  template <typename BindAll>
  Status run_bound(const char* sql, BindAll&& bind_all) {
    HOLDFAST_TRY(Use use, take(sql));
    Binder binder(use.statement);
    bind_all(binder);
    HOLDFAST_CHECK_OK(step(use.statement));
    return {};
  }

  // These are inserted before the next statement runs, which fails if that does. nullptr: nothing
  // waits.
  void delay(DelayedRows* rows) { delayed_ = rows; }

  // Calls on_row for every row. An on_row that returns bool stops by returning false. Texts are
  // bound without a copy; they live as long as the call.
  template <typename OnRow, typename... Args>
  Status each(const char* sql, OnRow&& on_row, const Args&... args) {
    HOLDFAST_TRY(Use use, take(sql));
    Binder(use.statement).bind(args...);
    for (;;) {
      HOLDFAST_TRY(const bool has_row, step(use.statement));
      if (!has_row) return {};
      const Row row(use.statement);
      if constexpr (std::is_same_v<std::invoke_result_t<OnRow, const Row&>, bool>) {
        if (!on_row(row)) return {};
      } else {
        on_row(row);
      }
    }
  }

  // Calls on_row for the first row; false if there is none.
  template <typename OnRow, typename... Args>
  Result<bool> one_or_none(const char* sql, OnRow&& on_row, const Args&... args) {
    bool found = false;
    const auto first = [&](const Row& row) -> bool {
      on_row(row);
      found = true;
      return false;
    };
    HOLDFAST_CHECK_OK(each(sql, first, args...));
    return found;
  }

  // The first column of the first row as an integer; `otherwise` if there is no row or it is null.
  template <typename... Args>
  Result<int64_t> integer_or(int64_t otherwise, const char* sql, const Args&... args) {
    int64_t value = otherwise;
    HOLDFAST_CHECK_OK(one_or_none(
        sql,
        [&](const Row& row) {
          if (!row.is_null(0)) value = row.integer(0);
        },
        args...));
    return value;
  }

  // Several statements at once, uncached: migrations and pragmas.
  Status execute(const std::string& script);

  // Rows changed by the last statement, and by all so far.
  int64_t changes() const { return sqlite3_changes64(db_); }
  int64_t total_changes() const { return sqlite3_total_changes64(db_); }
  // The rowid of the last row that was inserted.
  int64_t last_row() const { return sqlite3_last_insert_rowid(db_); }
  bool in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }
  Error error(int code) const;
  sqlite3* handle() const { return db_; }

 private:
  // A statement while it is stepped; puts it back clean.
  struct Use {
    sqlite3_stmt* statement;
    bool cached;
    Use(sqlite3_stmt* s, bool c) : statement(s), cached(c) {}
    Use(Use&& other) noexcept : statement(other.statement), cached(other.cached) {
      other.statement = nullptr;
    }
    Use& operator=(Use&&) = delete;
    ~Use();
  };

  explicit Connection(sqlite3* db) : db_(db) {}
  Result<Use> take(const char* sql);
  Result<bool> step(sqlite3_stmt* statement);

  sqlite3* db_;
  DelayedRows* delayed_ = nullptr;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
};

}  // namespace holdfast::storage::sqlite
