#include "service/recall/kin.h"

#include <algorithm>

#include "service/recall/patterns.h"
#include "service/recall/query_filter.h"
#include "service/recall/words.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostSimilar = 20;
constexpr size_t kMostRelated = 100;
constexpr size_t kMostAskedBefore = 10;
constexpr size_t kMostOldest = 3;  // that may hold a pattern together
constexpr size_t kMostOfOldest = 25;

const std::vector<std::string> kComparedTypes = {
    std::string(type::kDecision), std::string(type::kOutcome), std::string(type::kConstraint)};

// Those that share two words or a work reference.
void keep_related(const Memory& memory, std::vector<Memory>& related) {
  const std::vector<std::string> words = content_words(headline(memory));
  std::erase_if(related, [&](const Memory& one) {
    const bool same_work = std::ranges::any_of(memory.work_refs, [&](const std::string& ref) {
      return std::ranges::find(one.work_refs, ref) != one.work_refs.end();
    });
    const WordSet text(headline(one));
    const auto shared = std::ranges::count_if(
        words, [&](const std::string& word) { return text.match(word) >= 1; });
    return static_cast<size_t>(shared) < kLeastShared && !same_work;
  });
}

}  // namespace

bool replaces(const Draft& draft, const Memory& older) {
  if (draft.type != type::kDecision || draft.replaces.empty()) return false;
  const WordSet words(headline(older));
  return std::ranges::all_of(draft.replaces,
                             [&](const std::string& word) { return words.match(word) >= 1; });
}

Memory memory_from(const Item& item, const Draft& draft, size_t ordinal, Timestamp now) {
  const Evidence& about = item.about;
  const bool personal = about.visibility == Scope::kPrivate || about.visibility == Scope::kGlobal;
  return {.id = derived_id({about.source_item_id, draft.type, std::to_string(ordinal)}),
          .type = draft.type,
          .payload = draft.payload,
          .visibility = about.visibility,
          .container_ref = about.container_ref.value_or(""),
          .thread_ref = about.thread_ref,
          .actor_ref = personal ? about.actor_ref : std::nullopt,
          .freshness_at = moment_of(about),
          .created_at = now,
          .work_refs = item.work_refs,
          .canonical_key = draft.canonical_key,
          .slot = draft.slot,
          .subject = draft.subject,
          .evidence = {about},
          .by_hand = item.by_hand};
}

Result<Item> read_item(storage::ReadTxn& txn, const access::SpaceAccess& all,
                       const std::string& id) {
  HOLDFAST_TRY(const Object object, txn.get(all, item_key(id)));
  return storage::value_of(item_noun(), object);
}

Result<Memory> read_memory(storage::ReadTxn& txn, const access::SpaceAccess& all,
                           const std::string& id) {
  HOLDFAST_TRY(const Object object, txn.get(all, memory_key(id)));
  return storage::value_of(memory_noun(), object);
}

search::Filter KinFinder::filter_for(const Memory& memory, std::vector<std::string> types) const {
  return {
      .kinds = {memory_noun().kind},
      .facets = {{.name = std::string(shared_facet::kContainer), .any_of = {memory.container_ref}},
                 {.name = std::string(facet::kLive), .any_of = {"yes"}},
                 {.name = std::string(facet::kType), .any_of = std::move(types)}}};
}

Result<std::vector<Memory>> KinFinder::find(const search::SearchRequest& request) {
  HOLDFAST_TRY(const auto found, index_.search(all_, request));
  std::vector<ObjectNumber> numbers;
  for (const search::Hit& hit : found.hits) numbers.push_back(hit.number);
  return read(numbers);
}

Result<std::vector<Memory>> KinFinder::read(const std::vector<ObjectNumber>& numbers) {
  HOLDFAST_TRY(const auto objects, txn_.get_many(all_, numbers));
  std::vector<Memory> out;
  for (const Object& object : objects) {
    HOLDFAST_TRY(Memory memory, storage::value_of(memory_noun(), object));
    out.push_back(std::move(memory));
  }
  return out;
}

Result<std::optional<std::string>> KinFinder::replaced_by(const Draft& draft,
                                                          const Memory& memory) {
  if (draft.replaces.empty()) return std::optional<std::string>();
  std::vector<search::PreparedTerm> terms;
  for (const std::string& word : draft.replaces) terms.push_back(search::PreparedTerm::of(word));
  HOLDFAST_TRY(const auto found, find({.terms = std::move(terms),
                                       .match = search::MatchMode::kAll,
                                       .filter = filter_for(memory, {memory.type}),
                                       .limit = kMostSimilar}));
  const Memory* newest = nullptr;
  for (const Memory& older : found) {
    if (family_facet(older) == family_facet(memory) && replaces(draft, older) &&
        precedes(older, memory) && (newest == nullptr || precedes(*newest, older)))
      newest = &older;
  }
  return newest == nullptr ? std::optional<std::string>() : newest->id;
}

Result<std::vector<Memory>> KinFinder::related_to(const Memory& memory) {
  HOLDFAST_TRY(auto related, find({.query = headline(memory),
                                   .plain = true,
                                   .filter = filter_for(memory, kComparedTypes),
                                   .limit = kMostRelated}));
  if (!memory.work_refs.empty()) {
    search::Filter filter = filter_for(memory, kComparedTypes);
    filter.facets.push_back(
        {.name = std::string(shared_facet::kWorkRef), .any_of = memory.work_refs});
    HOLDFAST_TRY(const auto listed, index_.list(all_, {.filter = filter, .limit = kMostRelated}));
    std::vector<ObjectNumber> numbers;
    for (const auto& hit : listed.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(auto by_ref, read(numbers));
    std::ranges::move(by_ref, std::back_inserter(related));
  }
  std::erase_if(related, [&](const Memory& one) { return one.visibility != memory.visibility; });
  return related;
}

Status KinFinder::widen(const Memory& memory, std::vector<Memory>& related) {
  std::vector<Memory> oldest;
  if (!memory.thread_ref) return {};
  for (const Memory& one : related) {
    if (may_join(one, memory) && precedes(one, memory)) oldest.push_back(one);
  }
  std::ranges::sort(oldest, precedes);
  if (oldest.size() > kMostOldest) oldest.resize(kMostOldest);
  search::Filter filter = filter_for(memory, kComparedTypes);
  filter.ranges = {
      {.name = std::string(facet::kFresh), .from = to_micros(memory.freshness_at - kPatternSpan)}};
  for (const Memory& one : oldest) {
    HOLDFAST_TRY(auto more, find({.terms = terms_of(content_words(headline(one))),
                                  .match = search::MatchMode::kMinimum,
                                  .minimum_terms = kLeastShared,
                                  .filter = filter,
                                  .limit = kMostOfOldest}));
    for (Memory& other : more) {
      if (std::ranges::find(related, other.id, &Memory::id) == related.end())
        related.push_back(std::move(other));
    }
    if (holds_pattern(one, memory, related)) break;
  }
  return {};
}

Result<Kin> KinFinder::of(const Item& item, const Draft& draft) {
  Kin kin;
  if (std::ranges::find(kComparedTypes, draft.type) == kComparedTypes.end()) return kin;
  const Memory memory = memory_from(item, draft, 0, item.about.created_at);
  HOLDFAST_TRY(kin.related, related_to(memory));
  const std::string family = family_facet(memory);
  for (const Memory& older : kin.related) {
    if (family_facet(older) == family && says_the_same(memory, older))
      kin.replaced.push_back(older.id);
  }
  HOLDFAST_TRY(const auto replaced, replaced_by(draft, memory));
  if (replaced) kin.replaced.push_back(*replaced);
  keep_related(memory, kin.related);
  HOLDFAST_CHECK_OK(widen(memory, kin.related));
  return kin;
}

Result<std::vector<std::string>> KinFinder::asked_before(const Item& item) {
  std::vector<std::string> ids;
  if (!item.about.container_ref) return ids;
  for (const std::string& question : questions_of(item)) {
    const search::SearchRequest request{
        .query = question,
        .plain = true,
        .filter = {.kinds = {item_noun().kind},
                   .facets = {{.name = std::string(shared_facet::kContainer),
                               .any_of = {*item.about.container_ref}},
                              {.name = std::string(facet::kRole), .any_of = {"user"}}},
                   // What came later does not count, so that it does not matter when this is asked.
                   .ranges = {{.name = std::string(facet::kCreated),
                               .to = to_micros(item.about.created_at) - 1}}},
        .limit = kMostAskedBefore};
    HOLDFAST_TRY(const auto found, index_.search(all_, request));
    std::vector<ObjectNumber> numbers;
    for (const search::Hit& hit : found.hits) numbers.push_back(hit.number);
    HOLDFAST_TRY(const auto objects, txn_.get_many(all_, numbers));
    for (const Object& object : objects) ids.push_back(object.key.id);
  }
  return ids;
}

}  // namespace holdfast::service::recall
