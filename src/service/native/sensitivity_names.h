// Sensitivity in words.
#pragma once

#include <array>

#include "model/codec.h"
#include "model/label.h"

namespace holdfast {

template <>
struct EnumNames<Sensitivity> {
  static constexpr std::array<std::pair<Sensitivity, std::string_view>, 2> kNames = {
      {{Sensitivity::kNormal, "normal"}, {Sensitivity::kSensitive, "sensitive"}}};
};

}  // namespace holdfast
