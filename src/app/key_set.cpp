#include "app/key_set.h"

#include <chrono>
#include <fstream>
#include <iterator>

#include <curl/curl.h>
#include <fmt/format.h>

#include "base/log.h"
#include "base/mutex.h"
#include "model/json_text.h"

namespace holdfast::app {
namespace {

constexpr std::chrono::seconds kReadAgain{60};
constexpr long kTimeLimitSeconds = 10;
constexpr size_t kMaxBytes = size_t{1} << 20U;

size_t receive_keys(char* data, size_t size, size_t count, void* target) {
  auto& body = *static_cast<std::string*>(target);
  if (body.size() + size * count > kMaxBytes) return 0;
  body.append(data, size * count);
  return size * count;
}

Result<std::string> fetch(const std::string& url) {
  const std::unique_ptr<CURL, void (*)(CURL*)> handle(curl_easy_init(), curl_easy_cleanup);
  if (!handle) return internal_error("curl_easy_init failed");
  std::string body;
  curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle.get(), CURLOPT_TIMEOUT, kTimeLimitSeconds);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, receive_keys);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &body);
  if (const CURLcode code = curl_easy_perform(handle.get()); code != CURLE_OK)
    return unavailable(curl_easy_strerror(code));
  return body;
}

Result<std::string> read_key_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return unavailable("the file cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class CachedKeys : public access::KeySource {
 public:
  explicit CachedKeys(std::string place) : place_(std::move(place)) {}

  Result<Value> keys(bool again) override {
    MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const bool due = !tried_at_ || now - *tried_at_ >= kReadAgain;
    if (due && (again || keys_.is_null())) {
      tried_at_ = now;
      if (auto read = load()) keys_ = std::move(*read);
    }
    if (!keys_.is_null()) return keys_;
    return unavailable("The issuer's keys cannot be read now; tokens of its cannot be checked.");
  }

 private:
  Result<Value> load() const {
    const bool remote = place_.starts_with("http://") || place_.starts_with("https://");
    auto text = remote ? fetch(place_) : read_key_file(place_);
    auto value = text ? parse_json(*text) : Result<Value>(text.error());
    if (!value)
      log::warn("oauth_keys_unreadable", {{"place", place_}, {"detail", value.error().message}});
    return value;
  }

  const std::string place_;
  Mutex mutex_;  // held while reading: callers without keys have nothing better to do
  Value keys_ HOLDFAST_GUARDED_BY(mutex_);
  std::optional<std::chrono::steady_clock::time_point> tried_at_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<access::KeySource> make_key_source(std::string place) {
  return std::make_unique<CachedKeys>(std::move(place));
}

}  // namespace holdfast::app
