// The declarations of upkeep.
#pragma once

#include "service/native/care_service.h"
#include "wire/operation.h"

namespace holdfast::surface::native {

const wire::Operation<service::NoRequest, service::StatsResponse>& stats();
const wire::Operation<service::NoRequest, service::VerifyResponse>& verify();
const wire::Operation<service::ReindexRequest, service::ReindexResponse>& reindex();
const wire::Operation<service::BackupRequest, service::BackupResponse>& backup();

}  // namespace holdfast::surface::native
