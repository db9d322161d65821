#include "model/json_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

namespace holdfast {
namespace {

namespace json = boost::json;

// Builds a Value from the events of Boost.JSON's parser. Boost's own DOM is not used because it
// silently merges duplicate members and reads some doubles one unit off. What belongs to containers
// that are still open lies on two stacks, and goes into a container of the right size at its end.
class ValueBuilder {
 public:
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);

  explicit ValueBuilder(const JsonLimits& limits) : limits_(limits) {}

  Value take() { return std::move(root_); }
  const std::string& problem_reason() const { return reason_; }
  const std::string& problem_text() const { return text_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& ec) {
    if (members_.capacity() == 0) members_.reserve(kSearchedMembers);
    return open(true, members_.size(), ec);
  }
  bool on_array_begin(json::error_code& ec) { return open(false, elements_.size(), ec); }
  bool on_object_end(std::size_t, json::error_code&) { return close(members_); }
  bool on_array_end(std::size_t, json::error_code&) { return close(elements_); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    partial_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code& ec) {
    std::string name = whole(part);
    Frame& frame = frames_.back();
    frame.member = find_member(frame, name);
    if (frame.member == members_.size()) {
      members_.push_back({std::move(name), Value()});
    } else if (!limits_.allow_duplicates) {
      return fail(json_reason::kDuplicate,
                  fmt::format("the member '{}' appears twice in one object", name), ec);
    }
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    partial_.append(part.data(), part.size());
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    return add(Value(whole(part)));
  }
  bool on_number_part(json::string_view part, json::error_code&) {
    partial_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) {
    return number_done(Value(number));
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code&) {
    return number_done(Value(number));
  }
  bool on_double(double number, json::string_view part, json::error_code& ec) {
    partial_.append(part.data(), part.size());
    const auto [end, error] =
        std::from_chars(partial_.data(), partial_.data() + partial_.size(), number);
    if (error != std::errc() && !std::isfinite(number))
      return fail(json_reason::kSyntax, "a number is too large", ec);
    if (error == std::errc::result_out_of_range) {
      // Too small for a double reads as zero; too large is refused.
      if (std::abs(number) > 1) return fail(json_reason::kSyntax, "a number is too large", ec);
      number = 0;
    }
    static_cast<void>(end);
    if (!std::isfinite(number)) return fail(json_reason::kSyntax, "a number is too large", ec);
    return number_done(Value(number));
  }
  bool on_bool(bool value, json::error_code&) { return add(Value(value)); }
  bool on_null(json::error_code&) { return add(Value()); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  struct Frame {
    bool is_object = false;
    size_t first = 0;   // of its members or elements on their stack
    size_t member = 0;  // that the next value is for
    // Filled only for large objects; small ones are searched.
    std::unique_ptr<std::unordered_set<std::string>> names = {};
  };
  static constexpr size_t kSearchedMembers = 32;

  // The text of which `part` is the end.
  std::string whole(json::string_view part) {
    if (partial_.empty()) return {part.data(), part.size()};
    partial_.append(part.data(), part.size());
    return std::exchange(partial_, {});
  }

  // The number of members if there is none of that name yet.
  size_t find_member(Frame& frame, const std::string& name) const {
    const size_t count = members_.size();
    if (count - frame.first >= kSearchedMembers) {
      if (!frame.names) {
        frame.names = std::make_unique<std::unordered_set<std::string>>();
        for (size_t i = frame.first; i < count; ++i) frame.names->insert(members_[i].name);
      }
      if (frame.names->insert(name).second) return count;
    }
    size_t at = frame.first;
    while (at < count && members_[at].name != name) ++at;
    return at;
  }

  bool fail(std::string_view reason, std::string text, json::error_code& ec) {
    reason_ = reason;
    text_ = std::move(text);
    ec = json::error::syntax;
    return false;
  }

  bool number_done(Value number) {
    partial_.clear();
    return add(std::move(number));
  }

  bool open(bool is_object, size_t first, json::error_code& ec) {
    if (frames_.size() >= limits_.max_depth) {
      return fail(json_reason::kDepth,
                  fmt::format("nested deeper than {} levels", limits_.max_depth), ec);
    }
    frames_.push_back(Frame{.is_object = is_object, .first = first});
    return true;
  }

  // `stack` has what the innermost container is made of.
  template <typename T>
  bool close(std::vector<T>& stack) {
    const auto first = stack.begin() + static_cast<std::ptrdiff_t>(frames_.back().first);
    std::vector<T> own(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
    stack.erase(first, stack.end());
    frames_.pop_back();
    return add(Value(std::move(own)));
  }

  bool add(Value&& value) {
    if (frames_.empty()) {
      root_ = std::move(value);
    } else if (frames_.back().is_object) {
      members_[frames_.back().member].value = std::move(value);
    } else {
      elements_.push_back(std::move(value));
    }
    return true;
  }

  const JsonLimits limits_;
  std::vector<Frame> frames_;  // of the containers that are open
  Value::Object members_;
  Value::Array elements_;
  std::string partial_;  // what is known of a key, text or number
  std::string reason_;
  std::string text_;
  Value root_;
};

Error json_error(std::string_view reason, std::string_view what, size_t offset) {
  Error error = invalid_argument(
      fmt::format("The text is not acceptable JSON: {} (at byte {}).", what, offset));
  error.reason = reason;
  return error;
}

bool is_utf8_problem(const json::error_code& ec) {
  return ec == json::error::syntax ? false : ec.message().find("UTF-8") != std::string::npos;
}

constexpr uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

// Bytes that JSON escapes, as the high bits of their places; exact up to the first of them.
constexpr uint64_t escaped_bytes(uint64_t eight) {
  const auto zeros = [](uint64_t bytes) { return (bytes - every_byte(1)) & ~bytes; };
  const uint64_t control = (eight - every_byte(0x20)) & ~eight;
  return (control | zeros(eight ^ every_byte('"')) | zeros(eight ^ every_byte('\\'))) &
         every_byte(0x80);
}

// The place of the next byte that JSON escapes, or the end.
size_t next_escaped(std::string_view text, size_t from) {
  static_assert(std::endian::native == std::endian::little);
  for (; from + sizeof(uint64_t) <= text.size(); from += sizeof(uint64_t)) {
    uint64_t eight = 0;
    std::memcpy(&eight, text.data() + from, sizeof eight);
    const uint64_t found = escaped_bytes(eight);
    if (found != 0) return from + static_cast<size_t>(std::countr_zero(found)) / 8;
  }
  for (; from < text.size(); ++from) {
    const auto c = static_cast<unsigned char>(text[from]);
    if (c < 0x20 || c == '"' || c == '\\') break;
  }
  return from;
}

template <typename Integer>
void append_integer(std::string& out, Integer number) {
  char digits[24];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

void append_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

void append(std::string& out, const Value& value, bool canonical);

void append_member(std::string& out, const Value::Member& member, bool canonical) {
  append_json_string(out, member.name);
  out += ':';
  append(out, member.value, canonical);
}

void append_sorted(std::string& out, const Value::Object& object) {
  std::vector<const Value::Member*> members;
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, [](const auto* x, const auto* y) { return x->name < y->name; });
  for (size_t n = 0; n < members.size(); ++n) {
    if (n > 0) out += ',';
    append_member(out, *members[n], true);
  }
}

// Sorted and compact where `canonical`.
void append(std::string& out, const Value& value, bool canonical) {
  if (value.is_null()) {
    out += "null";
  } else if (const auto* b = value.if_bool()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = value.if_int()) {
    append_integer(out, *i);
  } else if (const auto* u = value.if_uint()) {
    append_integer(out, *u);
  } else if (const auto* d = value.if_double()) {
    if (canonical && std::abs(*d) < 9e15 && *d == std::trunc(*d)) {
      append_integer(out, static_cast<int64_t>(*d));
    } else {
      append_double(out, *d);
    }
  } else if (const auto* s = value.if_string()) {
    append_json_string(out, *s);
  } else if (const auto* array = value.if_array()) {
    out += '[';
    for (size_t n = 0; n < array->size(); ++n) {
      if (n > 0) out += ',';
      append(out, (*array)[n], canonical);
    }
    out += ']';
  } else {
    const Value::Object& members = *value.if_object();
    out += '{';
    if (canonical) {
      append_sorted(out, members);
    } else {
      for (size_t n = 0; n < members.size(); ++n) {
        if (n > 0) out += ',';
        append_member(out, members[n], false);
      }
    }
    out += '}';
  }
}

void append_pretty(std::string& out, const Value& value, size_t indent) {
  const size_t inner = indent + 2;
  if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
    out += "[\n";
    for (size_t n = 0; n < array->size(); ++n) {
      out.append(inner, ' ');
      append_pretty(out, (*array)[n], inner);
      out += n + 1 < array->size() ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += ']';
  } else if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
    out += "{\n";
    for (size_t n = 0; n < object->size(); ++n) {
      out.append(inner, ' ');
      append_json_string(out, (*object)[n].name);
      out += ": ";
      append_pretty(out, (*object)[n].value, inner);
      out += n + 1 < object->size() ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += '}';
  } else {
    append(out, value, false);
  }
}

}  // namespace

Result<Value> parse_json(std::string_view text, const JsonLimits& limits) {
  json::parse_options options;
  options.max_depth = limits.max_depth + 1;  // ours speaks first, with its own words
  json::basic_parser<ValueBuilder> parser(options, limits);
  json::error_code ec;
  const size_t used = parser.write_some(false, text.data(), text.size(), ec);
  const ValueBuilder& handler = parser.handler();
  if (!handler.problem_reason().empty())
    return json_error(handler.problem_reason(), handler.problem_text(), used);
  if (ec) {
    return json_error(is_utf8_problem(ec) ? json_reason::kUtf8 : json_reason::kSyntax, ec.message(),
                      used);
  }
  if (used < text.size())
    return json_error(json_reason::kSyntax, "something follows the value", used);
  return parser.handler().take();
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  size_t plain = 0;
  for (size_t i = next_escaped(text, 0); i < text.size(); i = next_escaped(text, i + 1)) {
    const auto c = static_cast<unsigned char>(text[i]);
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_json(std::string& out, const Value& value) { append(out, value, false); }

std::string to_json(const Value& value) {
  std::string out;
  append(out, value, false);
  return out;
}

std::string to_canonical_json(const Value& value) {
  std::string out;
  append(out, value, true);
  return out;
}

std::string to_pretty_json(const Value& value) {
  std::string out;
  append_pretty(out, value, 0);
  return out;
}

}  // namespace holdfast
