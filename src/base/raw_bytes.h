// Bytes as OpenSSL takes them.
#pragma once

#include <string_view>

namespace holdfast {

inline const unsigned char* raw_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace holdfast
