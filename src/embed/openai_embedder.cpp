#include "embed/openai_embedder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <curl/curl.h>
#include <fmt/format.h>

#include "model/json_text.h"

namespace holdfast::embed {
namespace {

constexpr std::chrono::seconds kAskLimit{10};

Error failure(ErrorCode code, std::string detail) {
  return Error{.code = code,
               .message = "The embedding service did not give a usable answer.",
               .detail = std::move(detail)};
}

struct Answer {
  CURLcode curl = CURLE_OK;
  long status = 0;
  std::string body = {};
  std::chrono::milliseconds retry_after{0};
  bool too_large = false;
};

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

class OpenAiEmbedder : public Embedder {
 public:
  explicit OpenAiEmbedder(OpenAiOptions options) : options_(std::move(options)) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    while (options_.base_url.ends_with('/')) options_.base_url.pop_back();
  }

  size_t dimensions() const override { return options_.dimensions; }
  std::string model() const override { return options_.model; }

  Result<std::vector<Vector>> embed(const std::vector<std::string>& texts,
                                    Deadline deadline) override {
    if (texts.empty()) return std::vector<Vector>();
    Value request = Value::object({{"model", options_.model}, {"input", Value::array_of(texts)}});
    const std::string body = to_json(request);
    std::chrono::milliseconds backoff = options_.first_backoff;
    Error last = failure(ErrorCode::kUnavailable, "no attempt was made");
    for (int attempt = 0; attempt < std::max(1, options_.attempts); ++attempt) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      if (deadline != kNoDeadline && left.count() <= 0)
        return failure(ErrorCode::kDeadlineExceeded, last.detail);
      const Answer answer =
          post(body, deadline == kNoDeadline ? options_.timeout : std::min(options_.timeout, left));
      if (answer.curl == CURLE_OK && answer.status == 200) return read(answer.body, texts.size());
      last = error_of(answer);
      if (last.code != ErrorCode::kUnavailable || attempt + 1 >= options_.attempts) break;
      const auto pause = std::min(std::max(backoff, answer.retry_after), options_.max_backoff);
      if (deadline != kNoDeadline && std::chrono::steady_clock::now() + pause >= deadline) {
        return failure(ErrorCode::kDeadlineExceeded, last.detail);
      }
      std::this_thread::sleep_for(pause);
      backoff *= 2;
    }
    return last;
  }

 private:
  Answer post(const std::string& body, std::chrono::milliseconds timeout) const {
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
    const std::string url = options_.base_url + "/embeddings";
    curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
    curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &receive);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &sink);
    answer.curl = curl_easy_perform(curl.get());
    answer.too_large = sink.too_large;
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
    curl_off_t seconds = 0;
    if (curl_easy_getinfo(curl.get(), CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0) {
      answer.retry_after = std::chrono::seconds(seconds);
    }
    return answer;
  }

  static Error error_of(const Answer& answer) {
    if (answer.too_large) return failure(ErrorCode::kCorrupted, "the answer is too large");
    if (answer.curl != CURLE_OK)
      return failure(ErrorCode::kUnavailable, curl_easy_strerror(answer.curl));
    const bool passing = answer.status == 429 || answer.status >= 500;
    return failure(passing ? ErrorCode::kUnavailable : ErrorCode::kInvalidArgument,
                   fmt::format("status {}", answer.status));
  }

  Result<std::vector<Vector>> read(const std::string& body, size_t count) const {
    const auto parsed = parse_json(body);
    if (!parsed) return failure(ErrorCode::kCorrupted, "the answer is no JSON");
    const Value* data = parsed->find("data");
    if (data == nullptr || !data->is_array() || data->if_array()->size() != count) {
      return failure(ErrorCode::kCorrupted, "the answer has another number of vectors");
    }
    std::vector<Vector> vectors(count);
    for (size_t i = 0; i < count; ++i) {
      const Value& entry = (*data->if_array())[i];
      const Value* index = entry.find("index");
      const auto place = index != nullptr && index->if_int() != nullptr ? *index->if_int()
                                                                        : static_cast<int64_t>(i);
      if (place < 0 || place >= static_cast<int64_t>(count) ||
          !vectors[static_cast<size_t>(place)].empty()) {
        return failure(ErrorCode::kCorrupted, "the answer's indexes are not those of the texts");
      }
      const Value* numbers = entry.find("embedding");
      if (numbers == nullptr || !read_vector(*numbers, vectors[static_cast<size_t>(place)])) {
        return failure(ErrorCode::kCorrupted,
                       "a vector is of another length or has something else than numbers in it");
      }
    }
    return vectors;
  }

  bool read_vector(const Value& numbers, Vector& out) const {
    const Value::Array* list = numbers.if_array();
    if (list == nullptr || list->empty()) return false;
    if (options_.dimensions > 0 && list->size() != options_.dimensions) return false;
    for (const Value& number : *list) {
      if (!number.is_number() || !std::isfinite(number.to_double())) return false;
      out.push_back(static_cast<float>(number.to_double()));
    }
    return true;
  }

  OpenAiOptions options_;
};

}  // namespace

std::unique_ptr<Embedder> make_openai_embedder(OpenAiOptions options) {
  return std::make_unique<OpenAiEmbedder>(std::move(options));
}

Result<size_t> ask_dimensions(OpenAiOptions options) {
  options.dimensions = 0;
  OpenAiEmbedder embedder(std::move(options));
  HOLDFAST_TRY(const auto vectors,
               embedder.embed({"dimensions"}, std::chrono::steady_clock::now() + kAskLimit));
  return vectors.front().size();
}

}  // namespace holdfast::embed
