// A Dialect words the answers of one surface: envelope, error body, issue text, status. Also for
// failures before a handler runs; wire/transport.h lists their reasons. Thread-safe; outlives the
// server.
//
// The pipeline adds by itself, where the answer does not have them: X-Request-ID, X-Holdfast-Space,
// Allow, Retry-After (from Error::retry_after_seconds), Content-Length, Date.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "model/value.h"
#include "wire/headers.h"

namespace holdfast::wire {

// What is known about the call when its answer is worded.
struct AnswerContext {
  std::string request_id = {};
  std::string space = {};  // empty before authentication
  Timestamp now = {};
  std::string method = {};
  std::string path = {};             // as sent, without the query
  std::string route = {};            // the template, /v1/things/{id}; empty for an unknown path
  const Headers* headers = nullptr;  // of the request; nullptr if it could not be read
  const Value* body = nullptr;       // the request's JSON, if it was read
};

struct Answer {
  int status = 200;
  std::string content_type = "application/json; charset=utf-8";  // empty where there is no body
  std::vector<Header> headers = {};
  std::string body = {};
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  // A call that succeeded; `payload` is what the operation's encoder made. The default sends it as
  // it is, and nothing at all with status 204.
  virtual Answer success(const AnswerContext& context, int status, Value payload) const;
  virtual Answer failure(const AnswerContext& context, const Error& error) const = 0;
};

// {"error":{"code","message","request_id","issues":[{"location","path","rule","params","value"}]}}.
// Words unknown paths and everything without a surface.
class PlainDialect : public Dialect {
 public:
  Answer failure(const AnswerContext& context, const Error& error) const override;
};

// The issues as the plain dialect shows them.
Value issues_value(const std::vector<Issue>& issues);

}  // namespace holdfast::wire
