// The declarations for spaces and tokens.
#pragma once

#include "service/native/admin_service.h"
#include "wire/operation.h"

namespace holdfast::surface::native {

const wire::Operation<service::Done, service::SpacesResponse>& list_spaces();
const wire::Operation<service::SpaceRequest, service::SpaceRequest>& create_space();
const wire::Operation<service::SpaceRequest, service::SpaceRequest>& erase_space();
const wire::Operation<service::TokenRequest, service::TokenResponse>& create_token();
const wire::Operation<service::Done, service::TokenListResponse>& list_tokens();
const wire::Operation<service::RevokeRequest, service::RevokeRequest>& revoke_token();

}  // namespace holdfast::surface::native
