#include "http/host_policy.h"

#include <algorithm>

#include "wire/transport.h"

namespace holdfast::http {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return out;
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

struct Origin {
  std::string scheme;
  std::string host;
};

// scheme://host[:port] and nothing else; empty members if it is something else ("null", a path).
Origin parse_origin(std::string_view origin) {
  const size_t mark = origin.find("://");
  if (mark == std::string_view::npos) return {};
  const std::string_view rest = origin.substr(mark + 3);
  if (rest.find_first_of("/?#@") != std::string_view::npos) return {};
  return {.scheme = lower(origin.substr(0, mark)), .host = host_name(rest)};
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

std::string origin_of_url(std::string_view url) {
  const size_t mark = url.find("://");
  if (mark == std::string_view::npos) return {};
  return lower(url.substr(0, url.find('/', mark + 3)));
}

}  // namespace

std::string host_name(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t close = host.find(']');
    if (close == std::string_view::npos) return {};
    const std::string_view after = host.substr(close + 1);
    if (!after.empty() && (after.front() != ':' || !all_digits(after.substr(1)))) return {};
    return lower(host.substr(0, close + 1));
  }
  const size_t colon = host.find(':');
  if (colon != std::string_view::npos && !all_digits(host.substr(colon + 1))) return {};
  return lower(host.substr(0, colon));
}

bool is_loopback_name(std::string_view name) {
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]" || name == "::1";
}

HostPolicy::HostPolicy(const HostPolicySettings& settings) {
  const std::string listen = lower(settings.listen_host);
  loopback_listener_ = is_loopback_name(listen) || listen.starts_with("127.");
  hosts_.push_back(listen.find(':') != std::string::npos ? '[' + listen + ']' : listen);
  const std::string public_origin = origin_of_url(settings.public_url);
  if (!public_origin.empty()) {
    hosts_.push_back(parse_origin(public_origin).host);
    origins_.push_back(public_origin);
  }
  for (const std::string& host : settings.allowed_hosts) hosts_.push_back(host_name(host));
  for (const std::string& origin : settings.allowed_origins) origins_.push_back(lower(origin));
  any_host_ = !loopback_listener_ && public_origin.empty() && settings.allowed_hosts.empty();
  std::erase(hosts_, "");
}

bool HostPolicy::allows_host(std::string_view host) const {
  if (host.empty()) return false;
  if (loopback_listener_ && is_loopback_name(host)) return true;
  return any_host_ || contains(hosts_, host);
}

bool HostPolicy::allows_origin(std::string_view origin, std::string_view host) const {
  if (is_listed_origin(origin)) return true;
  const Origin parsed = parse_origin(origin);
  if (parsed.host.empty() || (parsed.scheme != "http" && parsed.scheme != "https")) return false;
  if (loopback_listener_) return is_loopback_name(parsed.host) || contains(hosts_, parsed.host);
  return parsed.host == host && !is_loopback_name(parsed.host);
}

bool HostPolicy::is_listed_origin(std::string_view origin) const {
  return contains(origins_, lower(origin));
}

bool HostPolicy::allows(const wire::Headers& headers, int http_minor, Error& why) const {
  const auto hosts = headers.all("Host");
  if (hosts.size() > 1 || (hosts.empty() && http_minor > 0)) {
    why = wire::transport_error(ErrorCode::kInvalidArgument, wire::reason::kMalformedRequest,
                                "A request needs the header Host, once.");
    return false;
  }
  const std::string host = hosts.empty() ? std::string() : host_name(hosts.front());
  if (!hosts.empty() && !allows_host(host)) {
    why = wire::transport_error(
        ErrorCode::kPermissionDenied, wire::reason::kHostNotAllowed,
        "This server does not answer to that Host; --public-url or --allow-host names it.");
    return false;
  }
  for (const std::string& origin : headers.all("Origin")) {
    if (allows_origin(origin, host)) continue;
    why = wire::transport_error(
        ErrorCode::kPermissionDenied, wire::reason::kOriginNotAllowed,
        "Pages of that Origin may not call this server; --allow-origin lists those that may.");
    return false;
  }
  return true;
}

}  // namespace holdfast::http
