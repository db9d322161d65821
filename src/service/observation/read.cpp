// Reading one observation with what it is linked to and what cites it.
#include <algorithm>
#include <map>
#include <tuple>

#include "service/observation/failure.h"
#include "service/observation/observation_service.h"

namespace holdfast::service::observation {
namespace {

constexpr size_t kMostCiting = 100;
// So many are looked at to find the oldest; a thing cited more often shows some of its citations.
constexpr size_t kMostNeighbours = 1000;

struct Citing {
  Timestamp at = {};
  CitedBy entry = {};
  ObjectNumber number = 0;  // tells the order of those of one millisecond
};

// When a list of citations first named the observation; nothing if it does not.
std::optional<Timestamp> first_cited(const std::vector<Citation>& citations,
                                     const std::string& id) {
  std::optional<Timestamp> first;
  for (const Citation& citation : citations) {
    if (citation.type != "observation" || citation.ref != id) continue;
    first = first ? std::min(*first, citation.at) : citation.at;
  }
  return first;
}

// What kinds of objects cite, and how each tells when it began to.
using ReadCiting = Result<Citing> (*)(const Object&, const std::string&);
const std::map<std::string, ReadCiting>& citing_kinds() {
  static const std::map<std::string, ReadCiting> kinds = {
      {thread_noun().kind,
       [](const Object& object, const std::string& id) -> Result<Citing> {
         HOLDFAST_TRY(const Thread thread, storage::value_of(thread_noun(), object));
         const auto linked = std::ranges::find(thread.linked_observation_ids, id);
         const Timestamp at = linked != thread.linked_observation_ids.end()
                                  ? thread.created_at
                                  : first_cited(thread.citations, id).value_or(thread.created_at);
         return Citing{at, {.type = "thread", .id = thread.id}};
       }},
      {comment_noun().kind,
       [](const Object& object, const std::string& id) -> Result<Citing> {
         HOLDFAST_TRY(const Comment comment, storage::value_of(comment_noun(), object));
         return Citing{first_cited(comment.citations, id).value_or(comment.created_at),
                       {.type = "comment", .id = comment.id, .thread_id = comment.thread_id}};
       }},
      {artifact_noun().kind, [](const Object& object, const std::string& id) -> Result<Citing> {
         HOLDFAST_TRY(const Artifact artifact, storage::value_of(artifact_noun(), object));
         return Citing{first_cited(artifact.evidence_links, id).value_or(artifact.created_at),
                       {.type = "artifact", .id = artifact.id}};
       }}};
  return kinds;
}

// What the caller may see of a linked thing; nothing otherwise.
template <typename T>
Result<std::optional<T>> visible(Visit& visit, const Noun<T>& noun,
                                 const std::optional<std::string>& id) {
  if (!id) return std::optional<T>();
  auto object = visit.txn().get(visit.eyes(), {.kind = noun.kind, .id = *id});
  if (!object && object.error().code == ErrorCode::kNotFound) return std::optional<T>();
  if (!object) return std::move(object).error();
  HOLDFAST_TRY(T value, storage::value_of(noun, *object));
  return std::optional<T>(std::move(value));
}

}  // namespace

Result<std::vector<CitedBy>> ObservationService::citing(Visit& visit, const std::string& id) const {
  HOLDFAST_TRY(const auto neighbours,
               visit.txn().neighbours(visit.eyes(), {.kind = observation_noun().kind, .id = id},
                                      relation::kCites, kMostNeighbours));
  std::vector<Citing> found;
  for (const storage::Neighbour& neighbour : neighbours) {
    const auto kind = citing_kinds().find(neighbour.other.kind);
    if (neighbour.outgoing || kind == citing_kinds().end()) continue;
    const auto object = visit.txn().get(visit.eyes(), neighbour.other);
    if (!object) continue;
    HOLDFAST_TRY(Citing one, kind->second(*object, id));
    one.number = object->number;
    found.push_back(std::move(one));
  }
  std::ranges::sort(found, [](const Citing& a, const Citing& b) {
    return std::tie(a.at, a.number) < std::tie(b.at, b.number);
  });
  if (found.size() > kMostCiting) found.resize(kMostCiting);
  std::vector<CitedBy> entries;
  for (Citing& one : found) entries.push_back(std::move(one.entry));
  return entries;
}

Status ObservationService::embed(Visit& visit, Shown& shown) const {
  const Observation& observation = shown.observation;
  People people(visit.txn(), parts_.gatekeeper);
  HOLDFAST_TRY(shown.creator, people.card(observation.created_by));
  HOLDFAST_TRY(shown.subcortex, visible(visit, subcortex_noun(), observation.subcortex_id));
  HOLDFAST_TRY(shown.thread, visible(visit, thread_noun(), observation.thread_id));
  HOLDFAST_TRY(shown.task, visible(visit, task_noun(), observation.task_id));
  HOLDFAST_TRY(shown.cited_by, citing(visit, observation.id));
  return {};
}

Result<Shown> ObservationService::get(const CallContext& call, const std::string& id,
                                      bool count_view) {
  HOLDFAST_TRY(const auto txn, parts_.store.begin_read(call.deadline));
  HOLDFAST_TRY(Visit visit, Visit::begin(call, *txn, parts_.gatekeeper));
  auto object = txn->get(visit.everything(), {.kind = observation_noun().kind, .id = id});
  if (!object && object.error().code == ErrorCode::kNotFound) return no_observation(id);
  if (!object) return std::move(object).error();
  HOLDFAST_CHECK_OK(visit.pass(object->label, no_observation(id)));
  Shown shown;
  HOLDFAST_TRY(shown.observation, read_observation(*object));
  HOLDFAST_CHECK_OK(embed(visit, shown));
  const SpaceId& space = call.viewer.space;
  shown.stats = parts_.statistics.of(space, object->number);
  // Its own count: others may look at the same moment.
  if (count_view) shown.stats.views = parts_.statistics.view(space, *object);
  return shown;
}

}  // namespace holdfast::service::observation
