#include "embed/openai_endpoint.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include <curl/curl.h>
#include <fmt/format.h>

#include "embed/curl_curfew.h"
#include "model/json_text.h"

namespace holdfast::embed {
namespace {

using std::chrono::milliseconds;

struct Sink {
  std::string* body;
  size_t limit;
  bool too_large = false;
};

size_t receive(char* data, size_t size, size_t count, void* to) {
  auto* sink = static_cast<Sink*>(to);
  if (sink->body->size() + size * count > sink->limit) {
    sink->too_large = true;
    return 0;
  }
  sink->body->append(data, size * count);
  return size * count;
}

bool is_passing(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kRateLimited;
}

// Give or take a quarter, so that callers who were refused together do not come back together.
milliseconds about(milliseconds time) {
  thread_local std::minstd_rand random(std::random_device{}());
  return milliseconds(
      std::uniform_int_distribution(time.count() * 3 / 4, time.count() * 5 / 4)(random));
}

}  // namespace

struct OpenAiEndpoint::Answer {
  CURLcode curl = CURLE_OK;
  long status = 0;
  std::string body = {};
  std::chrono::seconds retry_after{0};
  bool connected = false;
  bool too_large = false;
};

OpenAiEndpoint::OpenAiEndpoint(EndpointOptions options, std::string what)
    : options_(std::move(options)), what_(std::move(what)) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  while (options_.base_url.ends_with('/')) options_.base_url.pop_back();
}

Result<Value> OpenAiEndpoint::post(std::string_view path, const Value& body,
                                   Deadline deadline) const {
  const std::string url = options_.base_url + std::string(path);
  const std::string text = to_json(body);
  milliseconds backoff = options_.first_backoff;
  Error last = failure(ErrorCode::kUnavailable, "no attempt was made");
  for (int attempt = 1;; ++attempt) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (deadline != kNoDeadline && left.count() <= 0)
      return failure(ErrorCode::kDeadlineExceeded, last.detail);
    const Answer answer = this->attempt(
        url, text, deadline == kNoDeadline ? options_.timeout : std::min(options_.timeout, left));
    if (answer.curl == CURLE_OK && answer.status == 200) {
      auto value = parse_json(answer.body);
      return value ? std::move(value) : unusable("the answer is no JSON");
    }
    last = error_of(answer);
    if (options_.curfew != nullptr && options_.curfew->passed()) last.reason = kStopping;
    if (!is_passing(last.code) || attempt >= options_.attempts) return last;
    const milliseconds pause =
        std::min(std::max(about(backoff), milliseconds(answer.retry_after)), options_.max_backoff);
    if (deadline != kNoDeadline && std::chrono::steady_clock::now() + pause >= deadline)
      return failure(ErrorCode::kDeadlineExceeded, last.detail);
    if (!sleep_for(pause)) {
      last.reason = kStopping;
      return last;
    }
    backoff *= 2;
  }
}

bool OpenAiEndpoint::sleep_for(milliseconds time) const {
  if (options_.curfew != nullptr) return options_.curfew->sleep_for(time);
  std::this_thread::sleep_for(time);
  return true;
}

OpenAiEndpoint::Answer OpenAiEndpoint::attempt(const std::string& url, const std::string& body,
                                               milliseconds timeout) const {
  Answer answer;
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 &curl_easy_cleanup);
  if (!curl) {
    answer.curl = CURLE_FAILED_INIT;
    return answer;
  }
  curl_slist* list = curl_slist_append(nullptr, "Content-Type: application/json");
  if (!options_.api_key.empty())
    list = curl_slist_append(list, ("Authorization: Bearer " + options_.api_key).c_str());
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list,
                                                                            &curl_slist_free_all);
  Sink sink{.body = &answer.body, .limit = options_.max_response_bytes};
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::min(timeout, options_.connect_timeout).count()));
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &receive);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &sink);
  obey(curl.get(), options_.curfew);
  answer.curl = curl_easy_perform(curl.get());
  answer.too_large = sink.too_large;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  curl_off_t connect_time = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_CONNECT_TIME_T, &connect_time);
  answer.connected = connect_time > 0;
  curl_off_t seconds = 0;
  if (curl_easy_getinfo(curl.get(), CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0)
    answer.retry_after = std::chrono::seconds(seconds);
  return answer;
}

Error OpenAiEndpoint::error_of(const Answer& answer) const {
  if (answer.too_large) return unusable("the answer is too large");
  if (answer.curl == CURLE_OPERATION_TIMEDOUT && answer.connected)
    return failure(ErrorCode::kDeadlineExceeded, "no answer in time");
  if (answer.curl != CURLE_OK)
    return failure(ErrorCode::kUnavailable, curl_easy_strerror(answer.curl));
  const std::string detail = fmt::format("status {}", answer.status);
  if (answer.status == 429) {
    Error error = failure(ErrorCode::kRateLimited, detail);
    error.retry_after_seconds = answer.retry_after.count();
    return error;
  }
  if (answer.status < 400) return unusable(detail);
  const bool passing = answer.status == 408 || answer.status >= 500;
  return failure(passing ? ErrorCode::kUnavailable : ErrorCode::kInvalidArgument, detail);
}

Error OpenAiEndpoint::failure(ErrorCode code, std::string detail) const {
  return Error{.code = code,
               .message = "The " + what_ + " did not give a usable answer.",
               .detail = std::move(detail)};
}

Error OpenAiEndpoint::unusable(std::string detail) const {
  return failure(ErrorCode::kCorrupted, std::move(detail));
}

bool is_endpoint_url(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parts(curl_url(), &curl_url_cleanup);
  if (!parts || curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return false;
  char* text = nullptr;
  if (curl_url_get(parts.get(), CURLUPART_SCHEME, &text, 0) != CURLUE_OK) return false;
  const std::unique_ptr<char, decltype(&curl_free)> scheme(text, &curl_free);
  return std::string_view(text) == "http" || std::string_view(text) == "https";
}

}  // namespace holdfast::embed
