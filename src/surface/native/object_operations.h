// The declarations of what can be asked of any object.
#pragma once

#include "service/native/object_service.h"
#include "wire/operation.h"

namespace holdfast::surface::native {

const wire::Operation<service::ShowRequest, service::ShowResponse>& show();
const wire::Operation<service::HistoryRequest, service::HistoryResponse>& history();
const wire::Operation<service::LinksRequest, service::LinksResponse>& links();
const wire::Operation<service::ForgetRequest, service::ForgetResponse>& forget();
const wire::Operation<service::JournalRequest, service::JournalResponse>& journal();
const wire::Operation<service::GraphRequest, service::GraphResponse>& graph();

// A moment of the past: an RFC 3339 time or a journal position.
wire::FieldOption as_of_option();

}  // namespace holdfast::surface::native
