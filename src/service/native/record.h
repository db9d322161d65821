// The native nouns: what people and agents store through our own surface. A `memory` is believed
// and may be corrected; `evidence` is what was observed, and its content never changes. Both are a
// Record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/noun.h"
#include "model/value.h"

namespace holdfast::service {

inline constexpr std::string_view kMemoryKind = "memory";
inline constexpr std::string_view kEvidenceKind = "evidence";

enum class WorkState : uint8_t { kNone, kOpen, kDone };

// Where a record belongs. Empty members mean "not said".
struct Scope {
  std::string container = {};  // channel, room, repository: what visibility `container` refers to
  std::string thread = {};
  std::string task = {};
  std::string repository = {};
  std::vector<std::string> work_refs = {};  // normalised when stored (text/work_ref.h)
  bool operator==(const Scope&) const = default;
};

struct DeclaredLink {
  std::string relation = {};
  std::string kind = {};
  std::string id = {};
  bool operator==(const DeclaredLink&) const = default;
};

struct Record {
  std::string text = {};
  std::string title = {};
  std::vector<std::string> tags = {};
  Scope scope = {};
  std::string speaker = {};  // who said it
  std::string source = {};   // where it came from: a URL, a tool, a file
  Timestamp occurred_at = {};
  std::optional<Timestamp> valid_from = std::nullopt;   // believed true from ...
  std::optional<Timestamp> valid_until = std::nullopt;  // ... until, exclusive
  std::optional<Timestamp> due_at = std::nullopt;       // a reminder: shown by context when due
  WorkState work_state = WorkState::kNone;              // open work is shown by context
  std::vector<DeclaredLink> links = {};
  Value metadata = {};  // the caller's own; null for none
  bool operator==(const Record&) const = default;
};

const Noun<Record>& memory_noun();
const Noun<Record>& evidence_noun();

}  // namespace holdfast::service

namespace holdfast {

template <>
struct EnumNames<service::WorkState> {
  static constexpr std::array<std::pair<service::WorkState, std::string_view>, 3> kNames = {
      {{service::WorkState::kNone, "none"},
       {service::WorkState::kOpen, "open"},
       {service::WorkState::kDone, "done"}}};
};

}  // namespace holdfast
