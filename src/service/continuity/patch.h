// Operations on the lists of a capsule.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "service/continuity/shape.h"

namespace holdfast::service::continuity {

Shape patch_operation_shape();
// What can be said of an operation without the capsule.
Status check_operation(const Value& operation);
// On a copy; the first failure ends it.
Status apply_operation(Value& capsule, const Value& operation);

}  // namespace holdfast::service::continuity
