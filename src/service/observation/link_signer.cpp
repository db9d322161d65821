#include "service/observation/link_signer.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {

std::string LinkSigner::sign(const SignedLink& link) const {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", link.purpose, link.space, link.id, link.expires);
  return base64url_encode(hmac_sha256(secret_, text));
}

Status LinkSigner::check(const SignedLink& link) const {
  if (!constant_time_equal(link.signature, sign(link))) {
    return Error{.code = ErrorCode::kUnauthenticated,
                 .reason = std::string(reason::kLinkSignature),
                 .message = "This link was not made here."};
  }
  const Timestamp end{std::chrono::seconds(link.expires)};
  if (end <= clock_.now()) {
    return Error{.code = ErrorCode::kUnauthenticated,
                 .reason = std::string(reason::kLinkExpired),
                 .message = "This link has expired."};
  }
  return {};
}

}  // namespace holdfast::service::observation
