// Envelopes: {data, meta}, {data, pagination, meta} and {error}.
#pragma once

#include <string>

#include "base/clock.h"
#include "model/value.h"
#include "wire/dialect.h"

namespace holdfast::surface::observations {

class ObservationDialect : public wire::Dialect {
 public:
  // `payload` is a whole envelope.
  wire::Answer success(const wire::AnswerContext& context, int status,
                       Value payload) const override;
  wire::Answer failure(const wire::AnswerContext& context, const Error& error) const override;
};

// What `meta` says about every answer.
Value meta_of(const std::string& request_id, Timestamp now);

// A success with one object.
Value envelope(const std::string& request_id, Timestamp now, Value data);

// Headers of every answer, with a body or without.
void add_headers(std::vector<wire::Header>& headers);

}  // namespace holdfast::surface::observations
