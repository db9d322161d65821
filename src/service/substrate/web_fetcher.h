// Fetching one page of the web. The concrete fetcher is app/'s; tests give a fake.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::service::substrate {

struct FetchedPage {
  std::string body = {};          // bytes as they came
  std::string content_type = {};  // the header's value, possibly empty
};

struct FetchOrder {
  std::string url = {};
  // Loopback, private, link-local and other addresses that are not of the public Internet.
  bool allow_private_addresses = false;
  size_t max_bytes = 0;
  std::chrono::milliseconds timeout{20'000};
};

// Thread-safe.
class WebFetcher {
 public:
  virtual ~WebFetcher() = default;
  // http and https only, also after a redirect; the address actually connected to is what is
  // judged, at every hop. Errors: kInvalidArgument (scheme, refused address, a status of 400 or
  // more), kTooLarge, kUnavailable (no answer), kDeadlineExceeded.
  virtual Result<FetchedPage> fetch(const FetchOrder& order) = 0;
};

}  // namespace holdfast::service::substrate
