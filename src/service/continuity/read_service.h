// Reading capsules: one with its trust signals and startup view, lists by facets, and what
// operators look at. Thread-safe.
#pragma once

#include <functional>

#include "service/continuity/access_trail.h"
#include "service/continuity/capsule_store.h"
#include "service/continuity/request.h"
#include "service/continuity/shelf.h"

namespace holdfast::service::continuity {

struct ContinuitySettings {
  int64_t retention_days = 90;
  int64_t due_limit = 10;
  int64_t upcoming_limit = 5;
  int64_t upcoming_window_hours = 72;
};

// What a startup view shows beside the capsule.
struct StartupSources {
  using Source = std::function<Result<Value>(const Request&, const Access&, storage::ReadTxn&,
                                             const Subject&)>;
  Source graph = {};
  Source schedule = {};
};

class ReadService {
 public:
  ReadService(storage::Store& store, const access::Gatekeeper& gatekeeper, const Shelf& shelf,
              const Clock& clock, AccessTrail& trail, const ContinuitySettings& settings,
              StartupSources sources)
      : store_(store),
        gatekeeper_(gatekeeper),
        shelf_(shelf),
        clock_(clock),
        trail_(trail),
        settings_(settings),
        sources_(std::move(sources)) {}

  Result<Value> read(const Request& request);
  Result<Value> list(const Request& request);

  // For operators. How many artefacts there are, by state and subject kind.
  Result<Value> counts(const Request& request);
  // Rows like those of list(), of one state or all, by health and by a part of the subject's id.
  // `complete` is false where only the first kMostLookedAt were looked through.
  Result<Value> browse(const Request& request);
  // The rows of one subject.
  Result<Value> artefacts(const Request& request);
  static constexpr size_t kMostLookedAt = 20'000;

 private:
  struct Listed {
    ArtefactState state = ArtefactState::kActive;
    StoredCapsule stored = {};
  };
  static Result<std::vector<Listed>> read_entries(const Access& access, storage::ReadTxn& txn,
                                                  const std::vector<ShelfEntry>& entries,
                                                  size_t limit);
  Result<Value> rows_of(const Request& request, const Access& access,
                        const std::vector<ShelfEntry>& entries, size_t limit) const;
  Value row_of(const StoredCapsule& stored, ArtefactState state, Timestamp now) const;

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const Shelf& shelf_;
  const Clock& clock_;
  AccessTrail& trail_;
  const ContinuitySettings& settings_;
  const StartupSources sources_;
};

// Whether the caller's namespaces let it see an artefact; empty: it may see all of them.
std::function<bool(const ShelfEntry&)> readable_by(const CallContext& call);

// A capsule as callers see it: documents that break today's rules are left out with a warning.
Value shown(const Value& capsule, std::vector<std::string>& recovery);
// The warning of a superseded descriptor, if it is one.
void warn_superseded(const Value& capsule, const Subject& subject,
                     std::vector<std::string>& recovery);

}  // namespace holdfast::service::continuity
