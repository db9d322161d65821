#include "app/public_address.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>

namespace holdfast::app {
namespace {

struct Block4 {
  uint32_t network;
  int bits;
};

constexpr uint32_t ip4(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return a << 24 | b << 16 | c << 8 | d;
}

// IANA's special-purpose registry.
constexpr std::array<Block4, 15> kSpecial4 = {{{ip4(0, 0, 0, 0), 8},
                                               {ip4(10, 0, 0, 0), 8},
                                               {ip4(100, 64, 0, 0), 10},
                                               {ip4(127, 0, 0, 0), 8},
                                               {ip4(169, 254, 0, 0), 16},
                                               {ip4(172, 16, 0, 0), 12},
                                               {ip4(192, 0, 0, 0), 24},
                                               {ip4(192, 0, 2, 0), 24},
                                               {ip4(192, 88, 99, 0), 24},
                                               {ip4(192, 168, 0, 0), 16},
                                               {ip4(198, 18, 0, 0), 15},
                                               {ip4(198, 51, 100, 0), 24},
                                               {ip4(203, 0, 113, 0), 24},
                                               {ip4(224, 0, 0, 0), 4},
                                               {ip4(240, 0, 0, 0), 4}}};

bool is_public4(uint32_t address) {
  return std::ranges::none_of(kSpecial4, [&](const Block4& block) {
    return address >> (32 - block.bits) == block.network >> (32 - block.bits);
  });
}

using Bytes6 = std::array<uint8_t, 16>;

bool starts_with(const Bytes6& address, std::initializer_list<uint8_t> prefix) {
  return std::equal(prefix.begin(), prefix.end(), address.begin());
}

uint32_t embedded(const Bytes6& address, size_t at) {
  return ip4(address[at], address[at + 1], address[at + 2], address[at + 3]);
}

bool is_public6(const Bytes6& address) {
  if (starts_with(address, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}))
    return is_public4(embedded(address, 12));  // mapped
  if (starts_with(address, {0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0}))
    return is_public4(embedded(address, 12));                                       // translated
  if (starts_with(address, {0x20, 0x02})) return is_public4(embedded(address, 2));  // 6to4
  // Only 2000::/3 is given out; of it, protocol assignments (2001::/23) and documentation are not.
  const bool global = (address[0] & 0xe0) == 0x20;
  const bool protocol = starts_with(address, {0x20, 0x01}) && (address[2] & 0xfe) == 0;
  return global && !protocol && !starts_with(address, {0x20, 0x01, 0x0d, 0xb8}) &&
         !starts_with(address, {0x3f, 0xff});
}

}  // namespace

bool is_public_address(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    sockaddr_in in4{};
    std::memcpy(&in4, address, sizeof in4);
    return is_public4(ntohl(in4.sin_addr.s_addr));
  }
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 in6{};
    std::memcpy(&in6, address, sizeof in6);
    Bytes6 bytes{};
    std::memcpy(bytes.data(), in6.sin6_addr.s6_addr, bytes.size());
    return is_public6(bytes);
  }
  return false;
}

}  // namespace holdfast::app
