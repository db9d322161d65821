// What pages bring along: one stylesheet, and the script of the live panel.
#pragma once

#include <string_view>

namespace holdfast::surface::continuity::ui {

extern const std::string_view kStylesheet;
// Puts what /ui/events says into every element that names a member with data-live.
extern const std::string_view kLiveScript;

}  // namespace holdfast::surface::continuity::ui
