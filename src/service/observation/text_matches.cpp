#include "service/observation/text_matches.h"

#include <algorithm>

#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

constexpr size_t kMostKnown = 32;        // with a million objects, 4 MB
constexpr size_t kMostChanged = 10'000;  // more are not worth remembering one by one
constexpr size_t kReadAtOnce = 1000;

// Everything that decides what a viewer may see.
std::string name_of(const Viewer& viewer) {
  std::string name = viewer.actor;
  const auto add = [&](const std::optional<std::vector<std::string>>& list) {
    name += list ? '+' : '-';
    for (const std::string& one : list.value_or(std::vector<std::string>()))
      name.append(1, '\0').append(one);
    name += '\n';
  };
  name.append(1, '\0').append(1, static_cast<char>('0' + static_cast<int>(viewer.reach)));
  name += viewer.every_owner ? 'e' : '-';
  name += viewer.clearance == Sensitivity::kSensitive ? 's' : '-';
  add(viewer.containers);
  add(viewer.compartments);
  return name;
}

search::FacetFilter plain(bool negated) {
  return {
      .name = std::string(facet::kText), .any_of = {std::string(kPlainText)}, .negated = negated};
}

}  // namespace

TextMatches::TextMatches(storage::Store& store, const access::Gatekeeper& gatekeeper,
                         const search::Index& index)
    : store_(store), gatekeeper_(gatekeeper), index_(index) {
  store_.add_listener(*this);
}

TextMatches::~TextMatches() { store_.remove_listener(*this); }

Result<std::shared_ptr<const search::NumberBits>> TextMatches::find(const CallContext& call,
                                                                    const access::SpaceAccess& eyes,
                                                                    const WantedTexts& wanted) {
  const std::shared_ptr<Known> known = known_of(eyes, wanted);
  const MutexLock lock(known->mutex);
  const std::vector<ObjectNumber> changed = take_changed(*known);
  const Candidates candidates = candidates_after(known->until, eyes, wanted);
  if (changed.empty() && candidates.sure.empty() && candidates.doubtful.empty()) {
    known->until = std::max(known->until, candidates.until);
    return known->matches;
  }
  const auto matches = std::make_shared<search::NumberBits>(*known->matches);
  Looked looked = look_at(call, wanted, changed, *matches);
  if (!looked.status) {
    give_back(*known, changed);
    return looked.status.error();
  }
  for (const ObjectNumber number : candidates.sure) matches->add(number);
  looked = look_at(call, wanted, candidates.doubtful, *matches);
  known->matches = matches;
  if (looked.status) {
    known->until = std::max(known->until, candidates.until);
    return std::shared_ptr<const search::NumberBits>(matches);
  }
  if (looked.count > 0) known->until = candidates.doubtful[looked.count - 1];
  return looked.status.error();
}

void TextMatches::on_commit(const std::vector<storage::Change>& changes) {
  const MutexLock lock(mutex_);
  if (all_.empty()) return;
  for (const storage::Change& change : changes) {
    const bool whole_space = change.object.key.kind.empty();
    if (whole_space)
      std::erase_if(all_, [&](const auto& one) { return one->space == change.space; });
    // New ones are found by their numbers.
    const bool is_new = change.what == storage::Change::What::kPut && change.object.revision == 1;
    if (is_new || change.object.key.kind != observation_noun().kind) continue;
    for (const auto& known : all_) {
      if (known->space == change.space) known->changed.insert(change.object.number);
    }
  }
  std::erase_if(all_, [](const auto& one) { return one->changed.size() > kMostChanged; });
}

std::shared_ptr<TextMatches::Known> TextMatches::known_of(const access::SpaceAccess& eyes,
                                                          const WantedTexts& wanted) {
  const std::string name = wanted.name() + '\0' + name_of(eyes.viewer());
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(
      all_, [&](const auto& one) { return one->space == eyes.space() && one->name == name; });
  if (found != all_.end()) {
    std::rotate(found, found + 1, all_.end());
    return all_.back();
  }
  if (all_.size() == kMostKnown) all_.erase(all_.begin());
  const auto& made = all_.emplace_back(std::make_shared<Known>());
  made->space = eyes.space();
  made->name = name;
  return made;
}

std::vector<ObjectNumber> TextMatches::take_changed(Known& known) {
  const MutexLock lock(mutex_);
  std::vector<ObjectNumber> changed(known.changed.begin(), known.changed.end());
  known.changed.clear();
  return changed;
}

void TextMatches::give_back(Known& known, const std::vector<ObjectNumber>& changed) {
  const MutexLock lock(mutex_);
  known.changed.insert(changed.begin(), changed.end());
}

TextMatches::Candidates TextMatches::candidates_after(ObjectNumber until,
                                                      const access::SpaceAccess& eyes,
                                                      const WantedTexts& wanted) const {
  search::Filter filter{.kinds = {observation_noun().kind}, .after_number = until};
  wanted.narrow(filter);
  Candidates candidates;
  if (wanted.index_is_sure()) {
    filter.facets = {plain(/*negated=*/false)};
    search::NumberList plain_ones = index_.numbers(eyes, filter);
    candidates.sure = std::move(plain_ones.numbers);
    candidates.until = plain_ones.until;
    filter.facets = {plain(/*negated=*/true)};
  }
  search::NumberList others = index_.numbers(eyes, filter);
  candidates.doubtful = std::move(others.numbers);
  std::ranges::sort(candidates.doubtful);
  // What came between the two looks is looked at again.
  if (!wanted.index_is_sure()) candidates.until = others.until;
  return candidates;
}

TextMatches::Looked TextMatches::look_at(const CallContext& call, const WantedTexts& wanted,
                                         const std::vector<ObjectNumber>& numbers,
                                         search::NumberBits& matches) const {
  Looked looked;
  // The index said what the caller may see, and will say it of what is shown.
  const access::SpaceAccess everything = gatekeeper_.engine_access(call.viewer.space);
  while (looked.count < numbers.size()) {
    const std::vector<ObjectNumber> some(
        numbers.begin() + static_cast<std::ptrdiff_t>(looked.count),
        numbers.begin() +
            static_cast<std::ptrdiff_t>(std::min(looked.count + kReadAtOnce, numbers.size())));
    const auto txn = store_.begin_read(call.deadline);
    const auto bodies = txn ? (*txn)->get_bodies(everything, some)
                            : Result<std::vector<storage::ObjectBody>>(txn.error());
    if (!bodies) {
      looked.status = bodies.error();
      return looked;
    }
    for (const ObjectNumber number : some) matches.remove(number);
    for (const storage::ObjectBody& one : *bodies) {
      if (wanted.occur_in(one.body)) matches.add(one.number);
    }
    looked.count += some.size();
  }
  return looked;
}

}  // namespace holdfast::service::observation
