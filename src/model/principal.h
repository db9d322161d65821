// Who calls, and by which credential.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/label.h"

namespace holdfast {

enum class PrincipalKind : uint8_t { kHuman, kAgent, kService };
enum class PrincipalStatus : uint8_t { kActive, kSuspended, kDeleted };

struct Principal {
  PrincipalId id = {};
  std::string handle = {};  // unique
  std::string display_name = {};
  PrincipalKind kind = PrincipalKind::kHuman;
  PrincipalStatus status = PrincipalStatus::kActive;
  int trust_tier = 1;  // 0 to 4
  Sensitivity clearance = Sensitivity::kNormal;
  PrincipalId owner = {};  // for agents: the responsible human
  Timestamp created_at = {};
  bool operator==(const Principal&) const = default;
};

// A bearer token. Its text is shown once; only its hash is kept.
struct Token {
  std::string id = {};    // names it in lists and for revoking
  std::string hash = {};  // SHA-256 of the text, raw bytes; unique
  std::string name = {};  // a label for people
  PrincipalId principal = {};
  SpaceId space = {};  // empty: the caller chooses
  std::vector<std::string> scopes = {};
  int trust_tier = 4;  // at issue; the effective tier is the lower of this and the principal's
  Sensitivity clearance = Sensitivity::kNormal;
  std::optional<std::vector<std::string>> compartments = std::nullopt;  // nothing: all
  std::string user_id = {};  // the name this token stands for where a surface asks for a user
  std::string peer_id = {};  // ... and for a peer
  std::vector<std::string> read_namespaces = {};
  std::vector<std::string> write_namespaces = {};
  std::string purpose = "access";  // access, or agent_key (only good for minting access tokens)
  std::string parent = {};         // the token it was minted from
  Timestamp created_at = {};
  std::optional<Timestamp> expires_at = std::nullopt;
  std::optional<Timestamp> revoked_at = std::nullopt;
  bool operator==(const Token&) const = default;
};

}  // namespace holdfast
