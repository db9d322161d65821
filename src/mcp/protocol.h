// Names and numbers of the Model Context Protocol that more than one file needs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::mcp {

// Members of `_meta`.
namespace meta {
inline constexpr std::string_view kProtocolVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kClientCapabilities =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kSubscriptionId = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kProgressToken = "progressToken";
// Ours: the working folder of a process that relays for its client. Believed only of processes of
// this machine.
inline constexpr std::string_view kWorkingFolder = "io.holdfast/workingFolder";
}  // namespace meta

// JSON-RPC error codes.
namespace code {
inline constexpr int kParse = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kUnknownMethod = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternal = -32603;
inline constexpr int kResourceNotFound = -32002;  // session era; the modern one is kInvalidParams
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
}  // namespace code

namespace header {
inline constexpr std::string_view kProtocolVersion = "MCP-Protocol-Version";
inline constexpr std::string_view kSessionId = "Mcp-Session-Id";
inline constexpr std::string_view kMethod = "Mcp-Method";
inline constexpr std::string_view kName = "Mcp-Name";
inline constexpr std::string_view kParamPrefix = "Mcp-Param-";
}  // namespace header

// A body may be larger than a line: a relayed message is a line with its metadata, written anew.
inline constexpr size_t kMaxLineBytes = size_t{8} << 20U;
inline constexpr size_t kMaxBodyBytes = size_t{15} << 20U;
inline constexpr size_t kMaxDepth = 256;  // of JSON
inline constexpr size_t kMaxSessions = 1000;
inline constexpr std::chrono::minutes kSessionIdleLimit{60};
inline constexpr size_t kMaxSubscriptions = 64;          // of one principal
inline constexpr size_t kMaxSubscribedResources = 1000;  // of one session
inline constexpr std::chrono::minutes kRequestStateLife{10};
inline constexpr std::chrono::seconds kAskLimit{60};  // for a client to answer a server's request
inline constexpr std::chrono::minutes kCallLimit{10};
inline constexpr int64_t kCacheMillis = 300'000;
inline constexpr size_t kMaxCompletions = 100;

}  // namespace holdfast::mcp
