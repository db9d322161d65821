#include "model/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

namespace holdfast {
namespace {

namespace json = boost::json;

// Builds a Value from the events of Boost.JSON's parser. Boost's own DOM is not used because it
// silently merges duplicate members and reads some doubles one unit off.
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
  bool on_object_begin(json::error_code& ec) { return open(Value(Value::Object{}), ec); }
  bool on_array_begin(json::error_code& ec) { return open(Value(Value::Array{}), ec); }
  bool on_object_end(std::size_t, json::error_code&) { return close(); }
  bool on_array_end(std::size_t, json::error_code&) { return close(); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    partial_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code& ec) {
    partial_.append(part.data(), part.size());
    Frame& frame = frames_.back();
    frame.key = std::move(partial_);
    partial_.clear();
    frame.duplicate = !note_key(frame);
    if (frame.duplicate && !limits_.allow_duplicates) {
      return fail(json_reason::kDuplicate,
                  fmt::format("the member '{}' appears twice in one object", frame.key), ec);
    }
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    partial_.append(part.data(), part.size());
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    partial_.append(part.data(), part.size());
    add(Value(std::move(partial_)));
    partial_.clear();
    return true;
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
    Value value;
    std::string key = {};
    bool duplicate = false;
    // Filled only for large objects; small ones are searched.
    std::unordered_set<std::string> seen = {};
  };
  static constexpr size_t kSearchedMembers = 16;

  // False if the key is already a member.
  static bool note_key(Frame& frame) {
    const auto& members = *frame.value.if_object();
    if (members.size() < kSearchedMembers) return frame.value.find(frame.key) == nullptr;
    if (frame.seen.empty()) {
      for (const auto& member : members) frame.seen.insert(member.name);
    }
    return frame.seen.insert(frame.key).second;
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

  bool open(Value container, json::error_code& ec) {
    if (frames_.size() >= limits_.max_depth) {
      return fail(json_reason::kDepth,
                  fmt::format("nested deeper than {} levels", limits_.max_depth), ec);
    }
    frames_.push_back(Frame{.value = std::move(container)});
    return true;
  }

  bool close() {
    Value done = std::move(frames_.back().value);
    frames_.pop_back();
    return add(std::move(done));
  }

  bool add(Value value) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Frame& frame = frames_.back();
    if (frame.value.is_array()) {
      frame.value.push(std::move(value));
    } else if (frame.duplicate) {
      frame.value.set(frame.key, std::move(value));
    } else {
      frame.value.if_object()->push_back({std::move(frame.key), std::move(value)});
    }
    return true;
  }

  const JsonLimits limits_;
  std::vector<Frame> frames_;
  std::string partial_;
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

void append_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const size_t start = out.size();
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (out.find_first_of(".e", start) == std::string::npos) out += ".0";
}

// Sorted and compact where `canonical`.
void append(std::string& out, const Value& value, bool canonical) {
  if (value.is_null()) {
    out += "null";
  } else if (const auto* b = value.if_bool()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = value.if_int()) {
    fmt::format_to(std::back_inserter(out), "{}", *i);
  } else if (const auto* u = value.if_uint()) {
    fmt::format_to(std::back_inserter(out), "{}", *u);
  } else if (const auto* d = value.if_double()) {
    if (canonical && std::abs(*d) < 9e15 && *d == std::trunc(*d)) {
      fmt::format_to(std::back_inserter(out), "{}", static_cast<int64_t>(*d));
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
    std::vector<const Value::Member*> members;
    for (const auto& member : *value.if_object()) members.push_back(&member);
    if (canonical) {
      std::ranges::sort(members, [](const auto* x, const auto* y) { return x->name < y->name; });
    }
    out += '{';
    for (size_t n = 0; n < members.size(); ++n) {
      if (n > 0) out += ',';
      append_json_string(out, members[n]->name);
      out += ':';
      append(out, members[n]->value, canonical);
    }
    out += '}';
  }
}

void append_pretty(std::string& out, const Value& value, size_t indent) {
  const std::string pad(indent + 2, ' ');
  if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
    out += "[\n";
    for (size_t n = 0; n < array->size(); ++n) {
      out += pad;
      append_pretty(out, (*array)[n], indent + 2);
      out += n + 1 < array->size() ? ",\n" : "\n";
    }
    out.append(indent, ' ');
    out += ']';
  } else if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
    out += "{\n";
    for (size_t n = 0; n < object->size(); ++n) {
      out += pad;
      append_json_string(out, (*object)[n].name);
      out += ": ";
      append_pretty(out, (*object)[n].value, indent + 2);
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
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
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
