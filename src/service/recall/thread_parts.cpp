#include "service/recall/thread_parts.h"

#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "service/recall/prepare.h"
#include "service/recall/words.h"
#include "text/sentences.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostArtifacts = 6;
constexpr size_t kTopicLength = 160;

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

bool tells_progress(const Item& item) {
  const std::vector<Signal> signals = work_signals(item);
  return std::ranges::find(signals, "progress_update", &Signal::type) != signals.end();
}

// The latest blocker, unless a later item about progress says that it is gone. Who asks whether it
// is fixed does not fix it.
std::string standing_blocker(const ThreadView& view, const std::vector<Artifact>& artifacts) {
  const auto found = std::find_if(artifacts.rbegin(), artifacts.rend(),
                                  [](const Artifact& a) { return a.signal.type == "blocker"; });
  if (found == artifacts.rend()) return {};
  bool later = false;
  for (const Item& item : view.items) {
    if (later) {
      const std::string folded = fold_case(item.content);
      for (const std::string_view word : {"resolved", "fixed", "unblocked", "no longer"}) {
        if (folded.find(word) != std::string::npos && tells_progress(item) &&
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

}  // namespace

std::string Parts::first() const {
  if (!conclusions.empty()) return conclusions.back();
  return progress.empty() ? topic : progress;
}

std::string Parts::second() const {
  if (!blocker.empty() && !next.empty())
    return "Blocked by " + lower_first(blocker) + "; next step is " + lower_first(next);
  if (!next.empty()) return "Next step: " + next;
  if (!blocker.empty()) return "Blocked by " + lower_first(blocker);
  if (conclusions.size() > 1) return conclusions[conclusions.size() - 2];
  return first() == topic ? std::string() : topic;
}

Parts parts_of(const ThreadView& view) {
  Parts parts{.artifacts = artifacts_of(view.items),
              .conclusions = conclusion_texts(view),
              .topic = topic_of(view.items)};
  parts.progress = latest(parts.artifacts, "progress_update");
  parts.blocker = standing_blocker(view, parts.artifacts);
  parts.next = latest(parts.artifacts, "next_step");
  return parts;
}

}  // namespace holdfast::service::recall
