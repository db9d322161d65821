#include <algorithm>
#include <set>
#include <tuple>

#include "base/time_text.h"
#include "base/utf8.h"
#include "service/recall/forgotten.h"
#include "service/recall/memory_writer.h"
#include "service/recall/patterns.h"
#include "service/recall/prepare.h"
#include "service/recall/thread_memory.h"
#include "service/recall/words.h"
#include "storage/typed.h"
#include "text/sentences.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostAnswer = 300;
constexpr size_t kLeastQuestion = 3;
constexpr double kSameQuestion = 0.6;

std::string joined(const std::vector<std::string>& words, size_t most) {
  std::string out;
  for (size_t i = 0; i < words.size() && i < most; ++i) out += (i == 0 ? "" : " ") + words[i];
  return out;
}

std::string first_sentences(const std::string& content) {
  std::string out;
  for (const std::string_view sentence : text::split_sentences(content)) {
    if (!out.empty() && count_code_points(out) + count_code_points(sentence) + 1 > kMostAnswer)
      break;
    out += (out.empty() ? "" : " ") + std::string(sentence);
  }
  return std::string(prefix_code_points(out, kMostAnswer));
}

// An earlier question of another thread whose answer may be shown where this one is asked.
bool may_carry(const Evidence& earlier, const Evidence& now) {
  const bool personal = now.visibility == Scope::kPrivate || now.visibility == Scope::kGlobal;
  return earlier.thread_ref != now.thread_ref && earlier.container_ref == now.container_ref &&
         earlier.visibility == now.visibility && moment_of(earlier) <= moment_of(now) &&
         (!personal || earlier.actor_ref == now.actor_ref);
}

struct AskedBefore {
  double likeness = 0;
  Item item = {};
  std::string text = {};
};

// The most alike, then the newest.
bool comes_first(const AskedBefore& a, const AskedBefore& b) {
  return std::tuple(-a.likeness, moment_of(b.item.about), b.item.about.created_at, b.text) <
         std::tuple(-b.likeness, moment_of(a.item.about), a.item.about.created_at, a.text);
}

Value provenance() { return Value::object({{"extractor", "rules"}, {"extractor_version", "1"}}); }

}  // namespace

std::vector<std::string> questions_of(const Item& item) {
  std::vector<std::string> out;
  if (!item.about.thread_ref || !role_is(item.about, "user")) return out;
  for (const Sentence& sentence : prepare(item.content)) {
    if (text::ends_as_question(sentence.text) &&
        content_words(sentence.text).size() >= kLeastQuestion && out.size() < 2)
      out.push_back(sentence.text);
  }
  return out;
}

Status MemoryWriter::replace_group(Memory memory) {
  memory.created_at = txn_.now();
  memory.payload.set("semantic_provenance", provenance());
  HOLDFAST_TRY(auto known, versions_of(memory));
  const Memory* before = standing_of(known);
  if (before != nullptr && view_text(*before) == view_text(memory)) return {};
  HOLDFAST_TRY(const bool forgotten, ForgottenMarks(txn_, all_).cover(memory));
  if (forgotten) return {};
  HOLDFAST_TRY(const Memory next, renewed(std::move(memory), std::move(known)));
  return save_consolidated(next);
}

// A conclusion of the thread, else what the assistant said next. What came later than `before` does
// not count, so that it does not matter when the question is looked at.
Result<Answer> MemoryWriter::answer_in(const Item& question, Timestamp before) {
  const Evidence& about = question.about;
  const std::string scope = thread_scope(about.container_ref, about.thread_ref, about.visibility);
  HOLDFAST_TRY(const auto memories, memories_with(facet::kThreadScope, scope, kMostCompared));
  for (const Memory& memory : memories) {
    const bool conclusion = memory.type == type::kDecision || memory.type == type::kOutcome;
    const bool known = !memory.evidence.empty() && memory.evidence.front().created_at < before;
    if (conclusion && known && memory.freshness_at >= moment_of(about))
      return Answer{.text = headline(memory), .memory_id = memory.id};
  }
  HOLDFAST_TRY(const auto page,
               txn_.scan(all_, {.kind = item_noun().kind,
                                .equal = Facet::of(std::string(facet::kThreadScope), scope),
                                .descending = true,
                                .limit = 100}));
  std::vector<Item> items;
  for (const Object& object : page.objects) {
    HOLDFAST_TRY(Item item, storage::value_of(item_noun(), object));
    items.push_back(std::move(item));
  }
  sort_by_moment(items);
  bool after = false;
  for (const Item& item : items) {
    if (after && effective_kind(item.about) == "assistant_output" &&
        item.about.created_at < before && !is_low_value_text(item.content))
      return Answer{.text = first_sentences(item.content)};
    after = after || item.about.source_item_id == about.source_item_id;
  }
  return Answer();
}

// Stores what was answered when `earlier` asked the question; false if nothing was.
Result<bool> MemoryWriter::carry(const Item& item, const Item& earlier,
                                 const std::string& question) {
  HOLDFAST_TRY(const Answer answer, answer_in(earlier, item.about.created_at));
  if (answer.text.empty()) return false;
  std::vector<std::string> key = content_words(question);
  std::ranges::sort(key);
  const std::string group = joined(key, key.size());
  Memory memory{.type = std::string(type::kContinuity),
                .visibility = item.about.visibility,
                .container_ref = item.about.container_ref.value_or(""),
                .thread_ref = earlier.about.thread_ref,
                .freshness_at = moment_of(item.about),
                .canonical_key = group,
                .evidence = {earlier.about, item.about}};
  const Value supporting =
      answer.memory_id.empty() ? Value::array() : Value::array({answer.memory_id});
  memory.payload = Value::object({{"summary", answer.text},
                                  {"continuity_question", question},
                                  {"carry_forward_answer", answer.text},
                                  {"conclusions", Value::array()},
                                  {"supporting_memory_ids", supporting},
                                  {"group_key", group},
                                  {"latest_occurred_at", format_micros(memory.freshness_at)},
                                  {"container_ref", memory.container_ref},
                                  {"thread_ref", earlier.about.thread_ref.value_or("")}});
  HOLDFAST_CHECK_OK(replace_group(std::move(memory)));
  return true;
}

Status MemoryWriter::carry_forward(const Item& item, const std::vector<std::string>& earlier) {
  for (const std::string& question : questions_of(item)) {
    const std::vector<std::string> words = content_words(question);
    std::vector<AskedBefore> asked;
    for (const std::string& id : earlier) {
      const auto object = txn_.get(all_, item_key(id));
      if (!object) continue;
      HOLDFAST_TRY(const Item other, storage::value_of(item_noun(), *object));
      if (!may_carry(other.about, item.about)) continue;
      for (const std::string& text : questions_of(other)) {
        const double likeness = jaccard_of(words, content_words(text));
        if (likeness >= kSameQuestion) asked.push_back({likeness, other, text});
      }
    }
    std::ranges::sort(asked, comes_first);
    for (const AskedBefore& one : asked) {
      HOLDFAST_TRY(const bool carried, carry(item, one.item, one.text));
      if (carried) return {};
    }
  }
  return {};
}

Status MemoryWriter::find_pattern(const Memory& memory, const std::vector<Memory>& related) {
  if (!may_join(memory, memory)) return {};
  std::vector<Memory> all = related;
  all.insert(all.end(), fresh_.begin(), fresh_.end());
  std::set<std::string> gone;
  for (const Memory& one : fresh_) gone.insert(one.supersedes.begin(), one.supersedes.end());
  std::set<std::string> seen;
  std::erase_if(all, [&](const Memory& one) {
    return !may_join(one, memory) || gone.contains(one.id) || !seen.insert(one.id).second;
  });
  std::ranges::stable_sort(all, precedes);
  const auto pattern = pattern_among(all, memory);
  if (!pattern) return {};
  // What was found before the write may have gone or changed since.
  for (const Value& id : *pattern->payload.find("supporting_memory_ids")->if_array()) {
    const auto member = read_memory(txn_, all_, *id.if_string());
    const auto seen_as = std::ranges::find(all, *id.if_string(), &Memory::id);
    if (!member || member->payload != seen_as->payload) return {};
  }
  return replace_group(*pattern);
}

}  // namespace holdfast::service::recall
