#include "access/key_text.h"

#include <fmt/format.h>

#include "base/digest.h"

namespace holdfast::access {
namespace {

constexpr size_t kSecretBytes = 20;

}  // namespace

std::string new_key_text(std::string_view shape, std::string_view id) {
  return fmt::format("{}_{}_{}", shape, id, to_hex(random_bytes(kSecretBytes)));
}

}  // namespace holdfast::access
