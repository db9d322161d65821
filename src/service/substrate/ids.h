// Names of things in the substrate: a prefix, a colon, hex digits. A stable id is made of an
// identity key, so that meeting the same thing again finds the same object; a random one is new.
// Ids that callers bring are opaque: nothing but the prefix is ever read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::service::substrate {

// What can be stored. The order is that in which lists show them.
enum class ObjectType : uint8_t { kNode, kKnowledge, kActivity, kWorkItem, kSource };

inline constexpr ObjectType kObjectTypes[] = {ObjectType::kNode, ObjectType::kKnowledge,
                                              ObjectType::kActivity, ObjectType::kWorkItem,
                                              ObjectType::kSource};

// source, node, knowledge, activity, work_item: the wire's word and the store's kind.
std::string_view type_name(ObjectType type);
// The folder of its pages: sources, nodes, knowledge, activities, work_items.
std::string_view type_plural(ObjectType type);
std::optional<ObjectType> type_from_name(std::string_view name);
// By the prefix: src, node, know, act, work.
std::optional<ObjectType> type_of_id(std::string_view id);
// As type_of_id, for everything that can be named: also scope, episode, relation; else entity.
std::string_view kind_of_id(std::string_view id);

// prefix:32 hex digits of SHA-1 over the identity key.
std::string stable_id(std::string_view prefix, std::string_view identity_key);
// prefix:32 random hex digits.
std::string random_id(std::string_view prefix);
// rel:40 hex digits.
std::string relation_id(std::string_view source, std::string_view relation,
                        std::string_view target);
// Lower-case hex of SHA-256.
std::string sha256_hex(std::string_view bytes);

}  // namespace holdfast::service::substrate
