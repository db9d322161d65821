// One caller in one transaction: what it may see and do, and what it refers to. A Visit reads, a
// Mutation also writes. Neither is thread-safe; both live as long as their transaction.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/observation/registry.h"
#include "storage/store.h"
#include "storage/typed.h"

namespace holdfast::service::observation {

inline constexpr int kAdministrator = 4;  // trust tier

class Visit {
 public:
  // Looks up which private workspaces the caller belongs to.
  static Result<Visit> begin(const CallContext& call, storage::ReadTxn& txn,
                             const access::Gatekeeper& gatekeeper);

  const CallContext& call() const { return *call_; }
  storage::ReadTxn& txn() const { return *txn_; }
  bool is_administrator() const { return call_->trust_tier >= kAdministrator; }
  bool is_cleared() const { return call_->viewer.clearance == Sensitivity::kSensitive; }

  // The caller's own eyes, memberships included: for lists and whatever is shown.
  const access::SpaceAccess& eyes() const { return eyes_; }
  // The engine's: for judging things that the caller may have to be told about.
  const access::SpaceAccess& everything() const { return everything_; }

  // Nothing if there is none, whoever asks.
  template <typename T>
  Result<std::optional<T>> find(const Noun<T>& noun, const std::string& id) const {
    auto object = txn_->get(everything_, {.kind = noun.kind, .id = id});
    if (!object) {
      if (object.error().code == ErrorCode::kNotFound) return std::optional<T>();
      return std::move(object).error();
    }
    HOLDFAST_TRY(T value, storage::value_of(noun, *object));
    return std::optional<T>(std::move(value));
  }

  // The same, remembered for as long as the visit: a batch names few of them many times. nullptr if
  // there is none; otherwise it lives as long as the visit.
  Result<const Workspace*> workspace(const std::string& id);

  // Whether a thing of this kind has the slug, whoever asks.
  Result<bool> is_slug_taken(const std::string& kind, const std::string& slug) const;

  // Any member, anybody where it is internal, administrators.
  Result<bool> may_read(const Workspace& workspace);
  // Members but viewers, permission lists with `write`, administrators.
  Result<bool> may_write(const Workspace& workspace);
  Result<bool> may_administer(const Workspace& workspace);

  // Whether the label lets the caller through, gate by gate: kNotFound for the workspace, then
  // kPermissionDenied for a subcortex outside the token's scope, then for the clearance.
  Status pass(const Label& label, const Error& not_there) const;
  bool is_in_scope(const std::string& slug) const;

  // kNotFound unless it exists and the caller may read it.
  Result<Workspace> readable_workspace(const std::string& id);

 private:
  Visit(const CallContext& call, storage::ReadTxn& txn, access::SpaceAccess eyes,
        access::SpaceAccess everything)
      : call_(&call), txn_(&txn), eyes_(std::move(eyes)), everything_(std::move(everything)) {}

  Result<const Member*> membership(const Workspace& workspace);

  const CallContext* call_;
  storage::ReadTxn* txn_;
  access::SpaceAccess eyes_;
  access::SpaceAccess everything_;
  std::map<std::string, std::optional<Workspace>> workspaces_;
  std::map<std::string, std::optional<Member>> members_;
};

class Mutation : public Visit {
 public:
  static Result<Mutation> begin(const CallContext& call, storage::WriteTxn& txn,
                                const access::Gatekeeper& gatekeeper);
  storage::WriteTxn& write() const { return *write_; }
  // Whole milliseconds, as everything that is shown.
  Timestamp now() const;

  // Done once the write is durable: for what is derived from it in memory.
  void after_commit(std::function<void()> act) { afterwards_.push_back(std::move(act)); }
  std::vector<std::function<void()>> take_afterwards() { return std::move(afterwards_); }

  // Stores a struct under its id, seen by whom the label says.
  template <typename T>
  Result<Object> put(const Noun<T>& noun, const std::string& id, const T& value,
                     const Label& label) {
    return put(storage::put_of(noun, id, value, label));
  }
  Result<Object> put(storage::Put put) {
    written_.push_back(put.key);
    return write_->put(everything(), std::move(put));
  }
  // Stores it too, but whoever calls says what the answer tells about.
  Status add(storage::Put&& put) { return write_->add(everything(), std::move(put)); }
  void tells_about(ObjectKey key) { written_.push_back(std::move(key)); }
  // What was put so far. An answer tells about it, and is erased with it.
  const std::vector<ObjectKey>& written() const { return written_; }

 private:
  Mutation(Visit visit, storage::WriteTxn& txn) : Visit(std::move(visit)), write_(&txn) {}
  storage::WriteTxn* write_;
  std::vector<std::function<void()>> afterwards_;
  std::vector<ObjectKey> written_;
};

// The label of what belongs to a workspace and touches these subcortexes (slugs).
Label label_in(const Workspace& workspace, Sensitivity sensitivity,
               std::vector<std::string> subcortexes);

}  // namespace holdfast::service::observation
