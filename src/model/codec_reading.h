// How a codec reads: every value of a JSON text goes straight to the place that waits for it, with
// no Value in between (codec.h is the manual). Readers by type; those of optionals and lists ask
// the reader of what is inside.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/time_text.h"
#include "model/enum_names.h"
#include "model/value.h"

namespace holdfast {

template <typename T>
class Codec;
template <typename T>
const Codec<T>& codec_of();

namespace codec_detail {

class Reader;

// Where a value goes. Without a reader: nowhere, it is of the wrong type.
struct Place {
  const Reader* reader = nullptr;
  void* at = nullptr;
};

// Puts values of JSON at a place of one type. Each is false, or no place, where a value is of
// another type. Stateless.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual bool null(void*) const { return false; }
  virtual bool boolean(void*, bool) const { return false; }
  virtual bool integer(void*, int64_t) const { return false; }
  virtual bool large(void*, uint64_t) const { return false; }  // above the range of int64_t
  virtual bool number(void*, double) const { return false; }
  virtual bool text(void*, std::string_view) const { return false; }
  // An array or object begins: what takes its elements or members.
  virtual Place array(void*) const { return {}; }
  virtual Place object(void*) const { return {}; }
  virtual Place element(void*) const { return {}; }
  // `next`: where in the order of members the next one is expected; 0 at first.
  virtual Place member(void*, std::string_view /*name*/, size_t& /*next*/) const { return {}; }
};

// For members that nobody knows.
Place nowhere();

// Nothing if the text, or the value, is at its place now; else what is wrong with it.
std::optional<std::string> read_text(std::string_view json, Place place);
std::optional<std::string> read_value(const Value& value, Place place);

template <typename T>
class ReaderOf;

// A struct is read by its codec.
template <typename T>
const Reader& reader_of() {
  if constexpr (requires { sizeof(ReaderOf<T>); }) {
    static const ReaderOf<T> reader;
    return reader;
  } else {
    return codec_of<T>();
  }
}
template <typename T>
Place place_of(T& target) {
  return {&reader_of<T>(), &target};
}

template <>
class ReaderOf<std::string> : public Reader {
  bool text(void* at, std::string_view v) const override {
    return static_cast<std::string*>(at)->assign(v), true;
  }
};

template <>
class ReaderOf<bool> : public Reader {
  bool boolean(void* at, bool v) const override { return *static_cast<bool*>(at) = v, true; }
};

template <>
class ReaderOf<int64_t> : public Reader {
  bool integer(void* at, int64_t v) const override { return *static_cast<int64_t*>(at) = v, true; }
};

template <>
class ReaderOf<double> : public Reader {
  bool integer(void* at, int64_t v) const override { return number(at, static_cast<double>(v)); }
  bool large(void* at, uint64_t v) const override { return number(at, static_cast<double>(v)); }
  bool number(void* at, double v) const override { return *static_cast<double*>(at) = v, true; }
};

template <>
class ReaderOf<Timestamp> : public Reader {
  bool text(void* at, std::string_view v) const override {
    const auto time = parse_time(v);
    return time && (*static_cast<Timestamp*>(at) = *time, true);
  }
};

template <NamedEnum E>
class ReaderOf<E> : public Reader {
  bool text(void* at, std::string_view v) const override {
    const auto value = enum_from_name<E>(v);
    return value && (*static_cast<E*>(at) = *value, true);
  }
};

template <>
class ReaderOf<Value> : public Reader {
  bool null(void* at) const override { return set(at, Value()); }
  bool boolean(void* at, bool v) const override { return set(at, Value(v)); }
  bool integer(void* at, int64_t v) const override { return set(at, Value(v)); }
  bool large(void* at, uint64_t v) const override { return set(at, Value(v)); }
  bool number(void* at, double v) const override { return set(at, Value(v)); }
  bool text(void* at, std::string_view v) const override { return set(at, Value(v)); }
  Place array(void* at) const override { return set(at, Value::array()), Place{this, at}; }
  Place object(void* at) const override { return set(at, Value::object()), Place{this, at}; }
  // Whoever asks is done with the one before, which may move now.
  Place element(void* at) const override { return {this, &in(at).if_array()->emplace_back()}; }
  Place member(void* at, std::string_view name, size_t&) const override {
    Value::Member& added = in(at).if_object()->emplace_back();
    added.name = name;
    return {this, &added.value};
  }

  static Value& in(void* at) { return *static_cast<Value*>(at); }
  static bool set(void* at, Value&& value) { return in(at) = std::move(value), true; }
};

template <typename T>
class ReaderOf<std::optional<T>> : public Reader {
  bool null(void* at) const override { return static_cast<std::optional<T>*>(at)->reset(), true; }
  bool boolean(void* at, bool v) const override { return inner().boolean(made(at), v); }
  bool integer(void* at, int64_t v) const override { return inner().integer(made(at), v); }
  bool large(void* at, uint64_t v) const override { return inner().large(made(at), v); }
  bool number(void* at, double v) const override { return inner().number(made(at), v); }
  bool text(void* at, std::string_view v) const override { return inner().text(made(at), v); }
  Place array(void* at) const override { return inner().array(made(at)); }
  Place object(void* at) const override { return inner().object(made(at)); }

  static const Reader& inner() { return reader_of<T>(); }
  static T* made(void* at) { return &static_cast<std::optional<T>*>(at)->emplace(); }
};

template <typename T>
class ReaderOf<std::vector<T>> : public Reader {
  Place array(void* at) const override { return list(at).clear(), Place{this, at}; }
  Place element(void* at) const override { return place_of(list(at).emplace_back()); }

  static std::vector<T>& list(void* at) { return *static_cast<std::vector<T>*>(at); }
};

}  // namespace codec_detail
}  // namespace holdfast
