#include "service/recall/source_service.h"

#include <algorithm>
#include <tuple>

#include "base/utf8.h"
#include "service/recall/ingest_service.h"
#include "service/recall/kin.h"
#include "storage/typed.h"

namespace holdfast::service::recall {
namespace {

using access::SpaceAccess;

constexpr size_t kMostCharacters = 16'000;

// The order of a thread, also among turns of one moment.
bool comes_before(const Item& a, const Item& b) {
  return std::tuple(moment_of(a.about), a.about.created_at, a.about.source_item_id) <
         std::tuple(moment_of(b.about), b.about.created_at, b.about.source_item_id);
}

// The turns of the thread on one side of the item, nearest first.
Result<std::vector<Item>> turns(storage::ReadTxn& txn, const search::Index& index,
                                const SpaceAccess& access, const Item& item, bool later,
                                int64_t count) {
  std::vector<Item> out;
  if (count == 0 || !item.about.thread_ref) return out;
  search::ListRequest request{
      .filter = {.kinds = {item_noun().kind},
                 .facets = {{.name = std::string(facet::kThread),
                             .any_of = {thread_facet(*item.about.container_ref,
                                                     *item.about.thread_ref)}}}},
      .sort = {{.by = search::SortKey::By::kTime, .descending = !later}},
      // Those of the same moment may be of the other side.
      .limit = static_cast<size_t>(count + kMostAround) + 1};
  if (later) {
    request.filter.from = moment_of(item.about);
  } else {
    request.filter.to = moment_of(item.about) + std::chrono::microseconds(1);
  }
  HOLDFAST_TRY(const auto listed, index.list(access, request));
  std::vector<ObjectNumber> numbers;
  for (const auto& hit : listed.hits) numbers.push_back(hit.number);
  HOLDFAST_TRY(const auto objects, txn.get_many(access, numbers));
  for (const Object& object : objects) {
    HOLDFAST_TRY(Item turn, storage::value_of(item_noun(), object));
    if (later ? comes_before(item, turn) : comes_before(turn, item)) out.push_back(std::move(turn));
  }
  std::ranges::sort(out, [&](const Item& a, const Item& b) {
    return later ? comes_before(a, b) : comes_before(b, a);
  });
  if (out.size() > static_cast<size_t>(count)) out.resize(static_cast<size_t>(count));
  return out;
}

}  // namespace

Result<SourceContext> SourceService::context(const CallContext& call,
                                             const ContextRequest& request) const {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, access::Permission::kRead));
  const SpaceAccess all = gatekeeper_.engine_access(access.space());
  HOLDFAST_TRY(const auto txn, store_.begin_read(call.deadline));
  HOLDFAST_TRY(Item item, read_item(*txn, all, request.source_item_id));
  const Evidence& about = item.about;
  const bool own =
      about.visibility == Scope::kGlobal && about.actor_ref && about.actor_ref == request.actor_ref;
  const bool here = about.container_ref == canonical_container(request.container_ref) &&
                    may_reach(access, about.container_ref);
  if (!own && !here) return not_found(item_noun().kind, request.source_item_id);
  // What is around it is seen as it is itself.
  const SpaceAccess around = access.narrowed(
      about.container_ref, about.visibility == Scope::kContainer ? Visibility::kContainer
                           : about.visibility == Scope::kPublic  ? Visibility::kPublic
                                                                 : Visibility::kPrivate);
  HOLDFAST_TRY(auto before, turns(*txn, index_, around, item, false, request.before));
  HOLDFAST_TRY(auto after, turns(*txn, index_, around, item, true, request.after));
  item.content = std::string(prefix_code_points(item.content, kMostCharacters));
  // The nearest first, as long as there is room.
  SourceContext out{.source_item_id = about.source_item_id};
  size_t characters = count_code_points(item.content);
  const auto fits = [&](const Item& turn) {
    const size_t more = count_code_points(turn.content);
    if (characters + more > kMostCharacters) return false;
    characters += more;
    return true;
  };
  size_t kept_before = 0;
  size_t kept_after = 0;
  while (kept_before < before.size() && fits(before[kept_before])) ++kept_before;
  while (kept_after < after.size() && fits(after[kept_after])) ++kept_after;
  for (size_t i = kept_before; i > 0; --i) out.items.push_back(std::move(before[i - 1]));
  out.items.push_back(std::move(item));
  for (size_t i = 0; i < kept_after; ++i) out.items.push_back(std::move(after[i]));
  return out;
}

}  // namespace holdfast::service::recall
