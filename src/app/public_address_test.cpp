#include "app/public_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string>

#include <gtest/gtest.h>

namespace holdfast::app {
namespace {

bool is_public(const std::string& text) {
  sockaddr_in in4{};
  in4.sin_family = AF_INET;
  if (::inet_pton(AF_INET, text.c_str(), &in4.sin_addr) == 1)
    return is_public_address(reinterpret_cast<const sockaddr*>(&in4));
  sockaddr_in6 in6{};
  in6.sin6_family = AF_INET6;
  EXPECT_EQ(::inet_pton(AF_INET6, text.c_str(), &in6.sin6_addr), 1) << text;
  return is_public_address(reinterpret_cast<const sockaddr*>(&in6));
}

TEST(PublicAddressTest, TheInternetIsPublic) {
  for (const char* text : {"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.0",
                           "100.63.255.255", "100.128.0.0", "2606:2800:220:1::1", "2a00:1450::1",
                           "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:0808:0808::1"}) {
    EXPECT_TRUE(is_public(text)) << text;
  }
}

TEST(PublicAddressTest, WhatIsInsideIsNot) {
  for (const char* text : {"127.0.0.1",
                           "127.255.255.254",
                           "0.0.0.0",
                           "10.0.0.1",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.168.1.1",
                           "169.254.169.254",
                           "100.64.0.1",
                           "198.18.0.1",
                           "224.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "fe80::1",
                           "fc00::1",
                           "fd12::1",
                           "ff02::1",
                           "2001:db8::1",
                           "2001::1",
                           "::ffff:127.0.0.1",
                           "::ffff:10.0.0.1",
                           "64:ff9b::7f00:1",
                           "2002:7f00:1::1",
                           "::7f00:1"}) {
    EXPECT_FALSE(is_public(text)) << text;
  }
}

TEST(PublicAddressTest, OtherFamiliesAreNot) {
  sockaddr local{};
  local.sa_family = AF_UNIX;

  EXPECT_FALSE(is_public_address(&local));
}

}  // namespace
}  // namespace holdfast::app
