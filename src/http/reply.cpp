#include "http/reply.h"

namespace holdfast::http {

Reply reply_of(wire::Answer answer) {
  Reply reply{.status = answer.status, .body = std::move(answer.body)};
  if (!answer.content_type.empty())
    reply.headers.add("Content-Type", std::move(answer.content_type));
  for (wire::Header& header : answer.headers)
    reply.headers.add(std::move(header.name), std::move(header.value));
  return reply;
}

Reply text_reply(int status, std::string content_type, std::string body) {
  Reply reply{.status = status, .body = std::move(body)};
  reply.headers.add("Content-Type", std::move(content_type));
  return reply;
}

Reply event_reply(std::shared_ptr<EventSource> events) {
  Reply reply{.events = std::move(events)};
  reply.headers.add("Content-Type", "text/event-stream");
  reply.headers.add("Cache-Control", "no-cache");
  reply.headers.add("X-Accel-Buffering", "no");
  return reply;
}

std::string_view status_text(int status) {
  switch (status) {
    case 100: return "Continue";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    default: return "";
  }
}

}  // namespace holdfast::http
