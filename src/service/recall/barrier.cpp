#include "service/recall/barrier.h"

#include "text/secrets.h"

namespace holdfast::service::recall {

std::string without_secrets(std::string_view text) { return text::redact_secrets(text); }

void remove_secrets(Value& value) {
  if (const std::string* text = value.if_string()) {
    value = Value(text::redact_secrets(*text));
  } else if (auto* elements = value.if_array()) {
    for (Value& element : *elements) remove_secrets(element);
  } else if (auto* members = value.if_object()) {
    for (auto& member : *members) remove_secrets(member.value);
  }
}

std::string shown_content(const Item& item) {
  return effective_kind(item.about) == "note" ? item.content : without_secrets(item.content);
}

std::string shown_text(const Memory& memory, std::string text) {
  return memory.type == type::kNote ? std::move(text) : without_secrets(text);
}

}  // namespace holdfast::service::recall
