// The continuity surface, from its settings to its routes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access/scoped_tokens.h"
#include "app/settings.h"
#include "app/surface_parts.h"
#include "http/router.h"
#include "model/noun.h"
#include "service/continuity/read_service.h"
#include "surface/continuity/ui/pages.h"

namespace holdfast::app {

struct ContinuityOptions {
  service::continuity::ContinuitySettings settings = {};
  std::vector<access::ScopedToken> tokens = {};
  int64_t token_limit = 240;
  int64_t address_limit = 480;
  int64_t payload_limit = 262'144;
  std::string contract_version = {};
  bool mcp = true;  // serve the operations as JSON-RPC tools at /v1/mcp
  bool ui = false;  // serve pages for operators below /ui
  surface::continuity::ui::Posture posture = {};  // of those pages
};

// kInvalidArgument names a setting that cannot be. Numbers out of range are clamped, as published.
Result<ContinuityOptions> continuity_options(const Settings& settings);

// Of the tokens of this surface.
std::vector<std::string> continuity_scopes();

void add_continuity_nouns(NounCatalog& nouns);

class ContinuitySetup {
 public:
  virtual ~ContinuitySetup() = default;
  // Background work: after the store is open, and before it is closed.
  virtual void start() = 0;
  virtual void stop() = 0;
};

std::unique_ptr<ContinuitySetup> set_up_continuity(http::Router& router,
                                                   const ContinuityOptions& options,
                                                   const SurfaceParts& parts);

}  // namespace holdfast::app
