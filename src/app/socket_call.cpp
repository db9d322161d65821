#include "app/socket_call.h"

#include <memory>
#include <optional>

#include <curl/curl.h>
#include <fmt/format.h>

#include "app/event_reader.h"

namespace holdfast::app {
namespace {

struct CurlDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// Where the bytes of an answer go.
struct Receiver {
  CURL* handle;
  const OutgoingCall& call;
  IncomingAnswer& answer;
  std::optional<EventReader> events = {};
  bool begun = false;
};

size_t receive_answer(char* data, size_t size, size_t count, void* target) {
  auto& receiver = *static_cast<Receiver*>(target);
  const std::string_view bytes(data, size * count);
  if (!receiver.begun) {
    receiver.begun = true;
    const char* type = nullptr;
    curl_easy_getinfo(receiver.handle, CURLINFO_CONTENT_TYPE, &type);
    const bool is_stream =
        type != nullptr && std::string_view(type).starts_with("text/event-stream");
    if (is_stream && receiver.call.on_event) receiver.events.emplace(receiver.call.on_event);
  }
  if (receiver.events) {
    receiver.events->feed(bytes);
  } else {
    receiver.answer.body.append(bytes);
  }
  return bytes.size();
}

int watch(void* target, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& call = *static_cast<const OutgoingCall*>(target);
  return call.is_cancelled() ? 1 : 0;
}

std::unique_ptr<curl_slist, CurlDeleter> header_list(const OutgoingCall& call) {
  curl_slist* list = nullptr;
  for (const auto& [name, value] : call.headers) {
    list = curl_slist_append(list, fmt::format("{}: {}", name, value).c_str());
  }
  return std::unique_ptr<curl_slist, CurlDeleter>(curl_slist_append(list, "Expect:"));
}

void set_body(CURL* handle, const OutgoingCall& call) {
  if (call.body.empty() && call.method != "POST") return;
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, call.body.data());
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
}

Error failure(CURLcode code) {
  Error error = unavailable(fmt::format(
      "The process that owns the data folder does not answer: {}.", curl_easy_strerror(code)));
  const bool ours = code == CURLE_OPERATION_TIMEDOUT || code == CURLE_ABORTED_BY_CALLBACK;
  error.reason = ours ? "" : reason::kNobodyAnswers;
  return error;
}

}  // namespace

Result<IncomingAnswer> socket_call(const std::string& socket_path, const OutgoingCall& call,
                                   std::chrono::seconds time_limit) {
  const std::unique_ptr<CURL, CurlDeleter> handle(curl_easy_init());
  if (!handle) return internal_error("curl_easy_init failed");
  const auto headers = header_list(call);
  IncomingAnswer answer;
  Receiver receiver{.handle = handle.get(), .call = call, .answer = answer};
  const std::string url = "http://localhost" + call.target;
  curl_easy_setopt(handle.get(), CURLOPT_UNIX_SOCKET_PATH, socket_path.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_NOPROXY, "*");
  curl_easy_setopt(handle.get(), CURLOPT_CUSTOMREQUEST, call.method.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle.get(), CURLOPT_TIMEOUT, static_cast<long>(time_limit.count()));
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, receive_answer);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &receiver);
  if (call.is_cancelled) {
    curl_easy_setopt(handle.get(), CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle.get(), CURLOPT_XFERINFOFUNCTION, watch);
    curl_easy_setopt(handle.get(), CURLOPT_XFERINFODATA, &call);
  }
  set_body(handle.get(), call);
  if (const CURLcode code = curl_easy_perform(handle.get()); code != CURLE_OK) return failure(code);
  long status = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

}  // namespace holdfast::app
