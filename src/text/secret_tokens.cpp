// Credentials known by how they begin.
#include <array>

#include "text/secret_rules.h"

namespace holdfast::text::secret_rules {
namespace {

bool is_aws(char c) { return is_upper(c) || is_digit(c); }
bool is_alnum_dash(char c) { return is_ascii_alnum(c) || c == '-'; }

struct Shape {
  std::string_view prefix;
  bool (*fits)(char);
  size_t least;
  size_t most = SIZE_MAX;
  bool edges = false;  // none of the shape's neighbours may continue a word
};

template <size_t N>
std::optional<Range> any_shape(const std::array<Shape, N>& shapes, std::string_view text,
                               size_t at) {
  for (const Shape& shape : shapes) {
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    if (shape.edges && !edge_before(text, at)) continue;
    const size_t begin = at + shape.prefix.size();
    size_t end = begin;
    while (end < text.size() && end - begin < shape.most && shape.fits(text[end])) ++end;
    if (end - begin >= shape.least) return Range{at, end};
  }
  return std::nullopt;
}

std::optional<Range> aws_key(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 2> kShapes = {
      {{"AKIA", is_aws, 16, 16, true}, {"ASIA", is_aws, 16, 16, true}}};
  const auto found = any_shape(kShapes, text, at);
  return found && edge_after(text, found->end) ? found : std::nullopt;
}

std::optional<Range> openai_key(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 2> kShapes = {
      {{"sk-proj-", is_token, 40, SIZE_MAX, true}, {"sk-", is_ascii_alnum, 40, SIZE_MAX, true}}};
  return any_shape(kShapes, text, at);
}

std::optional<Range> anthropic_key(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 1> kShapes = {{{"sk-ant-", is_token, 40}}};
  return any_shape(kShapes, text, at);
}

std::optional<Range> github_token(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 6> kShapes = {{{"ghp_", is_ascii_alnum, 30},
                                                    {"gho_", is_ascii_alnum, 30},
                                                    {"ghu_", is_ascii_alnum, 30},
                                                    {"ghs_", is_ascii_alnum, 30},
                                                    {"ghr_", is_ascii_alnum, 30},
                                                    {"github_pat_", is_word, 60}}};
  return any_shape(kShapes, text, at);
}

std::optional<Range> stripe_key(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 2> kShapes = {
      {{"sk_live_", is_ascii_alnum, 24}, {"rk_live_", is_ascii_alnum, 24}}};
  return any_shape(kShapes, text, at);
}

std::optional<Range> google_key(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 1> kShapes = {{{"AIza", is_token, 35, 35, true}}};
  return any_shape(kShapes, text, at);
}

std::optional<Range> slack_token(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 5> kShapes = {{{"xoxa-", is_alnum_dash, 20},
                                                    {"xoxb-", is_alnum_dash, 20},
                                                    {"xoxp-", is_alnum_dash, 20},
                                                    {"xoxr-", is_alnum_dash, 20},
                                                    {"xoxs-", is_alnum_dash, 20}}};
  return any_shape(kShapes, text, at);
}

// Our own: ctx_pat_ID_SECRET, ctx_agent_ID_SECRET, and the secrets of webhooks.
std::optional<Range> own_key(std::string_view text, size_t at) {
  static constexpr std::array<Shape, 1> kWebhook = {{{"whsec_", is_word, 16}}};
  static constexpr std::array<Shape, 2> kName = {
      {{"ctx_pat_", is_ascii_alnum, 6}, {"ctx_agent_", is_ascii_alnum, 6}}};
  if (const auto webhook = any_shape(kWebhook, text, at)) return webhook;
  const auto name = any_shape(kName, text, at);
  if (!name || name->end >= text.size() || text[name->end] != '_') return std::nullopt;
  const size_t end = run_of(text, name->end + 1, is_ascii_alnum);
  if (end - name->end - 1 < 16) return std::nullopt;
  return Range{at, end};
}

std::optional<Range> private_key(std::string_view text, size_t at) {
  static constexpr std::string_view kBegin = "-----BEGIN ";
  static constexpr std::array<std::string_view, 7> kRest = {
      "PRIVATE KEY-----",          "RSA PRIVATE KEY-----",     "DSA PRIVATE KEY-----",
      "EC PRIVATE KEY-----",       "OPENSSH PRIVATE KEY-----", "ENCRYPTED PRIVATE KEY-----",
      "PGP PRIVATE KEY BLOCK-----"};
  if (!text.substr(at).starts_with(kBegin)) return std::nullopt;
  for (const std::string_view rest : kRest) {
    if (text.substr(at + kBegin.size()).starts_with(rest))
      return Range{at, at + kBegin.size() + rest.size()};
  }
  return std::nullopt;
}

// A token could have begun earlier in the same run, and what follows the run was no token's rest:
// reading it again from every "eyJ" of "eyJeyJeyJ…" would cost a square.
bool was_judged_before(std::string_view text, size_t at) {
  while (at > 0 && is_token(text[at - 1])) {
    if (text.substr(--at).starts_with("eyJ")) return true;
  }
  return false;
}

// Two JSON objects in base64url and a signature, joined by dots.
std::optional<Range> json_web_token(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("eyJ") || was_judged_before(text, at)) return std::nullopt;
  size_t end = at;
  for (int part = 0; part < 2; ++part) {
    if (!text.substr(end).starts_with("eyJ")) return std::nullopt;
    const size_t begin = end;
    end = run_of(text, begin, is_token);
    if (end - begin < 10 || end >= text.size() || text[end] != '.') return std::nullopt;
    ++end;
  }
  return Range{at, run_of(text, end, is_token)};
}

}  // namespace

std::span<const Rule> token_rules() {
  using enum SecretSeverity;
  using namespace sign;  // NOLINT(google-build-using-namespace): words of the table
  static constexpr std::array<Rule, 10> kRules = {
      {{"AWS_ACCESS_KEY", kCritical, aws_key, kCapitalI, {"akia", "asia"}},
       {"OPENAI_API_KEY", kCritical, openai_key, kDash, {"sk-"}},
       {"ANTHROPIC_API_KEY", kCritical, anthropic_key, kDash, {"sk-ant-"}},
       {"GITHUB_TOKEN", kCritical, github_token, kUnderscore, {"gh", "github_pat_"}},
       {"STRIPE_LIVE_KEY", kCritical, stripe_key, kUnderscore, {"k_live_"}},
       {"GOOGLE_API_KEY", kCritical, google_key, kCapitalI, {"aiza"}},
       {"SLACK_TOKEN", kCritical, slack_token, kDash, {"xox"}},
       {"CORTEX_KEY", kCritical, own_key, kUnderscore, {"ctx_", "whsec_"}},
       {"PRIVATE_KEY", kCritical, private_key, kDash, {"-----begin "}, Forgive::kNothing},
       {"JWT", kHigh, json_web_token, kCapitalJ, {"eyj"}}}};
  return kRules;
}

}  // namespace holdfast::text::secret_rules
