#include "service/recall/patterns.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/time_text.h"
#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostMembers = 6;
constexpr size_t kLeastThreads = 3;
constexpr size_t kMostLabelWords = 3;
constexpr std::array<std::string_view, 3> kTypes = {type::kDecision, type::kOutcome,
                                                    type::kConstraint};

struct Group {
  std::vector<const Memory*> members = {};  // oldest first
  std::vector<std::string> label = {};

  bool has(const Memory& memory) const {
    return std::ranges::find(members, memory.id, [](const Memory* m) { return m->id; }) !=
           members.end();
  }
  size_t threads() const {
    std::set<std::string> names;
    for (const Memory* member : members) names.insert(member->thread_ref.value_or(""));
    return names.size();
  }
};

std::vector<std::string> shared_words(const std::vector<std::string>& words, const WordSet& text) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    if (text.match(word) >= 1) out.push_back(word);
  }
  return out;
}

// Nothing where the oldest has nothing to do with `memory`.
Group by_words(const std::vector<Memory>& all, const std::vector<WordSet>& texts, size_t oldest,
               const WordSet& memory) {
  Group group;
  const std::vector<std::string> words = content_words(headline(all[oldest]));
  if (shared_words(words, memory).size() < kLeastShared) return group;
  group.label = words;
  for (size_t i = oldest; i < all.size(); ++i) {
    if (shared_words(words, texts[i]).size() < kLeastShared) continue;
    const auto narrowed = shared_words(group.label, texts[i]);
    if (!narrowed.empty()) group.label = narrowed;
    group.members.push_back(&all[i]);
  }
  return group;
}

Group by_ref(const std::vector<Memory>& all, const std::string& ref) {
  Group group{.label = {ref}};
  for (const Memory& one : all) {
    if (std::ranges::find(one.work_refs, ref) != one.work_refs.end()) group.members.push_back(&one);
  }
  return group;
}

Memory pattern_of(Group group) {
  const size_t threads = group.threads();
  const Memory& oldest = *group.members.front();
  // The oldest names the pattern; of the others the newest are shown.
  if (group.members.size() > kMostMembers)
    group.members.erase(group.members.begin() + 1,
                        group.members.end() - static_cast<std::ptrdiff_t>(kMostMembers - 1));
  Memory pattern{.type = std::string(type::kPattern),
                 .visibility = oldest.visibility,
                 .container_ref = oldest.container_ref,
                 .freshness_at = group.members.back()->freshness_at,
                 .canonical_key = oldest.id};
  Value ids = Value::array();
  Value conclusions = Value::array();
  for (const Memory* member : group.members) {
    ids.push(member->id);
    conclusions.push(Value::object({{"type", member->type}, {"text", headline(*member)}}));
    pattern.evidence.push_back(member->evidence.front());
  }
  std::string label;
  for (size_t i = 0; i < group.label.size() && i < kMostLabelWords; ++i)
    label += (i == 0 ? "" : " ") + group.label[i];
  pattern.payload = Value::object({{"summary", "Recurring (" + std::to_string(threads) +
                                                   " threads): " + headline(*group.members.back())},
                                   {"pattern_label", label},
                                   {"conclusions", std::move(conclusions)},
                                   {"supporting_memory_ids", std::move(ids)},
                                   {"group_key", oldest.id},
                                   {"latest_occurred_at", format_micros(pattern.freshness_at)},
                                   {"container_ref", pattern.container_ref}});
  return pattern;
}

}  // namespace

bool may_join(const Memory& one, const Memory& memory) {
  return one.thread_ref && one.lifecycle == "active" &&
         std::ranges::find(kTypes, one.type) != kTypes.end() &&
         one.container_ref == memory.container_ref && one.visibility == memory.visibility &&
         one.actor_ref == memory.actor_ref &&
         one.freshness_at + kPatternSpan >= memory.freshness_at;
}

bool holds_pattern(const Memory& oldest, const Memory& memory, const std::vector<Memory>& others) {
  const std::vector<std::string> words = content_words(headline(oldest));
  std::set<std::string> threads = {oldest.thread_ref.value_or(""), memory.thread_ref.value_or("")};
  for (const Memory& one : others) {
    if (threads.size() >= kLeastThreads) break;
    if (may_join(one, memory) && !precedes(one, oldest) &&
        shared_words(words, WordSet(headline(one))).size() >= kLeastShared)
      threads.insert(*one.thread_ref);
  }
  return threads.size() >= kLeastThreads;
}

std::optional<Memory> pattern_among(const std::vector<Memory>& all, const Memory& memory) {
  if (all.size() < kLeastThreads) return std::nullopt;
  std::vector<WordSet> texts;
  for (const Memory& one : all) texts.emplace_back(headline(one));
  const WordSet own(headline(memory));
  for (size_t oldest = 0; oldest + kLeastThreads <= all.size(); ++oldest) {
    Group group = by_words(all, texts, oldest, own);
    if (group.threads() >= kLeastThreads && group.has(memory)) return pattern_of(std::move(group));
  }
  for (const std::string& ref : memory.work_refs) {
    Group group = by_ref(all, ref);
    if (group.threads() >= kLeastThreads) return pattern_of(std::move(group));
  }
  return std::nullopt;
}

}  // namespace holdfast::service::recall
