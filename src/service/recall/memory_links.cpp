// What a memory points at.
#include <array>
#include <set>

#include "service/recall/memory.h"

namespace holdfast::service::recall {
namespace {

// Members of payloads that name other memories: one id, or several.
constexpr std::array<std::string_view, 3> kNaming = {"supporting_memory_ids", "fact_ids",
                                                     "procedure_id"};

std::set<std::string> related_ids(const Value& payload) {
  std::set<std::string> ids;
  for (const std::string_view name : kNaming) {
    const Value* value = payload.find(name);
    if (value == nullptr) continue;
    if (const std::string* one = value->if_string()) ids.insert(*one);
    if (const auto* several = value->if_array()) {
      for (const Value& id : *several) {
        if (const std::string* text = id.if_string()) ids.insert(*text);
      }
    }
  }
  return ids;
}

}  // namespace

void add_links(const Memory& memory, Projection& out) {
  const auto add = [&](std::string_view relation, ObjectKey target) {
    out.links.push_back(
        {.relation = std::string(relation), .target = std::move(target), .provenance = "recall"});
  };
  for (const Evidence& evidence : memory.evidence)
    add(kSupportedBy, item_key(evidence.source_item_id));
  for (const std::string& older : memory.supersedes) add(kSupersedes, memory_key(older));
  for (const std::string& id : related_ids(memory.payload)) add(kRelatesTo, memory_key(id));
}

}  // namespace holdfast::service::recall
