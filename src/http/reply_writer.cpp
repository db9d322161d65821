#include "http/reply_writer.h"

#include <ctime>

#include <fmt/format.h>

namespace holdfast::http {
namespace {

// The Date header's value, made once a second.
const std::string& date_now() {
  thread_local std::time_t made_at = 0;
  thread_local std::string text;
  const std::time_t now = std::time(nullptr);
  if (now == made_at) return text;
  made_at = now;
  std::tm parts{};
  gmtime_r(&now, &parts);
  constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  text = fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays[parts.tm_wday], parts.tm_mday,
                     kMonths[parts.tm_mon], parts.tm_year + 1900, parts.tm_hour, parts.tm_min,
                     parts.tm_sec);
  return text;
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  for (const char c : value) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  out += "\r\n";
}

bool has_no_body(int status) { return status == 204 || status == 304 || status < 200; }

}  // namespace

void append_head(std::string& out, const Reply& reply, const HeadOptions& options) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", reply.status,
                 status_text(reply.status));
  for (const wire::Header& header : reply.headers.list())
    append_header(out, header.name, header.value);
  append_header(out, "Date", date_now());
  if (options.chunked) {
    append_header(out, "Transfer-Encoding", "chunked");
  } else if (!reply.events && !has_no_body(reply.status)) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", reply.body.size());
  }
  if (!options.keep_alive) {
    append_header(out, "Connection", "close");
  } else if (options.http_minor == 0) {
    append_header(out, "Connection", "keep-alive");
  }
  out += "\r\n";
}

void append_chunk(std::string& out, std::string_view data) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", data.size());
  out += data;
  out += "\r\n";
}

}  // namespace holdfast::http
