#include "service/chat/openai_provider.h"

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/chat/prompt_pack.h"

namespace holdfast::service::chat {
namespace {

constexpr size_t kMostAnswerBytes = size_t{64} * 1024;

Error unusable(std::string detail) {
  return Error{.code = ErrorCode::kCorrupted,
               .reason = std::string(reason::kOutputContract),
               .message = "The language model did not give a usable answer.",
               .detail = std::move(detail)};
}

// The text of the envelope that the model was asked for.
Result<std::string> assistant_text(const std::string& content) {
  const auto envelope = parse_json(content);
  if (!envelope || !envelope->is_object()) return unusable("invalid_json");
  const Value* text = envelope->find("assistant_text");
  const std::string* value = text != nullptr ? text->if_string() : nullptr;
  if (value == nullptr) return unusable("schema_invalid");
  return *value;
}

class OpenAiProvider : public Provider {
 public:
  OpenAiProvider(embed::Completer& completer, bool json_mode)
      : completer_(completer), json_mode_(json_mode) {}

  std::string name() const override { return "openai"; }

  Result<ProviderAnswer> answer(const ProviderInput& input, Deadline deadline) override {
    HOLDFAST_TRY(const embed::Completion completion,
                 completer_.complete({.messages = prompt_messages(input, json_mode_),
                                      .max_tokens = input.max_output_tokens,
                                      .json = json_mode_},
                                     deadline));
    if (completion.content.size() > kMostAnswerBytes) return unusable("payload_too_large");
    ProviderAnswer answer{.model = completion.model,
                          .prompt_tokens = completion.prompt_tokens,
                          .completion_tokens = completion.completion_tokens};
    if (json_mode_) {
      HOLDFAST_TRY(answer.text, assistant_text(completion.content));
    } else {
      answer.text = completion.content;
    }
    // Blanks at the beginning could be all that a small budget keeps.
    answer.text = std::string(trim_space(answer.text));
    if (answer.text.empty()) return unusable("schema_invalid");
    if (completion.cut_short) answer.flags.emplace_back("output_truncated");
    return answer;
  }

 private:
  embed::Completer& completer_;
  const bool json_mode_;
};

class MissingProvider : public Provider {
 public:
  explicit MissingProvider(std::string what) : what_(std::move(what)) {}

  std::string name() const override { return "openai"; }
  Result<ProviderAnswer> answer(const ProviderInput&, Deadline) override {
    return Error{.code = ErrorCode::kInternal,
                 .reason = std::string(reason::kNotConfigured),
                 .message = "The language model is not configured: " + what_ + " is missing."};
  }

 private:
  std::string what_;
};

}  // namespace

std::unique_ptr<Provider> make_openai_provider(embed::Completer& completer, bool json_mode) {
  return std::make_unique<OpenAiProvider>(completer, json_mode);
}

std::unique_ptr<Provider> make_missing_provider(std::string what_is_missing) {
  return std::make_unique<MissingProvider>(std::move(what_is_missing));
}

}  // namespace holdfast::service::chat
