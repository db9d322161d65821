// The declarations of what can be stored.
#pragma once

#include "service/native/memory_service.h"
#include "wire/operation.h"

namespace holdfast::surface::native {

const wire::Operation<service::RememberRequest, service::RememberResponse>& remember();

}  // namespace holdfast::surface::native
