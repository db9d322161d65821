// Enumerations by their names in stored and sent JSON.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast {

// template <> struct EnumNames<Colour> { static constexpr std::array<std::pair<Colour,
// std::string_view>, 2> kNames = …; };
template <typename E>
struct EnumNames;

template <typename E>
concept NamedEnum = requires {
  EnumNames<E>::kNames;
};

template <NamedEnum E>
std::string_view enum_name(E value) {
  for (const auto& [candidate, name] : EnumNames<E>::kNames) {
    if (candidate == value) return name;
  }
  return {};
}

template <NamedEnum E>
std::optional<E> enum_from_name(std::string_view text) {
  for (const auto& [candidate, name] : EnumNames<E>::kNames) {
    if (name == text) return candidate;
  }
  return std::nullopt;
}

}  // namespace holdfast
