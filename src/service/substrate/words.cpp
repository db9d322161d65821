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

constexpr size_t kDateSize = 10;  // 2025-01-15

bool is_ascii_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool has_offset(std::string_view time) {
  return time.find_first_of("Zz+-") != std::string_view::npos;
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
  std::string text(given);
  if (text.size() <= kDateSize) return parse_time(text);
  if (text[kDateSize] == ' ' || text[kDateSize] == 't') text[kDateSize] = 'T';
  const std::string_view time = std::string_view(text).substr(kDateSize + 1);
  const size_t clock_size = std::min(time.find_first_of("Zz+-"), time.size());
  if (clock_size == 5) text.insert(kDateSize + 1 + clock_size, ":00");
  if (!has_offset(std::string_view(text).substr(kDateSize + 1))) text += 'Z';
  if (text.back() == 'z') text.back() = 'Z';
  return parse_time(text);
}

Result<Timestamp> require_time(std::string_view text) {
  if (const auto at = read_time(text)) return *at;
  return invalid_argument(fmt::format("Invalid isoformat string: '{}'", text));
}

std::string slug(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (!is_ascii_word(c)) {
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

std::string lower(std::string_view text) {
  std::string out;
  if (is_ascii(text)) {
    out = text;
    lower_ascii(out);
    return out;
  }
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
  if (point < 0x80) return point == '_' || is_ascii_word(static_cast<char>(point));
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
      belongs = is_ascii_word(text[at]) || text[at] == '_' ||
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
