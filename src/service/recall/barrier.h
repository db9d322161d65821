// The secret barrier: texts are stored without credentials, and leave without them too. Notes are
// kept and shown to the letter: the person asked for exactly that.
#pragma once

#include <string>
#include <string_view>

#include "service/recall/item.h"
#include "service/recall/memory.h"

namespace holdfast::service::recall {

std::string without_secrets(std::string_view text);
// In every text inside, not in names.
void remove_secrets(Value& value);
// As they may be shown.
std::string shown_content(const Item& item);
std::string shown_text(const Memory& memory, std::string text);

}  // namespace holdfast::service::recall
