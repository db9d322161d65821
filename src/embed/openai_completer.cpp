#include "embed/openai_completer.h"

namespace holdfast::embed {
namespace {

Value body_of(const CompletionRequest& request, const std::string& model) {
  Value messages = Value::array();
  for (const Message& message : request.messages)
    messages.push(Value::object({{"role", message.role}, {"content", message.content}}));
  Value body = Value::object({{"model", request.model.empty() ? model : request.model},
                              {"messages", std::move(messages)},
                              {"temperature", 0},
                              {"stream", false}});
  if (request.max_tokens) body.set("max_tokens", *request.max_tokens);
  if (request.json) body.set("response_format", Value::object({{"type", "json_object"}}));
  return body;
}

// A member of a member of ...; none if one of them is missing.
const Value* at(const Value* value, std::string_view name) {
  return value != nullptr ? value->find(name) : nullptr;
}

const std::string* text_of(const Value* value) {
  return value != nullptr ? value->if_string() : nullptr;
}

std::optional<int64_t> count_of(const Value* value) {
  const int64_t* number = value != nullptr ? value->if_int() : nullptr;
  return number != nullptr && *number >= 0 ? std::optional(*number) : std::nullopt;
}

class OpenAiCompleter : public Completer {
 public:
  explicit OpenAiCompleter(OpenAiCompleterOptions options)
      : endpoint_(std::move(options.endpoint), "language model"),
        model_(std::move(options.model)) {}

  std::string model() const override { return model_; }

  Result<Completion> complete(const CompletionRequest& request, Deadline deadline) override {
    HOLDFAST_TRY(const Value answer,
                 endpoint_.post("/chat/completions", body_of(request, model_), deadline));
    const Value* choices = answer.find("choices");
    const Value::Array* list = choices != nullptr ? choices->if_array() : nullptr;
    if (list == nullptr || list->empty()) return endpoint_.unusable("the answer has no choice");
    const Value& choice = list->front();
    const std::string* content = text_of(at(choice.find("message"), "content"));
    if (content == nullptr) return endpoint_.unusable("the choice has no text");
    const std::string* reason = text_of(choice.find("finish_reason"));
    const std::string* model = text_of(answer.find("model"));
    const Value* usage = answer.find("usage");
    return Completion{.content = *content,
                      .model = model != nullptr ? *model : model_,
                      .cut_short = reason != nullptr && *reason == "length",
                      .prompt_tokens = count_of(at(usage, "prompt_tokens")),
                      .completion_tokens = count_of(at(usage, "completion_tokens"))};
  }

 private:
  OpenAiEndpoint endpoint_;
  std::string model_;
};

}  // namespace

std::unique_ptr<Completer> make_openai_completer(OpenAiCompleterOptions options) {
  return std::make_unique<OpenAiCompleter>(std::move(options));
}

}  // namespace holdfast::embed
