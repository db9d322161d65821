#include "service/recall/forgotten.h"

#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostMarks = 100;

const Codec<Forgotten>& forgotten_codec() {
  static const Codec<Forgotten> codec = Codec<Forgotten>()
                                            .field("container_ref", &Forgotten::container_ref)
                                            .field("visibility", &Forgotten::visibility)
                                            .field("actor_ref", &Forgotten::actor_ref)
                                            .field("at", &Forgotten::at)
                                            .field("until", &Forgotten::until)
                                            .field("key", &Forgotten::key);
  return codec;
}

Projection project_mark(const Forgotten& mark) {
  Projection out;
  if (!mark.key.empty()) out.facets.push_back(Facet::of(std::string(facet::kCanon), mark.key));
  return out;
}

}  // namespace

const Noun<Forgotten>& forgotten_noun() {
  static const Noun<Forgotten> noun{
      .kind = "recall_forgotten", .codec = forgotten_codec(), .project = project_mark};
  return noun;
}

Forgotten mark_of(const Memory& memory, Timestamp at, Timestamp until) {
  return {.container_ref = memory.container_ref,
          .visibility = memory.visibility,
          .actor_ref = memory.actor_ref,
          .at = at,
          .until = until,
          .key = memory.canonical_key.empty() ? "" : keyed_facet(memory, memory.canonical_key)};
}

Forgotten mark_of(const Item& item, Timestamp at) {
  return {.container_ref = item.about.container_ref.value_or(""),
          .visibility = item.about.visibility,
          .actor_ref = item.about.actor_ref,
          .at = at,
          .until = at};
}

Status ForgottenMarks::put(const std::string& id, const Forgotten& mark) {
  return txn_.add(all_,
                  storage::put_of(forgotten_noun(), id, mark,
                                  label_of(mark.visibility, mark.container_ref, mark.actor_ref)));
}

Result<std::vector<Object>> ForgottenMarks::with_key(const Memory& memory) {
  if (memory.canonical_key.empty()) return std::vector<Object>();
  const std::string key = keyed_facet(memory, memory.canonical_key);
  HOLDFAST_TRY(auto page, txn_.scan(all_, {.kind = forgotten_noun().kind,
                                           .equal = Facet::of(std::string(facet::kCanon), key),
                                           .descending = true,
                                           .limit = kMostMarks}));
  return std::move(page.objects);
}

Result<bool> ForgottenMarks::cover(const Memory& memory) {
  HOLDFAST_TRY(const auto marks, with_key(memory));
  for (const Object& object : marks) {
    HOLDFAST_TRY(const Forgotten mark, storage::value_of(forgotten_noun(), object));
    const bool older = !memory.evidence.empty() && memory.evidence.front().created_at <= mark.at;
    if (older || txn_.now() < mark.until) return true;
  }
  return false;
}

Status ForgottenMarks::lift(const Memory& memory) {
  HOLDFAST_TRY(const auto marks, with_key(memory));
  for (const Object& object : marks) HOLDFAST_CHECK_OK(txn_.erase(all_, object.key, "remembered"));
  return {};
}

}  // namespace holdfast::service::recall
