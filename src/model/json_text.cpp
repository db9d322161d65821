#include "model/json_text.h"

#include <charconv>
#include <cmath>
#include <memory>
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

  explicit ValueBuilder(const JsonLimits& limits) : limits_(limits) {
    frames_.reserve(kUsualDepth);
  }

  Value take() { return std::move(root_); }
  const std::string& problem_reason() const { return reason_; }
  const std::string& problem_text() const { return text_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& ec) {
    Value::Object members;
    members.reserve(kUsualMembers);
    return open(Value(std::move(members)), ec);
  }
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
    // Only for large objects; small ones are searched.
    std::unique_ptr<std::unordered_set<std::string>> seen = {};
  };
  static constexpr size_t kSearchedMembers = 16;
  static constexpr size_t kUsualMembers = 8;
  static constexpr size_t kUsualDepth = 8;

  // False if the key is already a member.
  static bool note_key(Frame& frame) {
    const auto& members = *frame.value.if_object();
    if (members.size() < kSearchedMembers) return frame.value.find(frame.key) == nullptr;
    if (!frame.seen) {
      frame.seen = std::make_unique<std::unordered_set<std::string>>();
      for (const auto& member : members) frame.seen->insert(member.name);
    }
    return frame.seen->insert(frame.key).second;
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

}  // namespace holdfast
