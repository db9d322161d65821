#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "service/recall/cue_matcher.h"
#include "service/recall/cues.h"
#include "service/recall/extract.h"
#include "service/recall/prepare.h"
#include "service/recall/words.h"
#include "text/work_ref.h"

namespace holdfast::service::recall {
namespace {

constexpr size_t kMostNextSteps = 3;

std::optional<Signal> by_prefix(const std::string& sentence, bool snapshot) {
  for (const SignalCue& cue : kSignalPrefixes) {
    if (cue.snapshot_only && !snapshot) continue;
    if (auto body = body_after(sentence, cue.prefix))
      return Signal{.type = std::string(cue.signal), .text = without_stop(*body)};
  }
  return std::nullopt;
}

std::optional<Signal> by_word(const std::string& sentence) {
  const std::string folded = fold_case(sentence);
  for (const SignalCue& cue : kSignalWords) {
    if (folded.find(cue.prefix) != std::string::npos)
      return Signal{.type = std::string(cue.signal), .text = without_stop(sentence)};
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

size_t digits_at(std::string_view text, size_t at) {
  size_t count = 0;
  while (at + count < text.size() && is_digit(text[at + count])) ++count;
  return count;
}

// PROJ-123 and INC0012345 at that place: how long, or 0.
size_t ticket_at(std::string_view text, size_t at) {
  size_t letters = 0;
  while (at + letters < text.size() &&
         (is_upper(text[at + letters]) || (letters > 0 && is_digit(text[at + letters]))))
    ++letters;
  if (letters >= 2 && letters <= 10 && at + letters < text.size() && text[at + letters] == '-') {
    const size_t digits = digits_at(text, at + letters + 1);
    const size_t end = at + letters + 1 + digits;
    // A vulnerability has two numbers: CVE-2024-12345.
    const bool vulnerability = text.substr(at, letters) == "CVE" && end < text.size() &&
                               text[end] == '-' && digits_at(text, end + 1) >= 4;
    if (vulnerability) return end + 1 + digits_at(text, end + 1) - at;
    if (digits >= 1 && digits <= 6) return end - at;
  }
  for (const std::string_view prefix : {"INC", "CHG", "REQ"}) {
    if (text.substr(at).starts_with(prefix)) {
      const size_t digits = digits_at(text, at + prefix.size());
      if (digits >= 5) return prefix.size() + digits;
    }
  }
  return 0;
}

bool is_standard(std::string_view name) {
  for (const std::string_view start : {"UTF-", "SHA-", "ISO-", "RFC-"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

struct NumberedRef {
  std::string_view words;
  std::string_view name;
};
constexpr std::array<NumberedRef, 4> kNumbered = {
    {{"pr #", "pr-"}, {"pull request #", "pr-"}, {"issue #", "issue-"}, {"mr !", "mr-"}}};

}  // namespace

std::vector<Signal> work_signals(const Item& item) {
  const std::string kind = effective_kind(item.about);
  std::vector<Signal> out;
  if (kind == "note" || kind == "notification") return out;
  size_t next_steps = 0;
  for (const Sentence& sentence : prepare(item.content)) {
    if (sentence.question || is_low_value_text(sentence.text)) continue;
    std::optional<Signal> signal = by_prefix(sentence.text, kind == "todo_snapshot");
    if (kind == "todo_snapshot" && sentence.checked && *sentence.checked)
      signal = Signal{.type = "progress_update", .text = without_stop(sentence.text)};
    if (!signal && kind == "todo_snapshot" && next_steps < kMostNextSteps)
      signal = Signal{.type = "next_step", .text = without_stop(sentence.text)};
    if (!signal && kind == "tool_use_summary") signal = by_word(sentence.text);
    if (!signal || signal->text.empty()) continue;
    next_steps += signal->type == "next_step" ? 1 : 0;
    out.push_back(std::move(*signal));
  }
  return out;
}

std::vector<std::string> work_refs_in(std::string_view content) {
  const std::string text = without_quotations(content);
  std::vector<std::string> out;
  const auto add = [&](std::string_view name) {
    const auto ref = text::normalise_work_ref(name);
    if (ref && std::ranges::find(out, *ref) == out.end()) out.push_back(*ref);
  };
  const auto word_char = [](char c) {
    return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z');
  };
  // Of the same length, so that places in it are places in the text.
  std::string folded = text;
  std::ranges::transform(folded, folded.begin(), ascii_lower);
  for (size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && (word_char(text[at - 1]) || text[at - 1] == '-')) continue;
    const size_t size = ticket_at(text, at);
    const bool whole = size > 0 && (at + size == text.size() || !word_char(text[at + size]));
    if (whole && !is_standard(std::string_view(text).substr(at, size)))
      add(std::string_view(text).substr(at, size));
    for (const NumberedRef& form : kNumbered) {
      if (!std::string_view(folded).substr(at).starts_with(form.words)) continue;
      const size_t begin = at + form.words.size();
      const size_t digits = digits_at(folded, begin);
      if (digits > 0) add(std::string(form.name) + folded.substr(begin, digits));
    }
  }
  return out;
}

}  // namespace holdfast::service::recall
