// Reading one observation with what it is linked to and what cites it.
#include <algorithm>
#include <map>
#include <utility>

#include "service/observation/failure.h"
#include "service/observation/observation_service.h"

namespace holdfast::service::observation {
namespace {

constexpr size_t kMostCiting = 100;
constexpr size_t kCitingPage = 100;

struct Citing {
  Timestamp at = {};
  CitedBy entry = {};
  Timestamp made = {};      // the citing object; no later than it cites
  ObjectNumber number = 0;  // tells the order of those of one millisecond

  std::pair<Timestamp, ObjectNumber> place() const { return {at, number}; }
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
         return Citing{at, {.type = "thread", .id = thread.id}, thread.created_at};
       }},
      {comment_noun().kind,
       [](const Object& object, const std::string& id) -> Result<Citing> {
         HOLDFAST_TRY(const Comment comment, storage::value_of(comment_noun(), object));
         return Citing{first_cited(comment.citations, id).value_or(comment.created_at),
                       {.type = "comment", .id = comment.id, .thread_id = comment.thread_id},
                       comment.created_at};
       }},
      {artifact_noun().kind, [](const Object& object, const std::string& id) -> Result<Citing> {
         HOLDFAST_TRY(const Artifact artifact, storage::value_of(artifact_noun(), object));
         return Citing{first_cited(artifact.evidence_links, id).value_or(artifact.created_at),
                       {.type = "artifact", .id = artifact.id},
                       artifact.created_at};
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

// The oldest come from objects with small ids, which are given out in the order of time: those of a
// kind need not be read behind one that was made after the last of a full list was cited.
Result<std::vector<CitedBy>> ObservationService::citing(Visit& visit, const std::string& id) const {
  std::vector<Citing> oldest;
  for (const auto& [kind, read] : citing_kinds()) {
    storage::Pointing asked{.to = {.kind = observation_noun().kind, .id = id},
                            .relation = std::string(relation::kCites),
                            .kind = kind,
                            .limit = kCitingPage};
    for (bool more = true; more;) {
      HOLDFAST_TRY(const auto ids, visit.txn().pointing_at(visit.eyes(), asked));
      more = ids.size() == asked.limit;
      if (more) asked.after = ids.back();
      for (const std::string& one : ids) {
        HOLDFAST_TRY(const Object object, visit.txn().get(visit.eyes(), {kind, one}));
        HOLDFAST_TRY(Citing citing, read(object, id));
        citing.number = object.number;
        more = more && (oldest.size() < kMostCiting || citing.made <= oldest.back().at);
        oldest.insert(std::ranges::upper_bound(oldest, citing.place(), {}, &Citing::place),
                      std::move(citing));
        if (oldest.size() > kMostCiting) oldest.pop_back();
      }
    }
  }
  std::vector<CitedBy> entries;
  for (Citing& one : oldest) entries.push_back(std::move(one.entry));
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
