#include <algorithm>
#include <array>

#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/rules.h"

namespace holdfast::service::continuity {
namespace {

Status check_boundary(const Value& capsule) {
  constexpr std::array<std::string_view, 5> kKinds = {
      "person_switch", "thread_switch", "task_switch", "public_reply", "manual_checkpoint"};
  const Value* reason = find_path(capsule, "source.update_reason");
  const bool boundary = reason != nullptr && *reason == Value("interaction_boundary");
  const Value* metadata = capsule.find("metadata");
  const Value* kind =
      metadata != nullptr ? present(*metadata, "interaction_boundary_kind") : nullptr;
  if (kind == nullptr) {
    if (!boundary) return {};
    return bad_request(
        "metadata.interaction_boundary_kind is required when "
        "source.update_reason=interaction_boundary");
  }
  if (!boundary)
    return bad_request(
        "metadata.interaction_boundary_kind requires source.update_reason=interaction_boundary");
  const std::string* word = kind->if_string();
  if (word == nullptr || std::ranges::find(kKinds, *word) == kKinds.end())
    return bad_request("Invalid metadata.interaction_boundary_kind");
  return {};
}

}  // namespace

Status check_metadata(const Value& capsule) {
  const Value* metadata = capsule.find("metadata");
  const Value::Object* members = metadata != nullptr ? metadata->if_object() : nullptr;
  if (members == nullptr) return check_boundary(capsule);
  if (members->size() > 12) return bad_request("Too many metadata keys");
  for (const auto& member : *members) {
    if (member.value.is_object() || member.value.is_array())
      return bad_request("Metadata values must be scalar");
  }
  return check_boundary(capsule);
}

}  // namespace holdfast::service::continuity
