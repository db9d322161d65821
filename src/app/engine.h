// The whole program behind one door: store, index, services, surfaces and the pipeline that leads
// to them. The process that holds one owns its data folder.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/chat_setup.h"
#include "app/continuity_setup.h"
#include "app/data_folder.h"
#include "app/recall_parts.h"
#include "app/settings.h"
#include "base/result.h"
#include "embed/openai_embedder.h"
#include "http/pipeline.h"
#include "mcp/registry.h"
#include "service/substrate/ingest_service.h"

namespace holdfast::app {

struct EngineOptions {
  FolderPaths paths;
  bool tokens = false;  // --auth tokens
  bool rate_limits = true;
  int64_t requests_per_minute = 6000;  // of one principal on the native surface
  bool test_clock = false;
  bool mcp_fixtures = false;
  bool isolate_surfaces = false;
  // Called when a process that must own the folder asks for it; none: this one keeps it.
  std::function<void()> yield = {};
  std::string oauth_issuer = {};  // empty: none
  std::string oauth_jwks = {};
  http::HostPolicySettings hosts = {};
  http::AccessLog access_log = http::AccessLog::kFailures;
  bool vectors = false;         // vector.mode is not off
  bool hashed_vectors = false;  // ... but hashed: no endpoint is asked
  embed::OpenAiOptions embeddings = {};
  service::substrate::IngestOptions ingest = {};
  ChatOptions chat = {};
  ContinuityOptions continuity = {};
  RecallOptions recall = {};
};

// Reads what concerns the engine; kInvalidArgument names a setting that cannot be.
Result<EngineOptions> engine_options(const Settings& settings);

class Engine {
 public:
  // Locks the folder and opens the store. Answers are 503 until open_index has returned. Errors:
  // the folder's and the store's, each with one sentence that says what to do.
  static Result<std::unique_ptr<Engine>> create(const EngineOptions& options);
  virtual ~Engine() = default;

  // Maps the index and replays what it misses, or builds it anew; `progress` is told what and the
  // share done.
  using ProgressFn = std::function<void(const std::string& what, double share)>;
  virtual Status open_index(const ProgressFn& progress) = 0;

  virtual const http::Pipeline& pipeline() const = 0;
  virtual http::Metrics& metrics() = 0;
  virtual http::RouteMetrics& mcp_metrics() = 0;  // of POST /mcp
  // What /mcp offers.
  virtual const mcp::Registry& registry() const = 0;

  // Seeds principals, tokens and the registry from a file (DESIGN section 4). kInvalidArgument says
  // what is wrong with it; nothing of it is kept then.
  virtual Status bootstrap(const std::string& file) = 0;
  // With tokens, no bootstrap file and no principal yet: makes one and returns its token.
  virtual Result<std::optional<std::string>> first_token() = 0;

  // Where clients find the server, for absolute links. Before open_index.
  virtual void serving_at(const std::string& url) = 0;

  // Requests that wait for their client (not for storage) end now, those that wait for another
  // server (a model, a web page) by then. Before the server is stopped.
  virtual void stop_waiting(Deadline for_others) = 0;
  // Commits what is queued, stops jobs, writes the index. The destructor does it too.
  virtual void close() = 0;
};

}  // namespace holdfast::app
