// The observations surface: /observations, /api/v2, and the files below /uploads and /attachments.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "http/router.h"
#include "service/observation/account_service.h"
#include "service/observation/attachment_service.h"
#include "service/observation/budgets.h"
#include "service/observation/link_signer.h"
#include "service/observation/observation_service.h"
#include "service/observation/receipts.h"
#include "service/observation/registry_service.h"

namespace holdfast::surface::observations {

struct Services {
  service::observation::ObservationService& observations;
  service::observation::RegistryService& registry;
  service::observation::AttachmentService& attachments;
  service::observation::AccountService& accounts;
  service::observation::Receipts& receipts;
  service::observation::Budgets& budgets;
  const service::observation::LinkSigner& links;
};

struct Face {
  std::string cursor_secret = {};
  std::function<std::string()> public_url = {};  // of absolute links, without a slash at the end
  std::function<Timestamp()> now = {};
  std::function<void(int64_t)> advance_clock = {};  // set only with --test-clock
};

class Surface {
 public:
  virtual ~Surface() = default;
};

// Everything outlives the surface, and the surface the router.
std::unique_ptr<Surface> mount(http::Router& router, const Services& services, Face face);

}  // namespace holdfast::surface::observations
