// One-shot reminders: created once per identity, due at a time, ended by being acknowledged, done
// or retired. Thread-safe.
#pragma once

#include <functional>
#include <set>

#include "service/continuity/read_service.h"
#include "service/continuity/work_store.h"

namespace holdfast::service::continuity {

class ScheduleService {
 public:
  ScheduleService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                  const search::Index& index, const Clock& clock,
                  const ContinuitySettings& settings)
      : store_(store), gatekeeper_(gatekeeper), index_(index), clock_(clock), settings_(settings) {}

  Result<Value> create(const Request& request);
  Result<Value> get(const Request& request);
  Result<Value> list(const Request& request);
  Result<Value> update(const Request& request);
  Result<Value> acknowledge(const Request& request);
  Result<Value> retire(const Request& request);

  // schedule_context: what is due and coming up for any of these subjects.
  Result<Value> context(const Request& request, const Access& access, storage::ReadTxn& txn,
                        const std::vector<Subject>& scopes) const;

 private:
  Result<Value> create_in(storage::WriteTxn& txn, const Access& access, const Request& request,
                          const Value& wanted, const std::string& identity) const;
  Result<Value> end_in(storage::WriteTxn& txn, const Access& access, const Request& request,
                       const std::string& target) const;
  Result<Value> end(const Request& request, const std::string& target);
  using Closure = std::function<Result<Value>(storage::WriteTxn&, const Access&)>;
  // A failure of the store becomes the contract's 503.
  Result<Value> write(const Request& request, const Closure& closure);
  // Unreadable ones are left out and named.
  Result<std::vector<Value>> pending(storage::ReadTxn& txn, const Access& access,
                                     const std::vector<Subject>& scopes, int64_t from, int64_t to,
                                     size_t limit, std::set<std::string>& unreadable) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  const ContinuitySettings& settings_;
};

// A reminder as answers show it.
Value reminder_item(const Value& reminder, Timestamp now);

// The answer of a change: `flag` is created or updated.
Value schedule_answer(const char* flag, bool value, const Value& reminder, Timestamp now);

// Before the id of a reminder that is stored and cannot be read.
inline const std::string kRowInvalid = "schedule_row_invalid:";
// The contract's code for a failure of the store; empty for every other error.
std::string store_code(const Error& error);

inline constexpr std::string_view kSchedulePath = "memory/schedule/schedule.db";

}  // namespace holdfast::service::continuity
