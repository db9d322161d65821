#include "service/chat/units.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/utf8.h"
#include "service/chat/phrases.h"
#include "text/sentences.h"

namespace holdfast::service::chat {
namespace {

constexpr double kMemoryWeight = 1.0;
constexpr double kDecisionWeight = 0.95;
constexpr double kEvidenceWeight = 0.9;
constexpr double kUserWeight = 0.8;
constexpr double kNextWeight = 0.75;
constexpr double kCapsuleWeight = 0.7;
constexpr double kArcWeight = 0.5;
constexpr double kAssistantWeight = 0.4;

class Collector {
 public:
  explicit Collector(const std::vector<std::string>& avoided) : avoided_(avoided) {}

  void add(std::string_view source, std::string_view label, double weight, int64_t recency = 0) {
    for (const std::string_view sentence : text::split_sentences(source)) {
      Unit unit{.text = text::collapse_space(sentence),
                .label = label,
                .weight = weight,
                .recency = recency};
      if (avoided_.occur_in(unit.text)) {
        list_.guarded = true;
      } else {
        keep(std::move(unit));
      }
    }
  }
  UnitList take() { return std::move(list_); }

 private:
  // Near-duplicates collapse to the one from the best source.
  void keep(Unit unit) {
    const auto [known, fresh] = places_.try_emplace(fold_case(unit.text), list_.units.size());
    if (fresh) {
      list_.units.push_back(std::move(unit));
      return;
    }
    Unit& other = list_.units[known->second];
    if (std::pair(unit.weight, unit.recency) > std::pair(other.weight, other.recency))
      other = std::move(unit);
  }

  const Phrases avoided_;
  UnitList list_;
  std::unordered_map<std::string, size_t> places_;  // in the list, by folded text
};

bool is_question(std::string_view text) { return text::ends_as_question(text); }

}  // namespace

UnitList all_units(const Material& material) {
  const Surroundings& around = material.around;
  Collector collect(around.avoid_topics);
  for (const UsedMemory& memory : material.memories) {
    collect.add(memory.summary, memory.hazy ? phrase::kOlderMemory : phrase::kSavedMemory,
                kMemoryWeight, to_micros(memory.created_at));
  }
  for (const std::string& text : around.decisions)
    collect.add(text, phrase::kDecision, kDecisionWeight);
  for (const Support& support : around.evidence)
    collect.add(support.excerpt, phrase::kEvidence, kEvidenceWeight);
  int64_t place = 0;
  for (const HistoryEntry& entry : around.history) {
    ++place;
    if (entry.role == Role::kUser) collect.add(entry.content, phrase::kYouSaid, kUserWeight, place);
    if (entry.role == Role::kAssistant)
      collect.add(entry.content, phrase::kEarlierAnswer, kAssistantWeight, place);
  }
  for (const std::string& text : around.next) collect.add(text, phrase::kNextStep, kNextWeight);
  collect.add(around.capsule_summary, phrase::kThreadSummary, kCapsuleWeight);
  collect.add(around.primary_arc, phrase::kTopic, kArcWeight);
  return collect.take();
}

std::vector<Unit> answering_units(const std::vector<Unit>& units, const std::vector<Word>& query) {
  std::vector<std::vector<bool>> has(units.size());
  std::vector<double> frequency(query.size());
  for (size_t i = 0; i < units.size(); ++i) {
    const std::vector<Word> words = content_words(units[i].text);
    for (size_t q = 0; q < query.size(); ++q) {
      has[i].push_back(count_matched({query[q]}, words) > 0);
      frequency[q] += has[i].back() ? 1 : 0;
    }
  }
  const size_t needed = std::max<size_t>(1, (query.size() + 2) / 3);
  std::vector<Unit> found;
  for (size_t i = 0; i < units.size(); ++i) {
    if (is_question(units[i].text)) continue;
    Unit unit = units[i];
    size_t matched = 0;
    for (size_t q = 0; q < query.size(); ++q) {
      if (!has[i][q]) continue;
      ++matched;
      unit.score += std::log(1 + static_cast<double>(units.size()) / frequency[q]) * unit.weight;
    }
    if (matched >= needed) found.push_back(std::move(unit));
  }
  std::ranges::stable_sort(found, [](const Unit& a, const Unit& b) {
    return std::tuple(a.score, a.weight, a.recency) > std::tuple(b.score, b.weight, b.recency);
  });
  return found;
}

UnitList summary_units(const Material& material) {
  const Surroundings& around = material.around;
  Collector collect(around.avoid_topics);
  for (const std::string& text : around.decisions)
    collect.add(text, phrase::kDecision, kDecisionWeight);
  for (const std::string& text : around.next) collect.add(text, phrase::kNextStep, kNextWeight);
  collect.add(around.capsule_summary, phrase::kThreadSummary, kCapsuleWeight);
  for (auto entry = around.history.rbegin(); entry != around.history.rend(); ++entry) {
    if (entry->role == Role::kUser) collect.add(entry->content, phrase::kYouSaid, kUserWeight);
  }
  return collect.take();
}

}  // namespace holdfast::service::chat
