#include "http/request_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <fmt/format.h>

#include "wire/transport.h"

namespace holdfast::http {
namespace beast_http = boost::beast::http;

namespace {

constexpr size_t kSmallBuffer = size_t{4} * 1024;
constexpr size_t kLargeBuffer = size_t{64} * 1024;
constexpr size_t kMaxReserve = size_t{1024} * 1024;

// Beast's parser, writing straight into our Request.
class MessageParser : public beast_http::basic_parser<true> {
 public:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;

  Request request;
  size_t most_body_bytes = std::numeric_limits<size_t>::max();

 protected:
  void on_request_impl(beast_http::verb, string_view method, string_view target, int version,
                       error_code& ec) override {
    if (version != 11 && version != 10) ec = beast_http::error::bad_version;
    request.method.assign(method.data(), method.size());
    request.http_minor = version == 11 ? 1 : 0;
    set_target(request, std::string(target.data(), target.size()));
  }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(beast_http::field, string_view name, string_view value, error_code&) override {
    // Fields after a chunked body could claim what the header had not: they are dropped.
    if (header_done_) return;
    request.headers.add(std::string(name.data(), name.size()),
                        std::string(value.data(), value.size()));
  }
  void on_header_impl(error_code&) override { header_done_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    if (length)
      request.body.reserve(static_cast<size_t>(std::min<std::uint64_t>(*length, kMaxReserve)));
  }
  std::size_t on_body_impl(string_view body, error_code& ec) override { return append(body, ec); }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code& ec) override {
    return append(body, ec);
  }
  void on_finish_impl(error_code&) override {}

 private:
  std::size_t append(string_view body, error_code& ec) {
    if (body.size() > most_body_bytes - request.body.size()) {
      ec = beast_http::error::body_limit;
      return 0;
    }
    request.body.append(body.data(), body.size());
    return body.size();
  }

  bool header_done_ = false;
};

// Whoever stands between us and the client must see the same end of the body as we do: what the
// parser does not know it takes for no body, and would read the bytes as the next request.
bool has_clear_end(const Request& request) {
  const auto codings = request.headers.all("Transfer-Encoding");
  if (codings.empty()) return true;
  return request.http_minor == 1 && codings.size() == 1 &&
         wire::equal_ignoring_case(codings.front(), "chunked") &&
         request.headers.all("Content-Length").empty();
}

}  // namespace

struct RequestReader::Parser {
  explicit Parser(size_t limit) : header_limit(static_cast<std::uint32_t>(limit)) { reset(); }

  void reset() {
    message.emplace();
    message->header_limit(header_limit);
    message->body_limit(boost::none);
    message->eager(false);
  }

  const std::uint32_t header_limit;
  std::optional<MessageParser> message;
};

RequestReader::RequestReader(size_t header_limit)
    : header_limit_(header_limit), parser_(std::make_unique<Parser>(header_limit)) {}

RequestReader::~RequestReader() = default;

std::span<char> RequestReader::space() {
  if (failed_) return {};
  if (begin_ == end_) begin_ = end_ = 0;
  if (begin_ > 0 && end_ == capacity_) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_ || (headers_done_ && capacity_ < kLargeBuffer)) {
    // The parser wants a whole header block in one piece; beyond that nothing needs more than a
    // large buffer.
    const size_t most = std::max(kLargeBuffer, header_limit_ + kSmallBuffer);
    const size_t wanted = capacity_ == 0  ? kSmallBuffer
                          : headers_done_ ? kLargeBuffer
                                          : capacity_ * 2;
    const size_t grown = std::min(wanted, most);
    if (grown > capacity_) {
      auto larger = std::make_unique<char[]>(grown);
      if (end_ > begin_) std::memcpy(larger.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
      buffer_ = std::move(larger);
      capacity_ = grown;
    }
  }
  return {buffer_.get() + end_, capacity_ - end_};
}

void RequestReader::commit(size_t count) { end_ += count; }

bool RequestReader::append(std::string_view bytes) {
  const auto to = space();
  if (to.size() < bytes.size()) return false;
  std::copy(bytes.begin(), bytes.end(), to.begin());
  commit(bytes.size());
  return true;
}

RequestReader::State RequestReader::fail(ErrorCode code, std::string_view reason,
                                         std::string message) {
  failed_ = true;
  error_ = wire::transport_error(code, reason, std::move(message));
  return State::kFailed;
}

RequestReader::State RequestReader::advance() {
  if (failed_) return State::kFailed;
  while (true) {
    if (parser_->message->is_done()) return State::kDone;
    if (begin_ == end_) return State::kMore;
    const size_t before = end_ - begin_;
    const State state = parse();
    if (state != State::kMore) return state;
    if (end_ - begin_ == before) {
      // No progress: more bytes are needed, unless there is no room left for them.
      if (!space().empty()) return State::kMore;
      return fail(ErrorCode::kInvalidArgument, wire::reason::kMalformedRequest,
                  "The body is badly chunked.");
    }
  }
}

RequestReader::State RequestReader::parse() {
  MessageParser& message = *parser_->message;
  boost::beast::error_code ec;
  const size_t used =
      message.put(boost::asio::const_buffer(buffer_.get() + begin_, end_ - begin_), ec);
  begin_ += used;
  if (!headers_done_) header_bytes_ += used;
  const bool too_long = !headers_done_ && header_bytes_ > header_limit_;
  if (too_long || ec == beast_http::error::header_limit) {
    return fail(ErrorCode::kTooLarge, wire::reason::kHeadersTooLarge,
                fmt::format("The request line and headers may have at most {} bytes together.",
                            header_limit_));
  }
  if (ec == beast_http::error::body_limit) {
    request().body.clear();
    return fail(ErrorCode::kTooLarge, wire::reason::kBodyTooLarge,
                fmt::format("A body may have at most {} bytes here.", message.most_body_bytes));
  }
  if (ec && ec != beast_http::error::need_more) {
    return fail(ErrorCode::kInvalidArgument, wire::reason::kMalformedRequest,
                fmt::format("This is no HTTP/1.1 request: {}.", ec.message()));
  }
  if (!headers_done_ && message.is_header_done()) {
    headers_done_ = true;
    if (!has_clear_end(message.request)) {
      return fail(
          ErrorCode::kInvalidArgument, wire::reason::kMalformedRequest,
          "The only Transfer-Encoding understood here is 'chunked', in HTTP/1.1 and without "
          "a Content-Length.");
    }
    message.eager(true);
    return State::kHeadersDone;
  }
  return message.is_done() ? State::kDone : State::kMore;
}

void RequestReader::next() {
  parser_->reset();
  headers_done_ = false;
  header_bytes_ = 0;
  if (begin_ == end_ && capacity_ > kSmallBuffer) {
    buffer_.reset();
    begin_ = end_ = capacity_ = 0;
  }
}

Request& RequestReader::request() { return parser_->message->request; }

void RequestReader::set_body_limit(size_t limit) { parser_->message->most_body_bytes = limit; }

bool RequestReader::declares_more_than(size_t limit) const {
  const auto length = parser_->message->content_length();
  return length && *length > limit;
}

bool RequestReader::expects_continue() const {
  const Request& request = parser_->message->request;
  return request.http_minor == 1 && !parser_->message->is_done() &&
         wire::equal_ignoring_case(request.headers.get("Expect"), "100-continue");
}

bool RequestReader::keep_alive() const { return headers_done_ && parser_->message->keep_alive(); }

bool RequestReader::has_begun() const {
  return headers_done_ || header_bytes_ > 0 || begin_ < end_;
}

}  // namespace holdfast::http
