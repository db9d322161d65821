// Compartments: names on a label, every one of which a viewer must be allowed. A viewer without a
// list is allowed every open one. A closed compartment is for those who are named in it and for
// administrators; a viewer without a list is not in it.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::access {

// In a viewer's list: every open compartment, beside the closed ones that follow.
inline constexpr std::string_view kEveryOpenCompartment = "*";

inline std::string closed_compartment(std::string_view name) { return "@" + std::string(name); }
inline bool is_closed_compartment(std::string_view name) { return name.starts_with('@'); }

}  // namespace holdfast::access
