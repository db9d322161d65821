// Telling the public Internet from everything else, so that nobody makes the server fetch from
// inside.
#pragma once

#include <sys/socket.h>

namespace holdfast::app {

// False for loopback, private, shared, link-local, multicast, documentation, benchmark and reserved
// addresses, for IPv6 forms that carry such an IPv4 address, and for every other family.
bool is_public_address(const sockaddr* address);

}  // namespace holdfast::app
