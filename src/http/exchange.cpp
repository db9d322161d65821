#include "http/exchange.h"

#include "base/log.h"

namespace holdfast::http {

Reply Exchange::refuse(const Error& error) const {
  Reply reply = reply_of(mount.dialect->failure(context, error));
  if (error.retry_after_seconds > 0 && !reply.headers.has("Retry-After")) {
    reply.headers.add("Retry-After", std::to_string(error.retry_after_seconds));
  }
  if (reply.status >= 500 && !error.detail.empty()) {
    log::error("request_failed", {{"request_id", context.request_id},
                                  {"method", request.method},
                                  {"route", context.route},
                                  {"code", error_code_name(error.code)},
                                  {"detail", error.detail}});
  }
  return reply;
}

Reply Exchange::answer(int status, Value payload) const {
  return reply_of(mount.dialect->success(context, status, std::move(payload)));
}

}  // namespace holdfast::http
