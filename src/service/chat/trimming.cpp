#include "service/chat/trimming.h"

#include "service/chat/budget.h"

namespace holdfast::service::chat {
namespace {

int64_t sum_of(const std::vector<std::string>& texts) {
  int64_t sum = 0;
  for (const std::string& text : texts) sum += count_tokens(text);
  return sum;
}

// Removes entries, from the end or the beginning, until the rest fits.
template <typename List, typename Text>
int64_t drop_while_over(List& list, bool oldest_first, int64_t& total, int64_t limit, Text&& text) {
  int64_t dropped = 0;
  while (total > limit && !list.empty()) {
    total -= count_tokens(text(oldest_first ? list.front() : list.back()));
    if (oldest_first) {
      list.erase(list.begin());
    } else {
      list.pop_back();
    }
    ++dropped;
  }
  return dropped;
}

}  // namespace

int64_t input_tokens(const Material& material) {
  const Surroundings& around = material.around;
  int64_t sum = count_tokens(material.input_text) + count_tokens(around.capsule_summary) +
                count_tokens(around.primary_arc) + sum_of(around.decisions) + sum_of(around.next);
  for (const HistoryEntry& entry : around.history) sum += count_tokens(entry.content);
  for (const UsedMemory& memory : material.memories) sum += count_tokens(memory.summary);
  for (const Support& support : around.evidence) sum += count_tokens(support.excerpt);
  return sum;
}

Result<TrimCounts> trim_to_budget(Material& material, int64_t max_tokens) {
  const int64_t message = count_tokens(material.input_text);
  if (message > max_tokens) {
    Error error = invalid_argument("The message alone is over the input budget.");
    error.reason = std::string(reason::kBudgetExceeded);
    error.issues = {{.rule = "budget",
                     .params = {{"budget", "max_input_tokens"},
                                {"limit", std::to_string(max_tokens)},
                                {"required", std::to_string(message)}}}};
    return error;
  }
  Surroundings& around = material.around;
  TrimCounts counts;
  int64_t total = input_tokens(material);
  const auto itself = [](const std::string& text) -> const std::string& { return text; };
  counts.history = drop_while_over(around.history, true, total, max_tokens,
                                   [](const HistoryEntry& entry) { return entry.content; });
  counts.memories = drop_while_over(material.memories, false, total, max_tokens,
                                    [](const UsedMemory& memory) { return memory.summary; });
  counts.evidence = drop_while_over(around.evidence, false, total, max_tokens,
                                    [](const Support& support) { return support.excerpt; });
  counts.notes = drop_while_over(around.next, false, total, max_tokens, itself) +
                 drop_while_over(around.decisions, false, total, max_tokens, itself);
  if (total > max_tokens && !around.primary_arc.empty()) {
    total -= count_tokens(around.primary_arc);
    around.primary_arc.clear();
    ++counts.notes;
  }
  if (total > max_tokens) {
    counts.capsule = true;
    const int64_t room = max_tokens - (total - count_tokens(around.capsule_summary));
    around.capsule_summary = std::string(fit_tokens(around.capsule_summary, room));
  }
  return counts;
}

}  // namespace holdfast::service::chat
