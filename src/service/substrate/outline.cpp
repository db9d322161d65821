#include "service/substrate/outline.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "model/json_text.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using outline_detail::end_of_value;

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kEvidence = "evidence_refs";
constexpr size_t kUsualMembers = 24;
constexpr size_t kMostDigits = 18;  // that surely fit into an integer

bool has_escapes(std::string_view text) { return text.find('\\') != kNone; }

bool is_of_a_bare_value(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
         c == 'E';
}

// Of the text that begins at `at` with a quote.
size_t end_of_text(std::string_view text, size_t at) {
  for (size_t end = at + 1;; ++end) {
    end = text.find('"', end);
    if (end == kNone) return kNone;
    size_t escapes = 0;
    while (text[end - 1 - escapes] == '\\') ++escapes;
    if (escapes % 2 == 0) return end + 1;
  }
}

size_t end_of_container(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_text(text, at);
      if (at == kNone) return kNone;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    ++at;
  }
  return kNone;
}

// Calls use(begin) for what stands between commas in a container, elements or members, which
// returns where that ends, or npos. False if it is not written as containers are.
template <typename Use>
bool each_piece(std::string_view container, Use&& use) {
  const char close = container.front() == '{' ? '}' : ']';
  size_t at = 1;
  if (at < container.size() && container[at] == close) return at + 1 == container.size();
  while (at < container.size()) {
    const size_t end = use(at);
    if (end == kNone || end >= container.size()) return false;
    if (container[end] == close) return end + 1 == container.size();
    if (container[end] != ',') return false;
    at = end + 1;
  }
  return false;
}

// Calls use(name, value) for each member, until it returns false.
template <typename Use>
bool each_member(std::string_view object, Use&& use) {
  return each_piece(object, [&](size_t at) {
    const size_t colon = object[at] == '"' ? end_of_text(object, at) : kNone;
    if (colon == kNone || colon >= object.size() || object[colon] != ':') return kNone;
    const size_t end = end_of_value(object, colon + 1);
    if (end == kNone) return kNone;
    const std::string_view name = object.substr(at + 1, colon - at - 2);
    const std::string_view value = object.substr(colon + 1, end - colon - 1);
    return !has_escapes(name) && use(name, value) ? end : kNone;
  });
}

// An integer as this program writes it.
bool is_plain_integer(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= kMostDigits && text.front() != '0' &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool append_sorted(std::string& out, std::string_view value);

bool append_sorted_object(std::string& out, std::string_view object) {
  std::vector<std::pair<std::string_view, std::string_view>> members;
  const bool read = each_member(object, [&](std::string_view name, std::string_view value) {
    members.emplace_back(name, value);
    return true;
  });
  if (!read) return false;
  std::ranges::sort(members, {}, [](const auto& member) { return member.first; });
  out += '{';
  bool first = true;
  for (const auto& [name, value] : members) {
    if (!std::exchange(first, false)) out += ',';
    out.append("\"").append(name).append("\":");
    if (!append_sorted(out, value)) return false;
  }
  out += '}';
  return true;
}

// As sorted_json writes what the text says. False if that needs more than its pieces.
bool append_sorted(std::string& out, std::string_view value) {
  if (value.starts_with('{')) return append_sorted_object(out, value);
  if (value.starts_with('[')) {
    bool first = true;
    out += '[';
    const bool read = each_piece(value, [&](size_t at) {
      if (!std::exchange(first, false)) out += ',';
      const size_t end = end_of_value(value, at);
      return end != kNone && append_sorted(out, value.substr(at, end - at)) ? end : kNone;
    });
    out += ']';
    return read;
  }
  const bool as_it_is = value.starts_with('"') ? !has_escapes(value)
                                               : value == "null" || value == "true" ||
                                                     value == "false" || is_plain_integer(value);
  if (as_it_is) out += value;
  return as_it_is;
}

}  // namespace

size_t outline_detail::end_of_value(std::string_view text, size_t at) {
  if (at >= text.size()) return kNone;
  if (text[at] == '"') return end_of_text(text, at);
  if (text[at] == '{' || text[at] == '[') return end_of_container(text, at);
  size_t end = at;  // of a number, or null, true, false
  while (end < text.size() && is_of_a_bare_value(text[end])) ++end;
  return end == at ? kNone : end;
}

std::optional<Outline> Outline::of(ObjectType type, std::string_view body) {
  Outline outline(type);
  const bool is_read =
      type != ObjectType::kSource && (is_ascii(body) || is_valid_utf8(body)) && outline.read(body);
  return is_read ? std::optional(std::move(outline)) : std::nullopt;
}

bool Outline::read(std::string_view body) {
  if (!body.starts_with('{')) return false;
  members_.reserve(kUsualMembers);
  return each_member(
      body, [this](std::string_view name, std::string_view value) { return add(name, value); });
}

bool Outline::add(std::string_view name, std::string_view value) {
  if (name == "segments") return value == "[]" || value == "null";
  if (value.starts_with('"') && has_escapes(value)) {
    const auto plain = parse_json(value);
    if (!plain || !plain->is_string()) return false;
    value = made_.emplace_back("\"" + *plain->if_string() + "\"");
  }
  // Lists of texts are used as they are written.
  if (value.starts_with('[') && name != kEvidence) {
    const auto any = [&](size_t at) { return end_of_value(value, at); };
    if (has_escapes(value) || !each_piece(value, any)) return false;
  }
  members_.push_back({name, value});
  names_ |= bit_of(name);
  return true;
}

uint64_t Outline::bit_of(std::string_view name) {
  const size_t letter = name.empty() ? 0 : static_cast<unsigned char>(name.front());
  return uint64_t{1} << ((letter + 5 * name.size()) % 64);
}

std::string_view Outline::find(std::string_view name) const {
  if ((names_ & bit_of(name)) == 0) return {};
  for (const Member& member : members_) {
    if (member.name == name) return member.value;
  }
  return {};
}

std::string_view Outline::text(std::string_view name) const {
  const std::string_view value = find(name);
  return value.starts_with('"') ? value.substr(1, value.size() - 2) : std::string_view();
}

std::vector<DocumentView::Evidence> Outline::evidence() const {
  const std::string_view value = find(kEvidence);
  if (!value.starts_with('[') || value == "[]") return {};
  auto refs = parse_json(value);
  if (!refs) return {};
  const Value json = Value::object({{kEvidence, std::move(*refs)}});
  return DocumentView(type_, json).evidence();
}

std::string Outline::payload() const {
  const std::string_view value = find("payload");
  if (!value.starts_with('{') || value == "{}") return {};
  std::string out;
  out.reserve(value.size());
  if (append_sorted(out, value)) return out;
  const auto json = parse_json(value);
  return json ? sorted_json(*json) : std::string(value);
}

}  // namespace holdfast::service::substrate
