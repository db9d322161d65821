// The public keys of an OAuth issuer, from a file or over HTTPS.
#pragma once

#include <memory>
#include <string>

#include "access/oauth_authenticator.h"

namespace holdfast::app {

// `place` is a path or an http(s) URL. Read when first needed, and again at most once a minute.
std::unique_ptr<access::KeySource> make_key_source(std::string place);

}  // namespace holdfast::app
