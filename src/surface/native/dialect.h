// The native surface's words: answers as they are, errors as {"error":{code, message, request_id,
// issues}} where the message alone tells a person what was wrong and what is allowed.
#pragma once

#include "wire/dialect.h"

namespace holdfast::surface::native {

class NativeDialect : public wire::PlainDialect {
 public:
  // Every answer says in which space it was given.
  wire::Answer success(const wire::AnswerContext& context, int status,
                       Value payload) const override;
  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;
};

// "limit must be at most 100"
std::string issue_sentence(const Issue& issue);

}  // namespace holdfast::surface::native
