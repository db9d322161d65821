// The declarations of export and import, page by page.
#pragma once

#include "service/native/archive_service.h"
#include "wire/operation.h"

namespace holdfast::surface::native {

const wire::Operation<service::ExportRequest, service::ExportResponse>& export_changes();
const wire::Operation<service::ImportRequest, service::ImportResponse>& import_changes();
const wire::Operation<service::ExportPiecesRequest, service::ExportPiecesResponse>& export_pieces();
const wire::Operation<service::ImportPiecesRequest, service::ImportResponse>& import_pieces();

}  // namespace holdfast::surface::native
