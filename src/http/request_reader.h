// From bytes to requests: framing of HTTP/1.1, without sockets. One a connection; owned by one
// thread at a time.
//
//   reader.append(bytes);
//   switch (reader.advance()) { … }
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/error.h"
#include "http/request.h"

namespace holdfast::http {

class RequestReader {
 public:
  enum class State {
    kMore,         // everything buffered is used: read on
    kHeadersDone,  // said once: request() has method, target and headers; set the body limit, then
                   // advance again
    kDone,         // request() is complete; take it, then next()
    kFailed,       // error() says why; nothing more can be read from this connection
  };

  explicit RequestReader(size_t header_limit);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Where to put bytes; never empty unless the reader has failed. commit() says how many were put.
  std::span<char> space();
  void commit(size_t count);
  // The same by copying; false if they do not fit (advance first).
  bool append(std::string_view bytes);

  State advance();
  // Makes way for the next request of the connection. Only after kDone.
  void next();

  Request& request();
  // kInvalidArgument malformed_request, kTooLarge headers_too_large, kTooLarge body_too_large.
  const Error& error() const { return error_; }

  // After kHeadersDone.
  void set_body_limit(size_t limit);
  bool declares_more_than(size_t limit) const;  // by its Content-Length
  bool expects_continue() const;
  bool keep_alive() const;

  // True once bytes of a request have come that is not complete.
  bool has_begun() const;
  bool headers_done() const { return headers_done_; }

 private:
  struct Parser;  // keeps Beast out of this header

  State fail(ErrorCode code, std::string_view reason, std::string message);
  State parse();

  const size_t header_limit_;
  std::unique_ptr<Parser> parser_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
  size_t header_bytes_ = 0;
  bool headers_done_ = false;
  bool failed_ = false;
  Error error_;
};

}  // namespace holdfast::http
