// TLS from files. Private to http/: includes Asio.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "base/result.h"

namespace holdfast::http {

// TLS 1.2 and later. Errors: kInvalidArgument that names the file which cannot be used.
Result<std::unique_ptr<boost::asio::ssl::context>> make_tls_context(
    const std::string& certificate_file, const std::string& key_file);

}  // namespace holdfast::http
