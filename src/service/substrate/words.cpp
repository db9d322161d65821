#include "service/substrate/words.h"

#include <algorithm>

#include <fmt/format.h>
#include <utf8proc.h>

#include "base/ascii.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "model/json_text.h"
#include "text/characters.h"

namespace holdfast::service::substrate {
namespace {

constexpr size_t kDateSize = 10;         // 2025-01-15
constexpr size_t kBasicDateSize = 8;     // 20250115
constexpr size_t kLeastSecondsSize = 6;  // 103000: only seconds have fractions

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Digits in pairs with colons between them; anything else as it is.
std::string with_colons(std::string_view text) {
  std::string out(text);
  if (!all_digits(text)) return out;
  for (size_t at = 2; at < out.size(); at += 3) out.insert(at, ":");
  return out;
}

// hh[:mm[:ss]] → hh:mm:ss, also without colons.
std::string full_clock(std::string_view text) {
  std::string clock = with_colons(text);
  while (clock.size() == 2 || clock.size() == 5) clock += ":00";
  return clock;
}

// Z, ±hh, ±hhmm, ±hh:mm or nothing → Z or ±hh:mm
std::string full_offset(std::string_view text) {
  if (text.empty() || text == "z") return "Z";
  std::string offset = text.front() + with_colons(text.substr(1));
  if (offset.size() == 3) offset += ":00";
  return offset;
}

void append_sorted(std::string& out, const Value& value) {
  const auto* const elements = value.if_array();
  const auto* const members = value.if_object();
  if (elements == nullptr && members == nullptr) return append_json(out, value);
  out += elements != nullptr ? '[' : '{';
  const size_t begin = out.size();
  const auto separate = [&] {
    if (out.size() > begin) out += ',';
  };
  if (elements != nullptr) {
    for (const Value& element : *elements) {
      separate();
      append_sorted(out, element);
    }
  } else {
    std::vector<const Value::Member*> sorted;
    sorted.reserve(members->size());
    for (const Value::Member& member : *members) sorted.push_back(&member);
    std::ranges::sort(sorted, {}, &Value::Member::name);
    for (const Value::Member* member : sorted) {
      separate();
      append_json_string(out, member->name);
      out += ':';
      append_sorted(out, member->value);
    }
  }
  out += elements != nullptr ? ']' : '}';
}

}  // namespace

std::string time_text(Timestamp at) {
  std::string text = format_micros(at);
  text.pop_back();  // Z
  return text + "+00:00";
}

std::optional<Timestamp> read_time(std::string_view given) {
  if (const auto at = parse_time(given)) return at;  // as times are stored
  std::string date(given.substr(0, kDateSize));
  if (all_digits(given.substr(0, kBasicDateSize)) && given.size() >= kBasicDateSize) {
    date = fmt::format("{}-{}-{}", given.substr(0, 4), given.substr(4, 2), given.substr(6, 2));
    given.remove_prefix(kBasicDateSize);
  } else {
    given.remove_prefix(date.size());
  }
  if (given.empty()) return parse_time(date);
  if (std::string_view("Tt ").find(given.front()) == std::string_view::npos) return std::nullopt;
  given.remove_prefix(1);
  const std::string_view time = given.substr(0, given.find_first_of("Zz+-"));
  const std::string_view clock = time.substr(0, time.find_first_of(".,"));
  std::string fraction(time.substr(clock.size()));
  if (!fraction.empty() && clock.size() < kLeastSecondsSize) return std::nullopt;
  if (!fraction.empty()) fraction.front() = '.';
  return parse_time(date + "T" + full_clock(clock) + fraction +
                    full_offset(given.substr(time.size())));
}

Result<Timestamp> require_time(std::string_view text) {
  if (const auto at = read_time(text)) return *at;
  return invalid_argument(fmt::format("Invalid isoformat string: '{}'", text));
}

std::string slug(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (!is_ascii_alnum(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += '-';
    gap = false;
    out += ascii_lower(c);
  }
  return out.empty() ? "item" : out;
}

std::string clip(std::string_view text, size_t limit) {
  constexpr std::string_view kDots = "...";
  if (text.size() <= limit || count_code_points(text) <= limit) return std::string(text);
  std::string_view kept = prefix_code_points(text, limit > kDots.size() ? limit - kDots.size() : 0);
  while (!kept.empty() && trim_space(kept).size() != kept.size()) {
    const std::string_view trimmed = trim_space(kept);
    // Only the right end is trimmed: white space at the left belongs to the text.
    const size_t left = static_cast<size_t>(trimmed.data() - kept.data());
    if (left + trimmed.size() == kept.size()) break;
    kept = kept.substr(0, trimmed.empty() ? 0 : left + trimmed.size());
  }
  return std::string(kept) + std::string(kDots);
}

std::string squeeze(std::string_view text) {
  std::string out;
  std::string_view rest = trim_space(text);
  while (!rest.empty()) {
    const std::string_view one = prefix_code_points(rest, 1);
    if (trim_space(one).empty()) {
      out += ' ';
      rest = rest.substr(one.size());
      const std::string_view trimmed = trim_space(rest);
      rest = rest.substr(static_cast<size_t>(trimmed.data() - rest.data()));
    } else {
      out += one;
      rest = rest.substr(one.size());
    }
  }
  return out;
}

std::string lowered(std::string text) {
  if (!is_ascii(text)) return lower(text);
  lower_ascii(text);
  return text;
}

std::string lower(std::string_view text) {
  if (is_ascii(text)) return lowered(std::string(text));
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      out += ascii_lower(text[at++]);
      continue;
    }
    utf8proc_int32_t point = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(&text[at]),
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (size <= 0) {
      out += text[at++];
      continue;
    }
    utf8proc_uint8_t bytes[4];
    const auto written = utf8proc_encode_char(utf8proc_tolower(point), bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(written));
    at += static_cast<size_t>(size);
  }
  return out;
}

std::vector<int32_t> code_points(std::string_view text) {
  std::vector<int32_t> points;
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t point = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(&text[at]),
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    points.push_back(size > 0 ? point : 0xfffd);
    at += size > 0 ? static_cast<size_t>(size) : 1;
  }
  return points;
}

std::string text_of(const std::vector<int32_t>& points, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) {
    utf8proc_uint8_t bytes[4];
    const auto written = utf8proc_encode_char(points[i], bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(written));
  }
  return out;
}

bool is_word_point(int32_t point) {
  if (point < 0x80) return point == '_' || is_ascii_alnum(static_cast<char>(point));
  return text::class_of(point) != text::CharClass::kOther;
}

bool is_ideograph(int32_t point) {
  return (point >= 0x3400 && point <= 0x4dbf) || (point >= 0x4e00 && point <= 0x9fff) ||
         (point >= 0xf900 && point <= 0xfaff) || (point >= 0x20000 && point <= 0x3ffff);
}

std::vector<std::string> word_runs(std::string_view text, std::string_view extra) {
  std::vector<std::string> runs;
  size_t begin = std::string_view::npos;  // of the run under way
  for (size_t at = 0; at <= text.size();) {
    size_t size = 1;
    bool belongs = false;
    if (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
      belongs = is_ascii_alnum(text[at]) || text[at] == '_' ||
                extra.find(text[at]) != std::string_view::npos;
    } else if (at < text.size()) {
      utf8proc_int32_t point = 0;
      const auto used = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(&text[at]),
                                         static_cast<utf8proc_ssize_t>(text.size() - at), &point);
      if (used > 0) size = static_cast<size_t>(used);
      belongs = used > 0 && is_word_point(point);
    }
    if (belongs && begin == std::string_view::npos) begin = at;
    if (!belongs && begin != std::string_view::npos) {
      runs.emplace_back(text.substr(begin, at - begin));
      begin = std::string_view::npos;
    }
    at += size;
  }
  return runs;
}

bool is_blank(std::string_view text) { return trim_space(text).empty(); }

std::string sorted_json(const Value& value) {
  std::string out;
  append_sorted(out, value);
  return out;
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool intersects(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) { return contains(b, one); });
}

bool scopes_overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return a.empty() || b.empty() || intersects(a, b);
}

void add_once(std::vector<std::string>& list, std::string_view text) {
  if (!contains(list, text)) list.emplace_back(text);
}

}  // namespace holdfast::service::substrate
