#include "app/curl_fetcher.h"

#include <mutex>
#include <sys/socket.h>

#include <curl/curl.h>
#include <fmt/format.h>

#include "app/public_address.h"
#include "base/utf8.h"
#include "embed/curl_curfew.h"

namespace holdfast::app {
namespace {

using service::substrate::FetchedPage;
using service::substrate::FetchOrder;
using service::substrate::IngestOptions;
using service::substrate::PrivateUrls;

constexpr long kMaxRedirects = 5;

// What the callbacks of one transfer see.
struct Transfer {
  const FetchOrder& order;
  std::string body = {};
  bool too_large = false;
  bool refused = false;
};

size_t receive_page(char* data, size_t size, size_t count, void* to) {
  auto* transfer = static_cast<Transfer*>(to);
  if (transfer->body.size() + size * count > transfer->order.max_bytes) {
    transfer->too_large = true;
    return 0;
  }
  transfer->body.append(data, size * count);
  return size * count;
}

// Asked with the address that is about to be connected to, so that no name, however it resolves and
// wherever a redirect leads, gets past.
curl_socket_t open_socket(void* with, curlsocktype, curl_sockaddr* address) {
  auto* transfer = static_cast<Transfer*>(with);
  if (!transfer->order.allow_private_addresses && !is_public_address(&address->addr)) {
    transfer->refused = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

Error failure(ErrorCode code, std::string message) {
  return Error{.code = code, .message = std::move(message)};
}

Error no_web_url(const std::string& url) {
  return failure(ErrorCode::kInvalidArgument,
                 fmt::format("Only http and https URLs can be ingested: {}", url));
}

// libcurl would guess a scheme that is missing.
bool is_web_url(const std::string& url) {
  const size_t colon = url.find("://");
  if (colon == std::string::npos) return false;
  return fold_case(url.substr(0, colon)) == "http" || fold_case(url.substr(0, colon)) == "https";
}

class CurlFetcher : public service::substrate::WebFetcher {
 public:
  explicit CurlFetcher(const Curfew& curfew) : curfew_(curfew) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  }

  Result<FetchedPage> fetch(const FetchOrder& order) override {
    if (!is_web_url(order.url)) return no_web_url(order.url);
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                   &curl_easy_cleanup);
    if (!curl) return failure(ErrorCode::kUnavailable, "Web pages cannot be fetched now.");
    Transfer transfer{.order = order};
    prepare(curl.get(), transfer);
    embed::obey(curl.get(), &curfew_);
    const CURLcode code = curl_easy_perform(curl.get());
    if (code != CURLE_OK) return error_of(code, transfer);
    long status = 0;
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status >= 400) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("The page answered with status {}: {}", status, order.url));
    }
    FetchedPage page{.body = std::move(transfer.body)};
    const char* type = nullptr;
    curl_easy_getinfo(curl.get(), CURLINFO_CONTENT_TYPE, &type);
    if (type != nullptr) page.content_type = type;
    return page;
  }

 private:
  static void prepare(CURL* curl, Transfer& transfer) {
    curl_easy_setopt(curl, CURLOPT_URL, transfer.order.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kMaxRedirects);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(transfer.order.timeout.count()));
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "holdfast");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &receive_page);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &transfer);
    // A proxy would connect in our place, where no address can be judged.
    if (!transfer.order.allow_private_addresses) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  }

  static Error error_of(CURLcode code, const Transfer& transfer) {
    const std::string& url = transfer.order.url;
    if (transfer.too_large) {
      return failure(ErrorCode::kTooLarge, fmt::format("The page is larger than {} bytes: {}",
                                                       transfer.order.max_bytes, url));
    }
    if (transfer.refused) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("The page is not at a public address: {}", url));
    }
    if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT) return no_web_url(url);
    const auto kind =
        code == CURLE_OPERATION_TIMEDOUT ? ErrorCode::kDeadlineExceeded : ErrorCode::kUnavailable;
    return failure(
        kind, fmt::format("The page could not be fetched ({}): {}", curl_easy_strerror(code), url));
  }

  const Curfew& curfew_;
};

}  // namespace

std::unique_ptr<service::substrate::WebFetcher> make_curl_fetcher(const Curfew& curfew) {
  return std::make_unique<CurlFetcher>(curfew);
}

Result<IngestOptions> ingest_options(const Settings& settings) {
  IngestOptions options{.roots = settings.list("ingest.roots")};
  HOLDFAST_TRY(options.pdf_text, settings.boolean("ingest.pdf_text"));
  HOLDFAST_TRY(const std::string who,
               settings.one_of("ingest.private_urls", {"nobody", "owner", "all"}));
  options.private_urls = who == "nobody"  ? PrivateUrls::kNever
                         : who == "owner" ? PrivateUrls::kLocalOwner
                                          : PrivateUrls::kAlways;
  return options;
}

}  // namespace holdfast::app
