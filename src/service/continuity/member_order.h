// Files of the folder layout have their members sorted; answers have them in the contract's order.
#pragma once

#include "model/value.h"

namespace holdfast::service::continuity {

Value ordered_artefact(const Value& body);
Value ordered_task(const Value& body);
Value ordered_peer(const Value& body);

}  // namespace holdfast::service::continuity
