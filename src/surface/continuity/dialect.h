// How the continuity API words failures: {"detail": …}.
#pragma once

#include "wire/dialect.h"

namespace holdfast::surface::continuity {

class ContinuityDialect : public wire::Dialect {
 public:
  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;
};

int status_of(const Error& error);
// The text, object or list that a client sees under `detail`.
Value detail_of(const Error& error);

}  // namespace holdfast::surface::continuity
