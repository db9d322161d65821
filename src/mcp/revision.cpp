#include "mcp/revision.h"

#include <array>

#include "base/assert.h"

namespace holdfast::mcp {
namespace {

struct Named {
  Revision revision;
  std::string_view name;
};

constexpr std::array<Named, 5> kRevisions = {{{Revision::k20241105, "2024-11-05"},
                                              {Revision::k20250326, "2025-03-26"},
                                              {Revision::k20250618, "2025-06-18"},
                                              {Revision::k20251125, "2025-11-25"},
                                              {Revision::k20260728, "2026-07-28"}}};

std::optional<Revision> find(std::string_view name, bool modern) {
  for (const Named& known : kRevisions) {
    if (known.name == name && (known.revision >= kModern) == modern) return known.revision;
  }
  return std::nullopt;
}

// YYYY-MM-DD
bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

}  // namespace

std::string_view revision_name(Revision revision) {
  for (const Named& known : kRevisions) {
    if (known.revision == revision) return known.name;
  }
  HOLDFAST_ASSERT(false);
  return {};
}

std::optional<Revision> session_revision(std::string_view name) { return find(name, false); }
std::optional<Revision> modern_revision(std::string_view name) { return find(name, true); }

Value modern_names() {
  Value names = Value::array();
  for (const Named& known : kRevisions) {
    if (known.revision >= kModern) names.push(known.name);
  }
  return names;
}

bool names_modern_era(std::string_view version) {
  return is_date(version) && version > revision_name(kLatestSession);
}

}  // namespace holdfast::mcp
