#include "text/secrets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "text/secret_rules.h"

namespace holdfast::text {
namespace {

using secret_rules::is_token;
using secret_rules::Range;
using secret_rules::run_of;
using secret_rules::starts_folded;

// Tokens that are known by how they begin.
struct TokenShape {
  std::string_view prefix;  // exactly so
  size_t least;             // characters after it
};
constexpr std::array<TokenShape, 17> kShapes = {{{"ghp_", 16},
                                                 {"gho_", 16},
                                                 {"ghu_", 16},
                                                 {"ghs_", 16},
                                                 {"ghr_", 16},
                                                 {"github_pat_", 16},
                                                 {"glpat-", 16},
                                                 {"xoxb-", 10},
                                                 {"xoxp-", 10},
                                                 {"xoxa-", 10},
                                                 {"xoxs-", 10},
                                                 {"xoxe-", 10},
                                                 {"xoxr-", 10},
                                                 {"xapp-", 10},
                                                 {"AKIA", 16},
                                                 {"ASIA", 16},
                                                 {"sk-", 16}}};

std::optional<Range> shape_at(std::string_view text, size_t at, size_t& seen) {
  if (at < seen) return std::nullopt;  // part of a token already
  for (const TokenShape& shape : kShapes) {
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    const size_t end = run_of(text, at + shape.prefix.size(), is_token);
    if (end - at - shape.prefix.size() < shape.least) continue;
    seen = end;
    return Range{at, end};
  }
  return std::nullopt;
}

// Three base64url parts, the first of which is a JSON object.
std::optional<Range> jwt_at(std::string_view text, size_t at, size_t& seen) {
  if (at < seen || !text.substr(at).starts_with("eyJ")) return std::nullopt;
  size_t end = at;
  for (int part = 0; part < 3; ++part) {
    const size_t begin = end;
    end = run_of(text, begin, is_token);
    if (part == 0) seen = end;  // what follows the run is the same for all that begin in it
    if (end - begin < 8) return std::nullopt;
    if (part == 2) return Range{at, end};
    if (end >= text.size() || text[end] != '.') return std::nullopt;
    ++end;
  }
  return std::nullopt;
}

std::optional<Range> key_block_at(std::string_view text, size_t at, size_t& seen) {
  static constexpr size_t kLongestTitle = 80;
  if (at < seen || !text.substr(at).starts_with("-----BEGIN ")) return std::nullopt;
  const std::string_view title = text.substr(at, kLongestTitle);
  if (title.substr(0, title.find('\n')).find("PRIVATE KEY") == std::string_view::npos)
    return std::nullopt;
  const size_t end = text.find("-----END ", at);
  const size_t tail = end == std::string_view::npos ? end : text.find("-----", end + 9);
  seen = std::min(tail, text.size());  // what begins before that ends there too
  return Range{at, std::min(seen + 5, text.size())};
}

bool is_quote(char c) { return c == '"' || c == '\''; }

// How many characters a quote takes at `at`: one, or two where JSON stands inside JSON; 0 if there
// is none.
size_t quote_size(std::string_view text, size_t at) {
  if (at < text.size() && is_quote(text[at])) return 1;
  return at + 1 < text.size() && text[at] == '\\' && is_quote(text[at + 1]) ? 2 : 0;
}

size_t after_blanks(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

constexpr std::array<std::string_view, 4> kHeaders = {"authorization", "proxy-authorization",
                                                      "cookie", "set-cookie"};

// Name: value up to the line's end, or both in quotes.
std::optional<Range> header_at(std::string_view text, size_t at, size_t& seen) {
  for (const std::string_view name : kHeaders) {
    if (!starts_folded(text, at, name)) continue;
    const size_t quoted = quote_size(text, at + name.size());
    const size_t colon = after_blanks(text, at + name.size() + quoted);
    if (colon >= text.size() || text[colon] != ':') continue;
    const size_t behind = after_blanks(text, colon + 1);
    const size_t quote = quote_size(text, behind);
    if (quoted > 0 && quote == 0) continue;
    const size_t begin = behind + quote;
    const std::string_view ends = quote == 2 ? "\r\n\"'\\" : "\r\n\"'";
    if (begin >= seen) seen = std::min(text.find_first_of(ends, begin), text.size());
    if (begin < seen) return Range{begin, seen};
  }
  return std::nullopt;
}

std::optional<Range> bearer_at(std::string_view text, size_t at, size_t& /*seen*/) {
  if (!starts_folded(text, at, "bearer ")) return std::nullopt;
  const auto fits = [](char c) {
    return is_token(c) || c == '.' || c == '=' || c == '/' || c == '+' || c == '~';
  };
  const size_t end = run_of(text, at + 7, fits);
  const std::string_view token = text.substr(at + 7, end - at - 7);
  const bool digits = std::ranges::any_of(token, [](char c) { return c >= '0' && c <= '9'; });
  if (token.size() < 8 || (token.size() < 20 && !digits)) return std::nullopt;
  return Range{at + 7, end};
}

constexpr std::array<std::string_view, 25> kNames = {
    "password",    "passwd",     "pwd",           "passphrase",  "secret",
    "token",       "api_key",    "api-key",       "api key",     "apikey",
    "access_key",  "access-key", "access key",    "accesskey",   "secret_key",
    "secret-key",  "secret key", "secretkey",     "private_key", "private-key",
    "private key", "privatekey", "client_secret", "auth_token",  "accountkey"};

// The first quote that no backslash is before, or the first of all.
size_t closing_quote(std::string_view text, size_t here, char quote) {
  const size_t first = text.find(quote, here);
  size_t at = first;
  while (at != std::string_view::npos && at > here && text[at - 1] == '\\')
    at = text.find(quote, at + 1);
  return std::min(at == std::string_view::npos ? first : at, text.size());
}

// The end of a value that begins at `here`, behind its quote if it has one.
size_t value_end(std::string_view text, size_t here, std::string_view quote, size_t& seen) {
  if (quote.size() == 2) return std::min(text.find(quote, here), text.size());
  if (quote.size() == 1) return closing_quote(text, here, quote.front());
  if (here >= seen) seen = std::min(text.find_first_of(" \t\r\n,;&\"'<>)", here), text.size());
  return seen;
}

// The letters that follow each letter at the beginning of a name, as bits: one look tells that most
// words of a text are none.
constexpr std::array<uint32_t, 26> kSecondLetters = [] {
  std::array<uint32_t, 26> out{};
  for (const std::string_view name : kNames)
    out[static_cast<size_t>(name[0] - 'a')] |= 1U << static_cast<unsigned>(name[1] - 'a');
  return out;
}();

bool may_be_name(char first, char second) {
  const auto letter = [](char c) { return static_cast<unsigned>((c | 0x20) - 'a'); };
  return letter(first) < 26 && letter(second) < 26 &&
         (kSecondLetters[letter(first)] >> letter(second) & 1) != 0;
}

// Where the value stands of a name whose line ends at `here`: on the next line, if it is alone
// there and no name itself. Otherwise `here`.
size_t on_next_line(std::string_view text, size_t here) {
  size_t begin = here;
  if (begin < text.size() && text[begin] == '\r') ++begin;
  if (begin >= text.size() || text[begin] != '\n') return here;
  begin = after_blanks(text, begin + 1);
  const size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  std::string_view line = text.substr(begin, end - begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  const bool value = std::ranges::any_of(line, is_ascii_alnum) && !line.ends_with(':') &&
                     line.find_first_of(" \t") == std::string_view::npos;
  return value ? begin : here;
}

// name = value and name: value, with quotes or without; the name may end a longer one.
std::optional<Range> assignment_at(std::string_view text, size_t at, size_t& seen) {
  if (at + 1 >= text.size() || !may_be_name(text[at], text[at + 1])) return std::nullopt;
  for (const std::string_view name : kNames) {
    if (!starts_folded(text, at, name)) continue;
    size_t here = at + name.size();
    here = after_blanks(text, here + quote_size(text, here));
    if (here >= text.size() || (text[here] != '=' && text[here] != ':')) continue;
    ++here;
    if (here < text.size() && (text[here] == '=' || text[here] == '>')) ++here;  // := and =>
    here = on_next_line(text, after_blanks(text, here));
    const std::string_view quote = text.substr(here, quote_size(text, here));
    here += quote.size();
    const size_t end = value_end(text, here, quote, seen);
    if (end > here) return Range{here, end};
  }
  return std::nullopt;
}

// user:password@ behind a scheme.
std::optional<Range> url_at(std::string_view text, size_t at, size_t& /*seen*/) {
  if (!text.substr(at).starts_with("://")) return std::nullopt;
  const size_t begin = at + 3;
  const size_t end = std::min(text.find_first_of("/ \t\r\n\"'<>?#", begin), text.size());
  const std::string_view authority = text.substr(begin, end - begin);
  const size_t sign = authority.find_last_of('@');
  if (sign == std::string_view::npos ||
      authority.substr(0, sign).find(':') == std::string_view::npos)
    return std::nullopt;
  return Range{begin, begin + sign};
}

// The secret that is told by what begins at `at`. `seen` is how far the rule has read, for the rule
// alone: with it, no stretch of text is read once for each of its characters.
using Finder = std::optional<Range> (*)(std::string_view text, size_t at, size_t& seen);
struct RedactionRule {
  Finder find;
  bool at_word_start;
  std::string_view begins;  // what its finds may begin with: most characters of a text are none
};
constexpr std::array<RedactionRule, 7> kRedactionRules = {{{key_block_at, false, "-"},
                                                           {header_at, true, "aApPcCsS"},
                                                           {bearer_at, true, "bB"},
                                                           {url_at, false, ":"},
                                                           {jwt_at, true, "e"},
                                                           {shape_at, true, "gxAs"},
                                                           {assignment_at, false, "pPsStTaAcC"}}};

// The rules that may find something at a character, a bit each.
constexpr std::array<uint8_t, 256> kRulesAt = [] {
  std::array<uint8_t, 256> out{};
  for (size_t rule = 0; rule < kRedactionRules.size(); ++rule) {
    for (const char c : kRedactionRules[rule].begins)
      out[static_cast<unsigned char>(c)] |= static_cast<uint8_t>(1U << rule);
  }
  return out;
}();

// One way through a text, from its beginning to its end.
class Search {
 public:
  explicit Search(std::string_view text) : text_(text) {}

  // By the first rule that knows one, and with all that begins inside it: the value of
  // `token: Bearer abc` is more than its first word.
  std::optional<Range> at(size_t at) {
    auto found = first_at(at);
    if (!found) return found;
    for (size_t inner = std::max(found->begin, at + 1); inner < found->end; ++inner) {
      if (const auto more = first_at(inner)) found->end = std::max(found->end, more->end);
    }
    return found;
  }

 private:
  std::optional<Range> first_at(size_t at) {
    const uint8_t rules = kRulesAt[static_cast<unsigned char>(text_[at])];
    if (rules == 0) return std::nullopt;
    const bool word_start = at == 0 || !is_ascii_alnum(text_[at - 1]);
    for (size_t i = 0; i < kRedactionRules.size(); ++i) {
      if ((rules >> i & 1) == 0 || (kRedactionRules[i].at_word_start && !word_start)) continue;
      if (auto found = kRedactionRules[i].find(text_, at, seen_[i])) return found;
    }
    return std::nullopt;
  }

  const std::string_view text_;
  std::array<size_t, kRedactionRules.size()> seen_ = {};
};

std::string redact_once(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  Search search(text);
  size_t kept = 0;
  for (size_t at = 0; at < text.size();) {
    const auto found = search.at(at);
    if (!found) {
      ++at;
      continue;
    }
    out += text.substr(kept, found->begin - kept);
    out += kRedacted;
    at = kept = found->end;
  }
  out += text.substr(kept);
  return out;
}

// What stands beside a secret may belong to one once that is a single word; a few rounds settle it.
constexpr int kMostRounds = 8;

}  // namespace

std::string redact_secrets(std::string_view text) {
  std::string out = redact_once(text);
  if (out == text) return out;
  for (int round = 1; round < kMostRounds; ++round) {
    std::string next = redact_once(out);
    if (next == out) break;
    out = std::move(next);
  }
  return out;
}

}  // namespace holdfast::text
