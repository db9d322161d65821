#include "model/json_text.h"

#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <unordered_map>
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
      members_.emplace_back().name = std::move(name);
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
    std::unique_ptr<std::unordered_map<std::string, size_t>> names = {};
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
    size_t at = frame.first;
    if (count - at < kSearchedMembers) {
      while (at < count && members_[at].name != name) ++at;
      return at;
    }
    if (!frame.names) {
      frame.names = std::make_unique<std::unordered_map<std::string, size_t>>();
      for (; at < count; ++at) frame.names->emplace(members_[at].name, at);
    }
    return frame.names->emplace(name, count).first->second;
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

  // Not inlined: where GCC 12 knows the kind of the value, it warns of members of the others.
  [[gnu::noinline]] bool add(Value&& value) {
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
