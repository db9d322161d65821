#include "service/recall/thread_memory.h"

#include <algorithm>
#include <tuple>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/recall/prepare.h"
#include "service/recall/thread_parts.h"
#include "service/recall/words.h"
#include "text/sentences.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kWindow = 16'000;
constexpr size_t kMostConclusions = 5;
constexpr size_t kSummaryWords = 60;

std::string with_stop(std::string text) {
  text = upper_first(without_stop(text));
  return text.empty() ? text : text + ".";
}

std::string limited_words(const std::string& text) {
  size_t words = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && ++words == kSummaryWords) return without_stop(text.substr(0, i)) + "….";
  }
  return text;
}

std::string two_sentences(const Parts& parts) {
  const std::string first = with_stop(parts.first());
  const std::string second = with_stop(parts.second());
  return limited_words(first.empty() || second.empty() ? first + second : first + " " + second);
}

std::string content_quality(const ThreadView& view, const Parts& parts) {
  if (!parts.conclusions.empty() || !parts.artifacts.empty()) return "substantive";
  bool only_low = true;
  bool only_questions = true;
  for (const Item& item : view.items) {
    if (is_low_value_text(item.content)) continue;
    only_low = false;
    only_questions =
        only_questions && role_is(item.about, "user") && text::ends_as_question(item.content);
  }
  if (only_low) return "weak";
  return only_questions ? "query_only" : "unresolved";
}

Value artifact_list(const std::vector<Artifact>& artifacts) {
  Value out = Value::array();
  for (const Artifact& artifact : artifacts) {
    const Evidence& about = artifact.item->about;
    out.push(
        Value::object({{"signal_type", artifact.signal.type},
                       {"artifact_kind", effective_kind(about)},
                       {"signal_origin", "rules"},
                       {"source_item_id", about.source_item_id},
                       {"occurred_at", about.occurred_at ? format_micros(*about.occurred_at) : ""},
                       {"text", artifact.signal.text}}));
  }
  return out;
}

void add_common(const ThreadView& view, const Parts& parts, Value& payload) {
  Value conclusions = Value::array();
  const size_t skip =
      view.conclusions.size() > kMostConclusions ? view.conclusions.size() - kMostConclusions : 0;
  for (size_t i = skip; i < view.conclusions.size(); ++i)
    conclusions.push(Value::object(
        {{"type", view.conclusions[i].type}, {"text", headline(view.conclusions[i])}}));
  std::vector<std::string> refs;
  for (const Item& item : view.items) {
    for (const std::string& ref : item.work_refs) {
      if (refs.size() < kMostRefs && std::ranges::find(refs, ref) == refs.end())
        refs.push_back(ref);
    }
  }
  const Evidence& newest = view.items.back().about;
  payload.set("conclusions", std::move(conclusions));
  payload.set("selected_work_artifacts", artifact_list(parts.artifacts));
  payload.set("latest_occurred_at", format_micros(moment_of(newest)));
  payload.set("container_ref", newest.container_ref.value_or(""));
  payload.set("thread_ref", newest.thread_ref.value_or(""));
  payload.set("work_refs", Value::array_of(refs));
}

std::vector<std::string> joined(const std::vector<std::string>& first,
                                const std::vector<Artifact>& artifacts, std::string_view signal,
                                size_t most) {
  std::vector<std::string> out = first;
  for (const Artifact& artifact : artifacts) {
    if (signal.empty() || artifact.signal.type == signal) out.push_back(artifact.signal.text);
  }
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace

bool fills_window(const std::vector<Item>& items) {
  size_t total = 0;
  for (const Item& item : items) total += count_code_points(item.content);
  return total > kWindow;
}

void sort_by_moment(std::vector<Item>& items) {
  std::ranges::sort(items, [](const Item& a, const Item& b) {
    return std::tuple(moment_of(a.about), a.about.created_at, a.about.source_item_id) <
           std::tuple(moment_of(b.about), b.about.created_at, b.about.source_item_id);
  });
}

std::vector<Item> window_of(std::vector<Item> items) {
  sort_by_moment(items);
  size_t total = 0;
  size_t first = items.size();
  while (first > 0) {
    total += count_code_points(items[first - 1].content);
    if (total > kWindow && first < items.size()) break;
    --first;
  }
  items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(first));
  return items;
}

Value summary_payload(const ThreadView& view) {
  const Parts parts = parts_of(view);
  Value payload = Value::object({{"summary", two_sentences(parts)}});
  payload.set("content_quality", content_quality(view, parts));
  add_common(view, parts, payload);
  return payload;
}

std::optional<Value> checkpoint_payload(const ThreadView& view) {
  const Parts parts = parts_of(view);
  if (parts.artifacts.empty()) return std::nullopt;
  std::string task = parts.topic;
  if (task.empty() && !parts.conclusions.empty()) task = parts.conclusions.front();
  if (task.empty()) task = without_stop(parts.first());
  std::string state = with_stop(parts.progress);
  if (!parts.blocker.empty()) state += (state.empty() ? "" : " ") + with_stop(parts.blocker);
  if (state.empty() && !parts.next.empty()) state = "Pending: " + with_stop(parts.next);
  Value payload = Value::object(
      {{"summary", with_stop(parts.first()) + (state.empty() ? "" : " " + state)},
       {"task", task},
       {"current_state", state},
       {"key_findings",
        Value::array_of(joined(parts.conclusions, parts.artifacts, "progress_update", 3))},
       {"blocker_state", parts.blocker},
       {"next_step", parts.next},
       {"evidence", Value::array_of(joined(parts.conclusions, parts.artifacts, "", 4))},
       {"freshness_signal",
        "Latest explicit update at " + format_seconds(moment_of(view.items.back().about)) + "."}});
  add_common(view, parts, payload);
  return payload;
}

Value without_times(const Value& payload) {
  Value out = payload;
  for (const std::string_view name : {"latest_occurred_at", "freshness_signal"}) {
    if (out.find(name) != nullptr) out.set(name, Value());
  }
  return out;
}

}  // namespace holdfast::service::recall
