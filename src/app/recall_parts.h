// The recall surface, from its settings to its routes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/settings.h"
#include "embed/openai_completer.h"
#include "http/router.h"
#include "jobs/job_runner.h"
#include "model/noun.h"
#include "service/recall/ingest_service.h"
#include "service/recall/memory_service.h"
#include "service/recall/pipeline.h"
#include "service/recall/policy.h"
#include "service/recall/query_service.h"
#include "service/recall/queue_service.h"
#include "service/recall/retention.h"
#include "service/recall/source_service.h"
#include "service/recall/statement_service.h"
#include "service/recall/status_service.h"
#include "service/recall/usage_service.h"
#include "surface/recall/surface.h"
#include "surface/recall/tools.h"

namespace holdfast::app {

struct RecallOptions {
  bool model = false;      // extractor.mode is not rules
  bool fall_back = false;  // to the rules, where the model fails
  embed::OpenAiCompleterOptions completer = {};
  std::map<std::string, std::string, std::less<>> role_models = {};  // absent: the completer's
  service::recall::QueueSettings queue = {};
  size_t body_limit = size_t{8} << 20U;
  service::recall::InjectionPolicy policy{};
  service::recall::ServiceFacts facts = {};
  bool mcp = false;                 // its tools are offered at /mcp
  std::function<void()> stop = {};  // ends the server; none: it cannot be asked to
};

// kInvalidArgument names a setting that cannot be.
Result<RecallOptions> recall_options(const Settings& settings);

void add_recall_nouns(NounCatalog& nouns);

class RecallParts {
 public:
  // Before the jobs start. Everything given outlives it.
  RecallParts(http::Router& router, const RecallOptions& options, storage::Store& store,
              const access::Gatekeeper& gatekeeper, const search::Index& index, const Clock& clock,
              jobs::JobRunner& jobs);

  // Its tools, for clients that speak MCP.
  mcp::Group group() const { return surface::recall::make_group(services_); }
  // Also search by near vectors; `semantic`: made by a model. At the start.
  void use_embeddings(const service::EmbeddingService* embeddings, bool semantic);

 private:
  service::recall::Backlog backlog_;
  service::recall::IngestService ingest_;
  service::recall::QueryService query_;
  service::recall::MemoryService memories_;
  service::recall::QueueService queue_;
  service::recall::SourceService sources_;
  service::recall::StatementService statements_;
  service::recall::UsageService usage_;
  service::recall::StatusService status_;
  const std::unique_ptr<embed::Completer> completer_;  // nullptr: the rules alone
  std::unique_ptr<service::recall::ModelRoles> roles_;
  std::unique_ptr<service::recall::ModelExtractor> model_;
  service::recall::Pipeline pipeline_;
  service::recall::Retention retention_;
  const surface::recall::Services services_;
  const std::unique_ptr<surface::recall::Surface> surface_;
};

}  // namespace holdfast::app
