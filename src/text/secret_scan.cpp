#include "text/secret_scan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/utf8.h"
#include "text/secret_rules.h"

namespace holdfast::text {
namespace secret_rules {
namespace {

// Soft hyphen, zero-width space, non-joiner and joiner, word joiner, byte order mark.
constexpr std::array<std::string_view, 6> kInvisible = {
    "\xC2\xAD", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xE2\x81\xA0", "\xEF\xBB\xBF"};

size_t invisible_at(std::string_view text, size_t at) {
  const auto hidden = std::ranges::find_if(
      kInvisible, [&](std::string_view one) { return text.substr(at).starts_with(one); });
  return hidden == kInvisible.end() ? 0 : hidden->size();
}

std::string without_invisible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    const size_t hidden = ascii ? 0 : invisible_at(text, at);
    if (hidden == 0) out += text[at];
    at += std::max<size_t>(hidden, 1);
  }
  return out;
}

constexpr Signs signs_of(char c) {
  Signs signs = 0;
  if (c == '-') signs |= sign::kDash;
  if (c == '_') signs |= sign::kUnderscore;
  if (c == ':' || c == '=') signs |= sign::kAssignment;
  if (c == '@') signs |= sign::kAt;
  if (c == 'I') signs |= sign::kCapitalI;
  if (c == 'J') signs |= sign::kCapitalJ;
  if (is_upper(c)) signs |= sign::kCapital;
  if (is_digit(c)) signs |= sign::kDigit;
  if (static_cast<unsigned char>(c) >= 0x80) signs |= sign::kBeyondAscii;
  if (is_token(c) || std::string_view(".~+/=").find(c) != std::string_view::npos)
    signs |= sign::kOfToken;
  return signs;
}

constexpr auto kSigns = [] {
  std::array<Signs, 256> signs = {};
  for (size_t i = 0; i < signs.size(); ++i) signs[i] = signs_of(static_cast<char>(i));
  return signs;
}();

Signs known_signs_of(char c) { return kSigns[static_cast<unsigned char>(c)]; }

// Goes from the place where a long token would have to reach back to what stands in its way, and
// from there on: of most texts, one byte in four is looked at.
bool has_long_token(std::string_view text) {
  size_t begin = 0;
  while (text.size() - begin >= kLongTokenSize) {
    size_t at = begin + kLongTokenSize;
    while (at > begin && (known_signs_of(text[at - 1]) & sign::kOfToken) != 0) --at;
    if (at == begin) return true;
    begin = at;
  }
  return false;
}

// Which letters stand beside which, so that most hints need not be looked for. Capitals count as
// small letters, and some signs as others; so it never denies what is there, but may suspect what
// is not.
class Look {
 public:
  explicit Look(std::string_view text) {
    size_t before = 0;
    for (const char c : text) {
      const size_t sign = sign_of(c);
      after_[before] |= uint64_t{1} << sign;
      before = sign;
    }
  }

  // False: the text, in ascii_lower case, has no such piece.
  bool may_have(std::string_view piece) const {
    for (size_t i = 1; i < piece.size(); ++i) {
      if ((after_[sign_of(piece[i - 1])] >> sign_of(piece[i]) & 1) == 0) return false;
    }
    return true;
  }

 private:
  static size_t sign_of(char c) { return (static_cast<unsigned char>(c) | 0x20U) & 63U; }

  std::array<uint64_t, 64> after_ = {};  // for each sign, those that follow it somewhere
};

constexpr size_t kShortest = 6;  // a mail address: a@b.cd

struct Match {
  const Rule* rule = nullptr;
  Range range = {};
  size_t order = 0;
};

bool only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// A value that stands for a value.
bool is_placeholder(std::string_view value) {
  const auto wrapped = [&](std::string_view open, std::string_view close) {
    return value.starts_with(open) && value.ends_with(close);
  };
  return only(value, "*") || only(value, "xX") || value == "[REDACTED]" || value == "REDACTED" ||
         value == "changeme" || wrapped("<", ">") || wrapped("${", "}") || wrapped("{{", "}}");
}

bool is_forgiven(const Rule& rule, std::string_view matched) {
  if (rule.forgive == Forgive::kNothing) return false;
  if (matched.find("EXAMPLE") != std::string_view::npos) return true;
  if (rule.forgive != Forgive::kPlaceholders) return false;
  const size_t sign = matched.find_first_of(":=");
  const size_t begin = matched.find_first_not_of(" \t\"'", sign + 1);
  return begin == std::string_view::npos || is_placeholder(matched.substr(begin));
}

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ascii_lower(c);
  return out;
}

// Says of a rule whether its hints are in a text. What is needed for that is made when the first
// rule asks.
class HintSearch {
 public:
  explicit HintSearch(std::string_view text) : text_(text) {}

  bool any_of(const Rule& rule) {
    if (rule.hints.front().empty()) return true;
    if (!look_) look_.emplace(text_);
    return std::ranges::any_of(rule.hints, [&](std::string_view hint) {
      if (hint.empty() || !look_->may_have(hint)) return false;
      if (!folded_) folded_ = in_lower_case(text_);
      return folded_->find(hint) != std::string_view::npos;
    });
  }

 private:
  const std::string_view text_;  // outlives the search
  std::optional<Look> look_;
  std::optional<std::string> folded_;
};

void apply(const Rule& rule, size_t order, std::string_view text, std::vector<Match>& matches) {
  for (size_t at = 0; at < text.size();) {
    const bool may_begin = rule.begins == 0 || (known_signs_of(text[at]) & rule.begins) != 0;
    const auto found = may_begin ? rule.find(text, at) : std::nullopt;
    if (!found) {
      ++at;
      continue;
    }
    if (!is_forgiven(rule, text.substr(found->begin, found->end - found->begin)))
      matches.push_back({&rule, *found, order});
    at = found->end;
  }
}

// An assignment whose value a more exact rule knows is reported by that rule alone.
void drop_covered(std::vector<Match>& matches) {
  std::vector<Range> exact;
  for (const Match& match : matches) {
    if (!match.rule->yields && match.rule->severity >= SecretSeverity::kHigh)
      exact.push_back(match.range);
  }
  std::ranges::sort(exact, {}, &Range::begin);
  // The furthest end of all that begin up to there, so that one look tells whether any overlaps.
  for (size_t i = 1; i < exact.size(); ++i) exact[i].end = std::max(exact[i].end, exact[i - 1].end);
  std::erase_if(matches, [&](const Match& match) {
    if (!match.rule->yields) return false;
    const auto after = std::ranges::lower_bound(exact, match.range.end, {}, &Range::begin);
    return after != exact.begin() && std::prev(after)->end > match.range.begin;
  });
}

const Rule& card_rule() {
  static constexpr Rule kRule{.code = "PAYMENT_CARD",
                              .severity = SecretSeverity::kCritical,
                              .find = nullptr,
                              .forgive = Forgive::kNothing};
  return kRule;
}

std::vector<Match> find_matches(std::string_view text, Signs signs) {
  std::vector<Match> matches;
  HintSearch hints(text);
  size_t order = 0;
  for (const auto& rules : {token_rules(), phrase_rules(), number_rules()}) {
    for (const Rule& rule : rules) {
      const bool possible = (rule.needs & ~signs) == 0;
      if (possible && hints.any_of(rule)) apply(rule, order, text, matches);
      ++order;
    }
  }
  if ((signs & sign::kDigit) == 0) return matches;
  for (const Range& card : find_payment_cards(text)) matches.push_back({&card_rule(), card, order});
  return matches;
}

}  // namespace
}  // namespace secret_rules

std::string_view severity_name(SecretSeverity severity) {
  switch (severity) {
    case SecretSeverity::kMedium: return "medium";
    case SecretSeverity::kHigh: return "high";
    case SecretSeverity::kCritical: return "critical";
  }
  return {};
}

std::vector<SecretFinding> find_secrets(std::string_view source) {
  using namespace secret_rules;  // NOLINT(google-build-using-namespace): it applies them all
  if (source.size() < kShortest) return {};
  std::string cleaned;
  std::string_view text = source;
  Signs signs = 0;
  for (const char c : text) signs |= known_signs_of(c);
  if ((signs & sign::kBeyondAscii) != 0) {
    cleaned = without_invisible(source);
    text = cleaned;
  }
  if (has_long_token(text)) signs |= sign::kLongToken;
  std::vector<Match> matches = find_matches(text, signs);
  if (matches.empty()) return {};
  drop_covered(matches);
  std::ranges::sort(matches, [](const Match& a, const Match& b) {
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.order < b.order;
  });
  std::vector<SecretFinding> findings;
  size_t byte = 0;
  size_t point = 0;
  for (const Match& match : matches) {
    point += count_code_points(text.substr(byte, match.range.begin - byte));
    byte = match.range.begin;
    const size_t length =
        count_code_points(text.substr(match.range.begin, match.range.end - match.range.begin));
    findings.push_back({match.rule->code, match.rule->severity, point, length});
  }
  return findings;
}

}  // namespace holdfast::text
