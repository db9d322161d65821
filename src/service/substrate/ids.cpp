#include "service/substrate/ids.h"

#include <array>

#include "base/digest.h"

namespace holdfast::service::substrate {
namespace {

struct TypeWords {
  ObjectType type;
  std::string_view name;
  std::string_view plural;
  std::string_view prefix;
};

constexpr std::array<TypeWords, 5> kTypes = {{
    {ObjectType::kNode, "node", "nodes", "node"},
    {ObjectType::kKnowledge, "knowledge", "knowledge", "know"},
    {ObjectType::kActivity, "activity", "activities", "act"},
    {ObjectType::kWorkItem, "work_item", "work_items", "work"},
    {ObjectType::kSource, "source", "sources", "src"},
}};

struct ForeignPrefix {
  std::string_view prefix;
  std::string_view kind;
};

constexpr std::array<ForeignPrefix, 3> kForeign = {
    {{"scope", "scope"}, {"ep", "episode"}, {"rel", "relation"}}};

const TypeWords& type_words(ObjectType type) {
  for (const TypeWords& words : kTypes) {
    if (words.type == type) return words;
  }
  return kTypes.front();
}

std::string_view prefix_of(std::string_view id) {
  const size_t colon = id.find(':');
  return colon == std::string_view::npos ? std::string_view() : id.substr(0, colon);
}

}  // namespace

std::string_view type_name(ObjectType type) { return type_words(type).name; }
std::string_view type_plural(ObjectType type) { return type_words(type).plural; }

std::optional<ObjectType> type_from_name(std::string_view name) {
  for (const TypeWords& words : kTypes) {
    if (words.name == name) return words.type;
  }
  return std::nullopt;
}

std::optional<ObjectType> type_of_id(std::string_view id) {
  const std::string_view prefix = prefix_of(id);
  for (const TypeWords& words : kTypes) {
    if (words.prefix == prefix) return words.type;
  }
  return std::nullopt;
}

std::string_view kind_of_id(std::string_view id) {
  if (const auto type = type_of_id(id)) return type_name(*type);
  const std::string_view prefix = prefix_of(id);
  for (const ForeignPrefix& foreign : kForeign) {
    if (foreign.prefix == prefix) return foreign.kind;
  }
  return "entity";
}

std::string stable_id(std::string_view prefix, std::string_view identity_key) {
  return std::string(prefix) + ":" + to_hex(sha1(identity_key)).substr(0, 32);
}

std::string random_id(std::string_view prefix) {
  return std::string(prefix) + ":" + to_hex(random_bytes(16));
}

std::string relation_id(std::string_view source, std::string_view relation,
                        std::string_view target) {
  std::string key(source);
  key += '\0';
  key += relation;
  key += '\0';
  key += target;
  return "rel:" + to_hex(sha1(key));
}

std::string sha256_hex(std::string_view bytes) { return to_hex(sha256(bytes)); }

}  // namespace holdfast::service::substrate
