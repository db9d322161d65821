// Objects as the structs of their nouns.
#pragma once

#include <string>

#include "model/noun.h"
#include "storage/store.h"

namespace holdfast::storage {

// A Put of a struct: body, facets, links and text come from its noun. Designated initialisers
// cannot reach through a function, so what else is to be said is set on the result.
template <typename T>
Put put_of(const Noun<T>& noun, const std::string& id, const T& value, const Label& label) {
  return Put{.key = {.kind = noun.kind, .id = id},
             .body = noun.codec.encode_text(value),
             .label = label,
             .projection = noun.project(value)};
}

// kCorrupted if the body is not what the noun wrote.
template <typename T>
Result<T> value_of(const Noun<T>& noun, const Object& object) {
  return noun.codec.decode_text(object.body);
}

}  // namespace holdfast::storage
