#include "http/tls.h"

#include <fmt/format.h>

namespace holdfast::http {
namespace ssl = boost::asio::ssl;

namespace {

Error unusable(std::string_view what, const std::string& file,
               const boost::system::error_code& ec) {
  return invalid_argument(
      fmt::format("The TLS {} '{}' cannot be used: {}.", what, file, ec.message()));
}

}  // namespace

Result<std::unique_ptr<ssl::context>> make_tls_context(const std::string& certificate_file,
                                                       const std::string& key_file) {
  if (certificate_file.empty() || key_file.empty()) {
    return invalid_argument("TLS needs both --tls-cert and --tls-key.");
  }
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  context->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                       ssl::context::no_sslv3 | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  boost::system::error_code ec;
  context->use_certificate_chain_file(certificate_file, ec);
  if (ec) return unusable("certificate", certificate_file, ec);
  context->use_private_key_file(key_file, ssl::context::pem, ec);
  if (ec) return unusable("key", key_file, ec);
  return context;
}

}  // namespace holdfast::http
