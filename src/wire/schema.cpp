#include "wire/schema.h"

namespace holdfast::wire {

Error make_validation_error(const RequestParts& parts, Reading& reading) {
  if (reading.strictness().unknown_first && parts.body != nullptr) {
    put_unknown_first(*parts.body, reading.issues());
  }
  Error error = invalid_argument("The request is not valid; 'issues' lists what is wrong.",
                                 std::move(reading.issues()));
  error.reason = reason::kValidation;
  return error;
}

}  // namespace holdfast::wire
