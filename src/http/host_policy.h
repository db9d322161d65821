// Which Host and Origin headers are believed: the guard against DNS rebinding. A page of another
// site that has its name resolve to this machine sends that name as Host, and its own address as
// Origin. Immutable, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "wire/headers.h"

namespace holdfast::http {

struct HostPolicySettings {
  std::string listen_host = "127.0.0.1";
  std::string public_url = {};                  // its host and origin are allowed
  std::vector<std::string> allowed_hosts = {};  // host names, without ports
  std::vector<std::string> allowed_origins =
      {};  // https://app.example, exactly; they also get CORS headers
};

class HostPolicy {
 public:
  explicit HostPolicy(const HostPolicySettings& settings);

  // False with the reason in `why`.
  // A request without Host passes only as HTTP/1.0. On a loopback listener Host and Origin must be
  // loopback names (any port), the public URL's, or listed. On other listeners Host must be the
  // listening host, the public URL's or listed (any, if neither is configured), and Origin must
  // have the host of Host, be the public URL's, or be listed.
  bool allows(const wire::Headers& headers, int http_minor, Error& why) const;

  // True for listed origins: those whose scripts may read answers.
  bool is_listed_origin(std::string_view origin) const;

 private:
  bool allows_host(std::string_view host) const;
  bool allows_origin(std::string_view origin, std::string_view host) const;

  bool loopback_listener_ = true;
  bool any_host_ = false;
  std::vector<std::string> hosts_;    // lower case
  std::vector<std::string> origins_;  // lower case
};

// The lower-case name part of `name:port`, `[::1]:port`, `name`; empty if it has no such form.
std::string host_name(std::string_view host);
bool is_loopback_name(std::string_view name);

}  // namespace holdfast::http
