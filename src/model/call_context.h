// One call, as every layer below the surface sees it.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "model/label.h"

namespace holdfast {

struct CallContext {
  std::string request_id = {};
  std::string surface = {};    // native, recall, ...: recorded in the journal
  PrincipalId principal = {};  // the local owner with --auth off
  std::vector<std::string> scopes = {};
  int trust_tier = 0;
  Viewer viewer = {};        // what the caller may see, including its space
  std::string user_id = {};  // from the token; empty where the caller may name itself
  std::string peer_id = {};
  std::vector<std::string> read_namespaces = {};
  std::vector<std::string> write_namespaces = {};
  bool local_owner = false;    // --auth off, or a process on this machine's socket
  bool local_process = false;  // came through the data folder's own socket, or from inside
  std::string idempotency_key = {};
  std::string peer_address = {};
  Deadline deadline = kNoDeadline;

  bool has_scope(std::string_view scope) const {
    for (const auto& have : scopes) {
      if (have == scope || have == "admin") return true;
    }
    return local_owner;
  }
};

}  // namespace holdfast
