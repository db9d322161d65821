#include "service/recall/thread_memory.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/recall/extract.h"
#include "service/recall/prepare.h"
#include "service/recall/words.h"
#include "text/sentences.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kWindow = 16'000;
constexpr size_t kMostArtifacts = 6;
constexpr size_t kMostConclusions = 5;
constexpr size_t kMostRefs = 5;
constexpr size_t kTopicLength = 160;
constexpr size_t kSummaryWords = 60;

struct Artifact {
  Signal signal = {};
  const Item* item = nullptr;
};

// The latest of each type and text, oldest first.
std::vector<Artifact> artifacts_of(const std::vector<Item>& items) {
  std::vector<Artifact> all;
  for (const Item& item : items) {
    for (Signal& signal : work_signals(item)) all.push_back({std::move(signal), &item});
  }
  std::vector<Artifact> kept;
  std::set<std::pair<std::string, std::string>> seen;
  for (auto it = all.rbegin(); it != all.rend() && kept.size() < kMostArtifacts; ++it) {
    if (seen.insert({it->signal.type, it->signal.text}).second) kept.push_back(*it);
  }
  // Several next steps of one snapshot: the first of them is the next one.
  std::ranges::reverse(kept);
  return kept;
}

std::string topic_of(const std::vector<Item>& items) {
  for (const Item& item : items) {
    if (!role_is(item.about, "user") || is_low_value_text(item.content)) continue;
    const auto sentences = text::split_sentences(item.content);
    if (!sentences.empty()) return std::string(prefix_code_points(sentences.front(), kTopicLength));
  }
  return {};
}

std::string with_stop(std::string text) {
  text = upper_first(without_stop(text));
  return text.empty() ? text : text + ".";
}

std::string latest(const std::vector<Artifact>& artifacts, std::string_view signal) {
  for (auto it = artifacts.rbegin(); it != artifacts.rend(); ++it) {
    if (it->signal.type != signal) continue;
    // The first next step of the newest item that has any.
    const auto first = std::ranges::find_if(artifacts, [&](const Artifact& a) {
      return a.item == it->item && a.signal.type == signal;
    });
    return signal == "next_step" ? first->signal.text : it->signal.text;
  }
  return {};
}

// The latest blocker, unless a later item says that it is gone.
std::string standing_blocker(const ThreadView& view, const std::vector<Artifact>& artifacts) {
  const auto found = std::find_if(artifacts.rbegin(), artifacts.rend(),
                                  [](const Artifact& a) { return a.signal.type == "blocker"; });
  if (found == artifacts.rend()) return {};
  bool later = false;
  for (const Item& item : view.items) {
    if (later) {
      const std::string folded = fold_case(item.content);
      for (const std::string_view word : {"resolved", "fixed", "unblocked", "no longer"}) {
        if (folded.find(word) != std::string::npos &&
            overlap_of(content_words(found->signal.text), content_words(item.content)) > 0)
          return {};
      }
    }
    later = later || &item == found->item;
  }
  return found->signal.text;
}

std::vector<std::string> conclusion_texts(const ThreadView& view) {
  std::vector<std::string> out;
  for (const Memory& memory : view.conclusions) out.push_back(headline(memory));
  return out;
}

struct Parts {
  std::vector<Artifact> artifacts = {};
  std::vector<std::string> conclusions = {};
  std::string topic = {};
  std::string progress = {};
  std::string blocker = {};
  std::string next = {};

  std::string first() const {
    if (!conclusions.empty()) return conclusions.back();
    return progress.empty() ? topic : progress;
  }
  std::string second() const {
    if (!blocker.empty() && !next.empty())
      return "Blocked by " + lower_first(blocker) + "; next step is " + lower_first(next);
    if (!next.empty()) return "Next step: " + next;
    if (!blocker.empty()) return "Blocked by " + lower_first(blocker);
    if (conclusions.size() > 1) return conclusions[conclusions.size() - 2];
    return first() == topic ? std::string() : topic;
  }
};

Parts parts_of(const ThreadView& view) {
  Parts parts{.artifacts = artifacts_of(view.items),
              .conclusions = conclusion_texts(view),
              .topic = topic_of(view.items)};
  parts.progress = latest(parts.artifacts, "progress_update");
  parts.blocker = standing_blocker(view, parts.artifacts);
  parts.next = latest(parts.artifacts, "next_step");
  return parts;
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

std::string quality_of(const ThreadView& view, const Parts& parts) {
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

Value shown(const std::vector<Artifact>& artifacts) {
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
  payload.set("selected_work_artifacts", shown(parts.artifacts));
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

std::vector<Item> window_of(std::vector<Item> items) {
  std::ranges::sort(items, [](const Item& a, const Item& b) {
    return std::tuple(moment_of(a.about), a.about.created_at, a.about.source_item_id) <
           std::tuple(moment_of(b.about), b.about.created_at, b.about.source_item_id);
  });
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
  payload.set("content_quality", quality_of(view, parts));
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
