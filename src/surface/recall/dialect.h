// Errors as the recall contract words them: one member, `detail`, a text or a list of issues.
#pragma once

#include "wire/dialect.h"

namespace holdfast::surface::recall {

class RecallDialect : public wire::Dialect {
 public:
  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;
};

}  // namespace holdfast::surface::recall
