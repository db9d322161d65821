// Credentials known by what stands around them: assignments, bearer headers, URLs, digests that are
// called a secret, mail addresses.
#include <algorithm>
#include <array>

#include <utf8proc.h>

#include "base/utf8.h"
#include "text/secret_rules.h"

namespace holdfast::text::secret_rules {
namespace {

bool is_bearer(char c) {
  return is_token(c) || std::string_view(".~+/=").find(c) != std::string_view::npos;
}
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_value(char c) { return !is_quote(c) && c != ' ' && (c < '\t' || c > '\r'); }
bool is_hex(char c) { return is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f'); }
bool is_base64(char c) { return is_ascii_alnum(c) || c == '+' || c == '/'; }
bool is_authority(char c) {
  return static_cast<unsigned char>(c) > ' ' &&
         std::string_view("/?#\"'<>`").find(c) == std::string_view::npos;
}
bool is_mail_local(char c) {
  return is_ascii_alnum(c) || std::string_view("._%+-").find(c) != std::string_view::npos;
}

std::optional<Range> bearer(std::string_view text, size_t at) {
  if (!starts_folded(text, at, "bearer")) return std::nullopt;
  const size_t begin = std::min(text.find_first_not_of(' ', at + 6), text.size());
  const size_t end = run_of(text, begin, is_bearer);
  if (begin == at + 6 || end - begin < 20) return std::nullopt;
  return Range{at, end};
}

// Where the value of `name = "value` begins; nothing if this is no assignment to one of the names.
template <size_t N>
std::optional<size_t> assigned(const std::array<std::string_view, N>& names, std::string_view text,
                               size_t at) {
  for (const std::string_view name : names) {
    if (!starts_folded(text, at, name)) continue;
    size_t here = run_of(text, at + name.size(), is_blank);
    if (here >= text.size() || (text[here] != ':' && text[here] != '=')) continue;
    here = run_of(text, here + 1, is_blank);
    if (here < text.size() && is_quote(text[here])) ++here;
    return here;
  }
  return std::nullopt;
}

// Letters of every script; a byte that is not UTF-8 is none.
bool only_letters(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t point = -1;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (size <= 0) return false;
    const auto category = utf8proc_category(point);
    if (category < UTF8PROC_CATEGORY_LU || category > UTF8PROC_CATEGORY_LO) return false;
    at += static_cast<size_t>(size);
  }
  return true;
}

std::optional<Range> password(std::string_view text, size_t at) {
  static constexpr std::array<std::string_view, 3> kNames = {"password", "passwd", "pwd"};
  const auto begin = assigned(kNames, text, at);
  if (!begin) return std::nullopt;
  const size_t end = run_of(text, *begin, is_value);
  const std::string_view value = text.substr(*begin, end - *begin);
  if (count_code_points(value) < 8 || only_letters(value)) return std::nullopt;
  return Range{at, end};
}

std::optional<Range> api_key(std::string_view text, size_t at) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "api_key", "api-key", "apikey", "secret_key", "secret-key", "access_token", "client_secret"};
  const auto begin = assigned(kNames, text, at);
  if (!begin) return std::nullopt;
  const size_t end = run_of(text, *begin, is_token);
  const std::string_view value = text.substr(*begin, end - *begin);
  if (value.size() < 16 || std::ranges::none_of(value, is_digit)) return std::nullopt;
  return Range{at, end};
}

bool is_scheme(char c) { return is_ascii_alnum(c) || c == '+' || c == '.' || c == '-'; }

// scheme://user:password@host, found at its scheme: the first letter of a run, whatever digits and
// signs stand before it, so that each run is read once.
std::optional<Range> url_credentials(std::string_view text, size_t at) {
  if (!is_ascii_letter(text[at])) return std::nullopt;
  size_t before = at;
  while (before > 0 && is_scheme(text[before - 1]) && !is_ascii_letter(text[before - 1])) --before;
  if (before > 0 && is_ascii_letter(text[before - 1])) return std::nullopt;
  const size_t colon = run_of(text, at, is_scheme);
  if (!text.substr(colon).starts_with("://")) return std::nullopt;
  const size_t begin = colon + 3;
  const size_t end = run_of(text, begin, is_authority);
  const std::string_view authority = text.substr(begin, end - begin);
  const size_t sign = authority.rfind('@');
  if (sign == std::string_view::npos || sign + 1 == authority.size()) return std::nullopt;
  const size_t middle = authority.substr(0, sign).find(':');
  if (middle == std::string_view::npos || middle == 0 || middle + 1 == sign) return std::nullopt;
  return Range{at, end};
}

constexpr std::array<std::string_view, 5> kSecretWords = {"key", "secret", "token", "passw",
                                                          "credential"};

// One of these words in the thirty characters before, on the same line.
bool is_called_secret(std::string_view text, size_t at) {
  static constexpr size_t kReach = 30;
  size_t begin = at;
  for (size_t left = kReach; begin > 0 && left > 0 && text[begin - 1] != '\n';) {
    --begin;
    if ((static_cast<unsigned char>(text[begin]) & 0xc0U) != 0x80) --left;
  }
  const std::string_view before = text.substr(begin, at - begin);
  for (size_t i = 0; i < before.size(); ++i) {
    for (const std::string_view word : kSecretWords) {
      if (starts_folded(before, i, word)) return true;
    }
  }
  return false;
}

std::optional<Range> hex_secret(std::string_view text, size_t at) {
  if (!is_hex(text[at]) || !edge_before(text, at)) return std::nullopt;
  const size_t end = run_of(text, at, is_hex);
  if (end - at < 32 || end - at > 64 || !edge_after(text, end)) return std::nullopt;
  if (!is_called_secret(text, at)) return std::nullopt;
  return Range{at, end};
}

std::optional<Range> base64_secret(std::string_view text, size_t at) {
  if (!is_base64(text[at]) || (at > 0 && is_base64(text[at - 1]))) return std::nullopt;
  size_t end = run_of(text, at, is_base64);
  if (end - at < 40 || !is_called_secret(text, at)) return std::nullopt;
  for (int padding = 0; padding < 2 && end < text.size() && text[end] == '='; ++padding) ++end;
  return Range{at, end};
}

std::optional<Range> mail_address(std::string_view text, size_t at) {
  static constexpr size_t kLongestLocal = 64;
  static constexpr size_t kLongestHost = 255;
  if (!is_ascii_alnum(text[at]) || (at > 0 && is_mail_local(text[at - 1]))) return std::nullopt;
  size_t sign = at;
  while (sign < text.size() && sign - at <= kLongestLocal && is_mail_local(text[sign])) ++sign;
  if (sign >= text.size() || text[sign] != '@') return std::nullopt;
  size_t end = sign + 1;
  while (end < text.size() && end - sign <= kLongestHost &&
         (is_ascii_alnum(text[end]) || text[end] == '-' || text[end] == '.')) {
    ++end;
  }
  while (end > sign + 1 && !is_ascii_alnum(text[end - 1])) --end;
  const std::string_view host = text.substr(sign + 1, end - sign - 1);
  const size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || host.find("..") != std::string_view::npos)
    return std::nullopt;
  const std::string_view top = host.substr(dot + 1);
  if (top.size() < 2 || !std::ranges::all_of(top, is_ascii_letter)) return std::nullopt;
  return Range{at, end};
}

}  // namespace

std::span<const Rule> phrase_rules() {
  using enum SecretSeverity;
  using namespace sign;  // NOLINT(google-build-using-namespace): words of the table
  static constexpr std::array<Rule, 7> kRules = {
      {{"BEARER_TOKEN", kHigh, bearer, kLongToken, {"bearer"}},
       {"PASSWORD_ASSIGNMENT",
        kHigh,
        password,
        kAssignment,
        {"passw", "pwd"},
        Forgive::kPlaceholders,
        true},
       {"GENERIC_API_KEY",
        kHigh,
        api_key,
        kAssignment | kDigit,
        {"api", "secret", "access_token"},
        Forgive::kPlaceholders,
        true},
       {"URL_CREDENTIALS", kHigh, url_credentials, kAssignment | kAt, {"://"}},
       {"HEX_SECRET", kMedium, hex_secret, kLongToken, kSecretWords},
       {"BASE64_SECRET", kMedium, base64_secret, kLongToken, kSecretWords},
       {"EMAIL", kMedium, mail_address, kAt, {}, Forgive::kExamples, true}}};
  return kRules;
}

}  // namespace holdfast::text::secret_rules
