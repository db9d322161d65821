#include "embed/openai_embedder.h"

#include <cmath>

namespace holdfast::embed {
namespace {

constexpr std::chrono::seconds kAskLimit{10};

class OpenAiEmbedder : public Embedder {
 public:
  explicit OpenAiEmbedder(const OpenAiOptions& options)
      : endpoint_(options.endpoint, "embedding service"),
        model_(options.model),
        dimensions_(options.dimensions) {}

  size_t dimensions() const override { return dimensions_; }
  std::string model() const override { return model_; }

  Result<std::vector<Vector>> embed(const std::vector<std::string>& texts,
                                    Deadline deadline) override {
    if (texts.empty()) return std::vector<Vector>();
    const auto answer = endpoint_.post(
        "/embeddings", Value::object({{"model", model_}, {"input", Value::array_of(texts)}}),
        deadline);
    if (answer) return read(*answer, texts.size());
    Error error = answer.error();
    // Whoever embeds waits and tries again, whatever the reason of the wait.
    if (error.code == ErrorCode::kRateLimited) error.code = ErrorCode::kUnavailable;
    return error;
  }

 private:
  Result<std::vector<Vector>> read(const Value& answer, size_t count) const {
    const Value* data = answer.find("data");
    if (data == nullptr || !data->is_array() || data->if_array()->size() != count) {
      return endpoint_.unusable("the answer has another number of vectors");
    }
    std::vector<Vector> vectors(count);
    for (size_t i = 0; i < count; ++i) {
      const Value& entry = (*data->if_array())[i];
      const Value* index = entry.find("index");
      const auto place = index != nullptr && index->if_int() != nullptr ? *index->if_int()
                                                                        : static_cast<int64_t>(i);
      if (place < 0 || place >= static_cast<int64_t>(count) ||
          !vectors[static_cast<size_t>(place)].empty()) {
        return endpoint_.unusable("the answer's indexes are not those of the texts");
      }
      const Value* numbers = entry.find("embedding");
      if (numbers == nullptr || !read_vector(*numbers, vectors[static_cast<size_t>(place)])) {
        return endpoint_.unusable(
            "a vector is of another length or has something else than numbers in it");
      }
    }
    return vectors;
  }

  bool read_vector(const Value& numbers, Vector& out) const {
    const Value::Array* list = numbers.if_array();
    if (list == nullptr || list->empty()) return false;
    if (dimensions_ > 0 && list->size() != dimensions_) return false;
    for (const Value& number : *list) {
      if (!number.is_number() || !std::isfinite(number.to_double())) return false;
      out.push_back(static_cast<float>(number.to_double()));
    }
    return true;
  }

  OpenAiEndpoint endpoint_;
  std::string model_;
  size_t dimensions_;
};

}  // namespace

std::unique_ptr<Embedder> make_openai_embedder(const OpenAiOptions& options) {
  return std::make_unique<OpenAiEmbedder>(options);
}

Result<size_t> ask_dimensions(OpenAiOptions options) {
  options.dimensions = 0;
  OpenAiEmbedder embedder(options);
  HOLDFAST_TRY(const auto vectors,
               embedder.embed({"dimensions"}, std::chrono::steady_clock::now() + kAskLimit));
  return vectors.front().size();
}

}  // namespace holdfast::embed
