// Graph health as reports and repairs show it.
#pragma once

#include <string>

#include "model/value.h"
#include "service/substrate/graph_health.h"

namespace holdfast::surface::substrate {

Value encode_health(const service::substrate::GraphHealth& health, const std::string& backend);

}  // namespace holdfast::surface::substrate
