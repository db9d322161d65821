// Lengths that the requests for chats and for memories share.
#pragma once

#include "wire/field_option.h"

namespace holdfast::surface::chat {

inline wire::FieldOption id_length() { return wire::length(1, 128); }

}  // namespace holdfast::surface::chat
