#include "surface/observations/dialect.h"

#include "base/time_text.h"
#include "model/json_text.h"
#include "surface/observations/errors.h"

namespace holdfast::surface::observations {

void add_headers(std::vector<wire::Header>& headers) {
  headers.push_back({"X-API-Version", "2.0.0"});
  headers.push_back({"X-Content-Type-Options", "nosniff"});
}

Value meta_of(const std::string& request_id, Timestamp now) {
  return Value::object({{"request_id", request_id}, {"timestamp", format_millis(now)}});
}

Value envelope(const std::string& request_id, Timestamp now, Value data) {
  return Value::object({{"data", std::move(data)}, {"meta", meta_of(request_id, now)}});
}

wire::Answer ObservationDialect::success(const wire::AnswerContext&, int status,
                                         Value payload) const {
  wire::Answer answer{.status = status};
  add_headers(answer.headers);
  if (status == 204) {
    answer.content_type.clear();
  } else {
    answer.body = to_json(payload);
  }
  return answer;
}

wire::Answer ObservationDialect::failure(const wire::AnswerContext& context,
                                         const Error& error) const {
  const Published as = published(error);
  wire::Answer answer{.status = as.status};
  add_headers(answer.headers);
  if (as.status == 401) answer.headers.push_back({"WWW-Authenticate", "Bearer"});
  Value told = Value::object({{"code", as.code},
                              {"message", message_of(error)},
                              {"details", details_of(error, context.method, context.route)},
                              {"request_id", context.request_id},
                              {"timestamp", format_millis(context.now)},
                              {"retry_after", nullptr},
                              {"help_url", nullptr}});
  if (error.retry_after_seconds > 0) told.set("retry_after", error.retry_after_seconds);
  answer.body = to_json(Value::object({{"error", std::move(told)}}));
  return answer;
}

}  // namespace holdfast::surface::observations
