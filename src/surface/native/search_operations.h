// The declarations of search and context.
#pragma once

#include "service/native/context_service.h"
#include "service/native/search_service.h"
#include "wire/operation.h"

namespace holdfast::surface::native {

const wire::Operation<service::SearchRequest, service::SearchResponse>& search();
const wire::Operation<service::ContextRequest, service::ContextResponse>& context();

}  // namespace holdfast::surface::native
