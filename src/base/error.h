// What went wrong, in the engine's own words. HTTP statuses and wire codes belong to a surface's
// errors.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {

// Coarse and closed. A finer cause is Error::reason, a constant declared by the module that raises
// it.
enum class ErrorCode {
  kInvalidArgument,   // the request itself is wrong; see issues
  kUnauthenticated,   // no valid credential
  kPermissionDenied,  // a valid credential that does not allow this
  kNotFound,          // does not exist, was erased, or may not be seen
  kAlreadyExists,     // a unique name is taken
  kConflict,          // the state does not allow it now: stale revision, wrong state
  kGone,              // existed, and the contract lets the caller know that it no longer does
  kTooLarge,          // over a size limit
  kRateLimited,       // the caller's budget is spent; retry_after_seconds says when to come back
  kUnavailable,       // overloaded, opening or shutting down; safe to repeat
  kDeadlineExceeded,  // the call's deadline passed
  kStorageFull,       // no space left; nothing was changed
  kCorrupted,         // stored bytes are not what was written
  kInternal,          // a defect of ours
};

// The word for logs and metrics, e.g. "not_found".
std::string_view error_code_name(ErrorCode code);

// One thing wrong with an input. A dialect makes sentences of it.
struct Issue {
  // Where: member names and array indexes from the root of the part named by `location`.
  // An index is written as its decimal digits with is_index set.
  struct Step {
    std::string name = {};
    bool is_index = false;
    bool operator==(const Step&) const = default;
  };
  struct Param {
    std::string name;
    std::string value;
    bool operator==(const Param&) const = default;
  };

  std::string location = "body";  // body, query, path, header
  std::vector<Step> path = {};
  std::string rule =
      {};  // required, type, length_min, length_max, range, one_of, pattern, unknown, ...
  std::vector<Param> params = {};  // e.g. {"min","1"}, {"max","64"}, {"expected","integer"}
  std::string value = {};          // the offending scalar as JSON text, or empty

  // `body.tags[3]` without the location: `tags[3]`.
  std::string path_text() const;
  // The value of a parameter, or an empty text.
  std::string_view param(std::string_view name) const;
  bool operator==(const Issue&) const = default;
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string reason =
      {};  // a constant such as "revision_conflict"; empty where the code says it all
  std::string message = {};  // for the caller: what was wrong and what to do next
  std::string detail = {};   // for the log; never sent
  std::vector<Issue> issues = {};
  int64_t retry_after_seconds = 0;
};

// Short forms for the common cases.
Error invalid_argument(std::string message, std::vector<Issue> issues = {});
Error not_found(std::string_view what, std::string_view id);
Error conflict(std::string_view reason, std::string message);
Error internal_error(std::string detail);
Error unavailable(std::string message);

}  // namespace holdfast
