#include "model/codec_reading.h"

#include <charconv>
#include <cmath>

#include <boost/json/basic_parser_impl.hpp>

#include "base/assert.h"
#include "model/json_text.h"

namespace holdfast::codec_detail {
namespace {

namespace json = boost::json;

class Nowhere : public Reader {
 public:
  bool null(void*) const override { return true; }
  bool boolean(void*, bool) const override { return true; }
  bool integer(void*, int64_t) const override { return true; }
  bool large(void*, uint64_t) const override { return true; }
  bool number(void*, double) const override { return true; }
  bool text(void*, std::string_view) const override { return true; }
  Place array(void*) const override { return {this}; }
  Place object(void*) const override { return {this}; }
  Place element(void*) const override { return {this}; }
  Place member(void*, std::string_view, size_t&) const override { return {this}; }
};

std::string wrong_type(std::string_view member) {
  if (member.empty()) return "the body is no object";
  return "member " + std::string(member) + " has the wrong type";
}

// Takes the events of Boost.JSON's parser to where they belong.
class Distributor {
 public:
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);

  explicit Distributor(Place root) : next_(root) {}
  const std::string& problem() const { return problem_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& ec) {
    const Place place = here();
    return open(place.reader->object(place.at), true, ec);
  }
  bool on_array_begin(json::error_code& ec) {
    const Place place = here();
    return open(place.reader->array(place.at), false, ec);
  }
  bool on_object_end(std::size_t, json::error_code&) { return frames_.pop_back(), true; }
  bool on_array_end(std::size_t, json::error_code&) { return frames_.pop_back(), true; }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) { return add(part); }
  bool on_key(json::string_view part, std::size_t, json::error_code& ec) {
    const std::string_view name = whole(part);
    Frame& frame = frames_.back();
    const Place place = frame.place.reader->member(frame.place.at, name, frame.next);
    if (frames_.size() == 1) member_.assign(name);
    partial_.clear();
    if (place.reader == nullptr) return refuse(ec);
    next_ = place;
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) { return add(part); }
  bool on_string(json::string_view part, std::size_t, json::error_code& ec) {
    const Place place = here();
    const bool taken = place.reader->text(place.at, whole(part));
    partial_.clear();
    return taken || refuse(ec);
  }
  bool on_number_part(json::string_view part, json::error_code&) { return add(part); }
  bool on_int64(std::int64_t number, json::string_view, json::error_code& ec) {
    partial_.clear();
    const Place place = here();
    return place.reader->integer(place.at, number) || refuse(ec);
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code& ec) {
    partial_.clear();
    const Place place = here();
    return place.reader->large(place.at, number) || refuse(ec);
  }
  // The parser's own reading is one unit off for some. Too small reads as zero.
  bool on_double(double number, json::string_view part, json::error_code& ec) {
    const std::string_view digits = whole(part);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    static_cast<void>(end);
    if (error == std::errc::result_out_of_range && std::abs(number) <= 1) number = 0;
    const bool fits = std::isfinite(number) && (error == std::errc() || number == 0);
    partial_.clear();
    const Place place = here();
    return (fits && place.reader->number(place.at, number)) || refuse(ec);
  }
  bool on_bool(bool value, json::error_code& ec) {
    const Place place = here();
    return place.reader->boolean(place.at, value) || refuse(ec);
  }
  bool on_null(json::error_code& ec) {
    const Place place = here();
    return place.reader->null(place.at) || refuse(ec);
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  struct Frame {
    Place place = {};
    size_t next = 0;  // see Reader::member
    bool is_object = false;
  };

  // Where the value goes that comes now.
  Place here() const {
    const bool in_list = !frames_.empty() && !frames_.back().is_object;
    const Place& around = in_list ? frames_.back().place : next_;
    const Place place = in_list ? around.reader->element(around.at) : around;
    HOLDFAST_ASSERT(place.reader != nullptr);
    return place;
  }
  bool open(Place place, bool is_object, json::error_code& ec) {
    if (place.reader == nullptr) return refuse(ec);
    frames_.push_back({.place = place, .is_object = is_object});
    return true;
  }
  bool refuse(json::error_code& ec) {
    problem_ = wrong_type(member_);
    ec = json::error::syntax;
    return false;
  }
  bool add(json::string_view part) { return partial_.append(part.data(), part.size()), true; }
  // The text of which `part` is the end; good until partial_ is cleared.
  std::string_view whole(json::string_view part) {
    if (partial_.empty()) return {part.data(), part.size()};
    add(part);
    return partial_;
  }

  std::vector<Frame> frames_;  // of the containers that are open
  Place next_;                 // of a document, or of a member whose name was read
  std::string member_;         // of the outermost object: the last one
  std::string partial_;        // what is known of a key, text or number
  std::string problem_;
};

bool put(const Value& value, Place place);

bool put_elements(const Value::Array& elements, Place list) {
  if (list.reader == nullptr) return false;
  for (const Value& element : elements) {
    if (!put(element, list.reader->element(list.at))) return false;
  }
  return true;
}

bool put_members(const Value::Object& members, Place object) {
  if (object.reader == nullptr) return false;
  size_t next = 0;
  for (const Value::Member& member : members) {
    if (!put(member.value, object.reader->member(object.at, member.name, next))) return false;
  }
  return true;
}

bool put(const Value& value, Place place) {
  const Reader* const reader = place.reader;
  if (reader == nullptr) return false;
  if (const auto* text = value.if_string()) return reader->text(place.at, *text);
  if (const auto* number = value.if_int()) return reader->integer(place.at, *number);
  if (const auto* number = value.if_uint()) return reader->large(place.at, *number);
  if (const auto* number = value.if_double()) return reader->number(place.at, *number);
  if (const auto* truth = value.if_bool()) return reader->boolean(place.at, *truth);
  if (const auto* elements = value.if_array())
    return put_elements(*elements, reader->array(place.at));
  if (const auto* members = value.if_object())
    return put_members(*members, reader->object(place.at));
  return reader->null(place.at);
}

}  // namespace

Place nowhere() {
  static const Nowhere reader;
  return {&reader};
}

std::optional<std::string> read_text(std::string_view text, Place place) {
  json::parse_options options;
  options.max_depth = JsonLimits().max_depth;
  json::basic_parser<Distributor> parser(options, place);
  json::error_code ec;
  const size_t used = parser.write_some(false, text.data(), text.size(), ec);
  if (!parser.handler().problem().empty()) return parser.handler().problem();
  if (ec) return ec.message() + " at byte " + std::to_string(used);
  if (used < text.size()) return "something follows the value at byte " + std::to_string(used);
  return std::nullopt;
}

std::optional<std::string> read_value(const Value& value, Place place) {
  const auto* members = value.if_object();
  const Place object = members != nullptr ? place.reader->object(place.at) : Place();
  if (object.reader == nullptr) return wrong_type("");
  size_t next = 0;
  for (const Value::Member& member : *members) {
    if (!put(member.value, object.reader->member(object.at, member.name, next)))
      return wrong_type(member.name);
  }
  return std::nullopt;
}

}  // namespace holdfast::codec_detail
