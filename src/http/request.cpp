#include "http/request.h"

#include <utility>

namespace holdfast::http {
namespace {

// From `http://host/path` the part that begins at the path.
std::string_view origin_form(std::string_view target) {
  for (const std::string_view scheme :
       {std::string_view("http://"), std::string_view("https://")}) {
    if (!wire::starts_with_ignoring_case(target, scheme)) continue;
    const size_t slash = target.find('/', scheme.size());
    return slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  return target;
}

}  // namespace

std::string_view Request::path_parameter(std::string_view name) const {
  for (const auto& parameter : path_parameters) {
    if (parameter.name == name) return parameter.value;
  }
  return {};
}

void set_target(Request& request, std::string target) {
  request.target = std::move(target);
  std::string_view form = origin_form(request.target);
  form = form.substr(0, form.find('#'));
  const size_t mark = form.find('?');
  request.path = form.substr(0, mark);
  request.query = mark == std::string_view::npos ? wire::QueryString()
                                                 : wire::QueryString::parse(form.substr(mark + 1));
}

Request make_request(std::string method, std::string target, std::string body,
                     wire::Headers headers) {
  Request request{.method = std::move(method),
                  .headers = std::move(headers),
                  .body = std::move(body),
                  .peer_address = "in-process",
                  .local_process = true};
  set_target(request, std::move(target));
  return request;
}

}  // namespace holdfast::http
