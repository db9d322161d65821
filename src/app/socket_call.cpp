#include "app/socket_call.h"

#include <memory>

#include <curl/curl.h>
#include <fmt/format.h>

namespace holdfast::app {
namespace {

struct CurlDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

size_t append_body(char* data, size_t size, size_t count, void* target) {
  static_cast<std::string*>(target)->append(data, size * count);
  return size * count;
}

}  // namespace

Result<IncomingAnswer> socket_call(const std::string& socket_path, const OutgoingCall& call,
                                   std::chrono::seconds time_limit) {
  const std::unique_ptr<CURL, CurlDeleter> handle(curl_easy_init());
  if (!handle) return internal_error("curl_easy_init failed");
  curl_slist* raw_headers = nullptr;
  for (const auto& [name, value] : call.headers) {
    raw_headers = curl_slist_append(raw_headers, fmt::format("{}: {}", name, value).c_str());
  }
  raw_headers = curl_slist_append(raw_headers, "Expect:");
  const std::unique_ptr<curl_slist, CurlDeleter> headers(raw_headers);
  IncomingAnswer answer;
  const std::string url = "http://localhost" + call.target;
  curl_easy_setopt(handle.get(), CURLOPT_UNIX_SOCKET_PATH, socket_path.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_NOPROXY, "*");
  curl_easy_setopt(handle.get(), CURLOPT_CUSTOMREQUEST, call.method.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle.get(), CURLOPT_TIMEOUT, static_cast<long>(time_limit.count()));
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, append_body);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &answer.body);
  if (!call.body.empty() || call.method == "POST") {
    curl_easy_setopt(handle.get(), CURLOPT_POSTFIELDS, call.body.data());
    curl_easy_setopt(handle.get(), CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(call.body.size()));
  }
  if (const CURLcode code = curl_easy_perform(handle.get()); code != CURLE_OK) {
    Error error = unavailable(fmt::format(
        "The process that owns the data folder does not answer: {}.", curl_easy_strerror(code)));
    error.reason = code == CURLE_OPERATION_TIMEDOUT ? "" : reason::kNobodyAnswers;
    return error;
  }
  long status = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

}  // namespace holdfast::app
