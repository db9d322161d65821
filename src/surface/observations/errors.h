// How this API words failures: status, code, and the entries of `details`.
#pragma once

#include <string_view>

#include "base/error.h"
#include "model/value.h"
#include "wire/dialect.h"

namespace holdfast::surface::observations {

struct Published {
  int status = 500;
  std::string_view code = {};
};
Published published(const Error& error);

// An array of entries, or an object where a key was used for something else. `route` is the
// template of the call's path: it decides the order of the entries, and what cannot be patched.
Value details_of(const Error& error, std::string_view method, std::string_view route);

// A word with U+0000 is of the wrong form before it is none of those allowed. `body` is what the
// issues are about.
void tell_zero_characters(Error& error, const Value& body);

// Safe to send: no internals, no secrets.
std::string message_of(const Error& error);

}  // namespace holdfast::surface::observations
