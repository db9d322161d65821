// Links that work without a credential for a while: the signature says who made them, for what and
// until when. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::service::observation {

struct SignedLink {
  std::string purpose = {};  // upload, download
  std::string space = {};
  std::string id = {};
  int64_t expires = 0;  // Unix second
  std::string signature = {};
};

class LinkSigner {
 public:
  LinkSigner(std::string secret, const Clock& clock) : secret_(std::move(secret)), clock_(clock) {}

  std::string sign(const SignedLink& link) const;
  // kUnauthenticated: link_signature, or link_expired for a good one that is too old.
  Status check(const SignedLink& link) const;

 private:
  const std::string secret_;
  const Clock& clock_;
};

}  // namespace holdfast::service::observation
