// The revisions of the protocol that are served, and what each of them knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/value.h"

namespace holdfast::mcp {

// In order of time, so that features can be compared with <.
enum class Revision : uint8_t { k20241105, k20250326, k20250618, k20251125, k20260728 };

inline constexpr Revision kModern = Revision::k20260728;  // stateless, metadata in every request
inline constexpr Revision kLatestSession = Revision::k20251125;  // the newest with a handshake

std::string_view revision_name(Revision revision);
// A revision that begins with a handshake; nothing for every other text, the modern one included.
std::optional<Revision> session_revision(std::string_view name);
// The modern revision of that name.
std::optional<Revision> modern_revision(std::string_view name);
// The modern names, as clients are told.
Value modern_names();
// A date after the last session revision: the sender means a modern one, known here or not.
bool names_modern_era(std::string_view version);

constexpr bool has_titles(Revision r) { return r >= Revision::k20250618; }
constexpr bool has_annotations(Revision r) { return r >= Revision::k20250326; }
constexpr bool has_completions_capability(Revision r) { return r >= Revision::k20250326; }
constexpr bool has_progress_message(Revision r) { return r >= Revision::k20250326; }
constexpr bool has_structured_content(Revision r) { return r >= Revision::k20250618; }
constexpr bool has_batches(Revision r) { return r == Revision::k20250326; }

}  // namespace holdfast::mcp
