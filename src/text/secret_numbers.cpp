// Numbers of people and accounts, known by their form and check digits.
#include <algorithm>
#include <array>
#include <string>

#include "text/secret_rules.h"

namespace holdfast::text::secret_rules {
namespace {

int number_at(std::string_view text, size_t at, size_t digits) {
  int number = 0;
  for (size_t i = 0; i < digits; ++i) number = number * 10 + (text[at + i] - '0');
  return number;
}

// 3-2-4 digits; some were never given out.
std::optional<Range> us_ssn(std::string_view text, size_t at) {
  static constexpr std::string_view kForm = "ddd-dd-dddd";
  if (text.size() - at < kForm.size() || !edge_before(text, at)) return std::nullopt;
  for (size_t i = 0; i < kForm.size(); ++i) {
    const bool fits = kForm[i] == 'd' ? is_digit(text[at + i]) : text[at + i] == '-';
    if (!fits) return std::nullopt;
  }
  if (!edge_after(text, at + kForm.size())) return std::nullopt;
  const int area = number_at(text, at, 3);
  const bool given = area != 0 && area != 666 && area < 900 && number_at(text, at + 4, 2) != 0 &&
                     number_at(text, at + 7, 4) != 0;
  if (!given) return std::nullopt;
  return Range{at, at + kForm.size()};
}

// ISO 7064: the country and check digits go to the end, letters count 10 to 35, and the whole
// leaves 1 when divided by 97.
bool is_iban(std::string_view compact) {
  int rest = 0;
  for (size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[(i + 4) % compact.size()];
    rest = is_digit(c) ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  return rest == 1;
}

std::optional<Range> iban(std::string_view text, size_t at) {
  static constexpr size_t kLeast = 15;
  static constexpr size_t kMost = 34;
  if (text.size() - at < kLeast || !edge_before(text, at)) return std::nullopt;
  if (!is_upper(text[at]) || !is_upper(text[at + 1]) || !is_digit(text[at + 2]) ||
      !is_digit(text[at + 3]))
    return std::nullopt;
  std::string compact;
  std::optional<Range> longest;
  for (size_t here = at; here < text.size(); ++here) {
    const bool group_end = !compact.empty() && compact.size() % 4 == 0;
    if (text[here] == ' ' && group_end && text[here - 1] != ' ') continue;
    if ((!is_upper(text[here]) && !is_digit(text[here])) || compact.size() == kMost) break;
    compact += text[here];
    const bool goes_on =
        here + 1 < text.size() && (is_upper(text[here + 1]) || is_digit(text[here + 1]));
    if (compact.size() >= kLeast && !goes_on && is_iban(compact)) longest = Range{at, here + 1};
  }
  return longest;
}

struct CardRange {
  int first = 0;  // leading digits, as many as `digits`
  int last = 0;
  size_t digits = 0;
  size_t shortest = 0;
  size_t longest = 0;
};
// 4 has three lengths and stands apart.
constexpr std::array<CardRange, 11> kCards = {{{51, 55, 2, 16, 16},
                                               {2221, 2720, 4, 16, 16},
                                               {34, 34, 2, 15, 15},
                                               {37, 37, 2, 15, 15},
                                               {6011, 6011, 4, 16, 19},
                                               {644, 649, 3, 16, 19},
                                               {65, 65, 2, 16, 19},
                                               {3528, 3589, 4, 16, 19},
                                               {300, 305, 3, 14, 19},
                                               {36, 36, 2, 14, 19},
                                               {38, 39, 2, 14, 19}}};
constexpr size_t kShortestCard = 13;
constexpr size_t kLongestCard = 19;

bool has_card_form(std::string_view digits) {
  const size_t size = digits.size();
  if (digits.front() == '4') return size == 13 || size == 16 || size == 19;
  return std::ranges::any_of(kCards, [&](const CardRange& card) {
    const int leading = number_at(digits, 0, card.digits);
    return leading >= card.first && leading <= card.last && size >= card.shortest &&
           size <= card.longest;
  });
}

bool has_luhn_checksum(std::string_view digits) {
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

// Groups of digits joined by one kind of separator, as long as it goes.
std::vector<Range> groups_at(std::string_view text, size_t at) {
  std::vector<Range> groups;
  char separator = 0;
  while (true) {
    groups.push_back({at, run_of(text, at, is_digit)});
    const size_t end = groups.back().end;
    const bool joined = end + 1 < text.size() && (text[end] == ' ' || text[end] == '-') &&
                        is_digit(text[end + 1]) && (separator == 0 || separator == text[end]);
    if (!joined) return groups;
    separator = text[end];
    at = end + 1;
  }
}

bool is_part_of_more(std::string_view text, size_t begin, size_t end) {
  const auto continues = [](char c) { return is_ascii_letter(c) || c == '_'; };
  const auto fraction = [](char c) { return c == '.' || c == ','; };
  if (begin > 0 && continues(text[begin - 1])) return true;
  if (end < text.size() && continues(text[end])) return true;
  if (begin > 1 && fraction(text[begin - 1]) && is_digit(text[begin - 2])) return true;
  return end + 1 < text.size() && fraction(text[end]) && is_digit(text[end + 1]);
}

void find_in_groups(std::string_view text, const std::vector<Range>& groups,
                    std::vector<Range>& cards) {
  for (size_t first = 0; first < groups.size(); ++first) {
    std::string digits;
    for (size_t last = first; last < groups.size(); ++last) {
      const size_t size = groups[last].end - groups[last].begin;
      if (digits.size() + size > kLongestCard) break;
      digits += text.substr(groups[last].begin, size);
      const bool single = first == last;
      const bool grouped = size >= 2 && size <= 8;
      if (!single && !grouped) break;
      if (digits.size() >= kShortestCard && has_card_form(digits) && has_luhn_checksum(digits)) {
        cards.push_back({groups[first].begin, groups[last].end});
        first = last;
        break;
      }
      if (!grouped) break;
    }
  }
}

}  // namespace

std::span<const Rule> number_rules() {
  using enum SecretSeverity;
  static constexpr std::array<Rule, 2> kRules = {{{.code = "US_SSN",
                                                   .severity = kHigh,
                                                   .find = us_ssn,
                                                   .needs = sign::kDash | sign::kDigit,
                                                   .begins = sign::kDigit},
                                                  {.code = "IBAN",
                                                   .severity = kHigh,
                                                   .find = iban,
                                                   .needs = sign::kCapital | sign::kDigit,
                                                   .begins = sign::kCapital}}};
  return kRules;
}

std::vector<Range> find_payment_cards(std::string_view text) {
  std::vector<Range> cards;
  if (static_cast<size_t>(std::ranges::count_if(text, is_digit)) < kShortestCard) return cards;
  for (size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const std::vector<Range> groups = groups_at(text, at);
    const size_t end = groups.back().end;
    if (!is_part_of_more(text, at, end)) find_in_groups(text, groups, cards);
    // Where another separator goes on, its sequence begins with the last group of this one.
    const bool other = groups.size() > 1 && end + 1 < text.size() &&
                       (text[end] == ' ' || text[end] == '-') && is_digit(text[end + 1]);
    at = other ? groups.back().begin : end;
  }
  return cards;
}

}  // namespace holdfast::text::secret_rules
