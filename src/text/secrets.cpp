#include "text/secrets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace holdfast::text {
namespace {

struct Range {
  size_t begin = 0;
  size_t end = 0;
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_alnum(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z'); }
bool is_token_char(char c) { return is_alnum(c) || c == '_' || c == '-'; }

bool starts_at(std::string_view text, size_t at, std::string_view folded_word) {
  if (text.size() - at < folded_word.size()) return false;
  for (size_t i = 0; i < folded_word.size(); ++i) {
    if (lower(text[at + i]) != folded_word[i]) return false;
  }
  return true;
}

size_t run_of(std::string_view text, size_t at, bool (*fits)(char)) {
  size_t end = at;
  while (end < text.size() && fits(text[end])) ++end;
  return end;
}

// Tokens that are known by how they begin.
struct Shape {
  std::string_view prefix;  // exactly so
  size_t least;             // characters after it
};
constexpr std::array<Shape, 14> kShapes = {{{"ghp_", 16},
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
                                            {"AKIA", 16},
                                            {"ASIA", 16},
                                            {"sk-", 16}}};

std::optional<Range> shape_at(std::string_view text, size_t at) {
  for (const Shape& shape : kShapes) {
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    const size_t end = run_of(text, at + shape.prefix.size(), is_token_char);
    if (end - at - shape.prefix.size() >= shape.least) return Range{at, end};
  }
  return std::nullopt;
}

// Three base64url parts, the first of which is a JSON object.
std::optional<Range> jwt_at(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("eyJ")) return std::nullopt;
  size_t end = at;
  for (int part = 0; part < 3; ++part) {
    const size_t begin = end;
    end = run_of(text, begin, is_token_char);
    if (end - begin < 8) return std::nullopt;
    if (part == 2) return Range{at, end};
    if (end >= text.size() || text[end] != '.') return std::nullopt;
    ++end;
  }
  return std::nullopt;
}

std::optional<Range> key_block_at(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("-----BEGIN ")) return std::nullopt;
  const size_t line = std::min(text.find('\n', at), text.size());
  if (text.substr(at, line - at).find("PRIVATE KEY") == std::string_view::npos) return std::nullopt;
  const size_t end = text.find("-----END ", at);
  if (end == std::string_view::npos) return Range{at, text.size()};
  const size_t tail = text.find("-----", end + 9);
  return Range{at, tail == std::string_view::npos ? text.size() : tail + 5};
}

constexpr std::array<std::string_view, 4> kHeaders = {
    "authorization:", "proxy-authorization:", "cookie:", "set-cookie:"};

std::optional<Range> header_at(std::string_view text, size_t at) {
  for (const std::string_view name : kHeaders) {
    if (!starts_at(text, at, name)) continue;
    const size_t begin = std::min(text.find_first_not_of(" \t", at + name.size()), text.size());
    const size_t end = std::min(text.find_first_of("\r\n\"'", begin), text.size());
    if (begin < end) return Range{begin, end};
  }
  return std::nullopt;
}

std::optional<Range> bearer_at(std::string_view text, size_t at) {
  if (!starts_at(text, at, "bearer ")) return std::nullopt;
  const auto fits = [](char c) {
    return is_token_char(c) || c == '.' || c == '=' || c == '/' || c == '+' || c == '~';
  };
  const size_t end = run_of(text, at + 7, fits);
  const std::string_view token = text.substr(at + 7, end - at - 7);
  const bool digits = std::ranges::any_of(token, [](char c) { return c >= '0' && c <= '9'; });
  if (token.size() < 8 || (token.size() < 20 && !digits)) return std::nullopt;
  return Range{at + 7, end};
}

constexpr std::array<std::string_view, 15> kNames = {
    "password",   "passwd",     "pwd",         "passphrase",    "secret",
    "token",      "api_key",    "api-key",     "apikey",        "access_key",
    "access-key", "secret_key", "private_key", "client_secret", "auth_token"};

// name = value and name: value, with quotes or without; the name may end a longer one.
std::optional<Range> assignment_at(std::string_view text, size_t at) {
  for (const std::string_view name : kNames) {
    if (!starts_at(text, at, name)) continue;
    size_t here = at + name.size();
    if (here < text.size() && (text[here] == '"' || text[here] == '\'')) ++here;
    here = std::min(text.find_first_not_of(" \t", here), text.size());
    if (here >= text.size() || (text[here] != '=' && text[here] != ':')) continue;
    here = std::min(text.find_first_not_of(" \t", here + 1), text.size());
    char quote = 0;
    if (here < text.size() && (text[here] == '"' || text[here] == '\'')) quote = text[here++];
    const std::string_view ends = quote != 0 ? std::string_view(&quote, 1) : " \t\r\n,;&\"'<>)";
    const size_t end = std::min(text.find_first_of(ends, here), text.size());
    if (end > here) return Range{here, end};
  }
  return std::nullopt;
}

// user:password@ behind a scheme.
std::optional<Range> url_at(std::string_view text, size_t at) {
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

using Finder = std::optional<Range> (*)(std::string_view, size_t);
struct Rule {
  Finder find;
  bool at_word_start;
  std::string_view begins;  // what its finds may begin with: most characters of a text are none
};
constexpr std::array<Rule, 7> kRules = {{{key_block_at, false, "-"},
                                         {header_at, true, "aApPcCsS"},
                                         {bearer_at, true, "bB"},
                                         {url_at, false, ":"},
                                         {jwt_at, true, "e"},
                                         {shape_at, true, "gxAs"},
                                         {assignment_at, false, "pPsStTaAcC"}}};

// The rules that may find something at a character, a bit each.
constexpr std::array<uint8_t, 256> kRulesAt = [] {
  std::array<uint8_t, 256> out{};
  for (size_t rule = 0; rule < kRules.size(); ++rule) {
    for (const char c : kRules[rule].begins)
      out[static_cast<unsigned char>(c)] |= static_cast<uint8_t>(1U << rule);
  }
  return out;
}();

std::optional<Range> secret_at(std::string_view text, size_t at) {
  const uint8_t rules = kRulesAt[static_cast<unsigned char>(text[at])];
  if (rules == 0) return std::nullopt;
  const bool word_start = at == 0 || !is_alnum(text[at - 1]);
  for (size_t i = 0; i < kRules.size(); ++i) {
    if ((rules >> i & 1) == 0 || (kRules[i].at_word_start && !word_start)) continue;
    if (auto found = kRules[i].find(text, at)) return found;
  }
  return std::nullopt;
}

}  // namespace

std::string redact_secrets(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t kept = 0;
  for (size_t at = 0; at < text.size();) {
    const std::optional<Range> found = secret_at(text, at);
    if (!found) {
      ++at;
      continue;
    }
    const std::string_view secret = text.substr(found->begin, found->end - found->begin);
    at = found->end;
    if (secret.starts_with(kRedacted)) continue;
    out += text.substr(kept, found->begin - kept);
    out += kRedacted;
    kept = found->end;
  }
  out += text.substr(kept);
  return out;
}

}  // namespace holdfast::text
