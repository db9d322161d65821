// Everything that can be asked, but for the four routes that ask or ingest: each operation declares
// its request, and how its answer is shown.
#pragma once

#include "service/recall/ingest_service.h"
#include "service/recall/memory_service.h"
#include "service/recall/queue_service.h"
#include "service/recall/source_service.h"
#include "service/recall/statement_service.h"
#include "service/recall/status_service.h"
#include "service/recall/usage_service.h"
#include "wire/operation.h"

namespace holdfast::surface::recall {

struct ItemPath {
  std::string id = {};
};

template <typename Request, typename Response>
using Asks = const wire::Operation<Request, Response>&;

Asks<ItemPath, service::recall::ItemState> show_processing();
Asks<service::recall::Expand, service::recall::Expanded> expand_memory();
Asks<service::recall::FlagMemory, service::recall::Flagged> flag_memory();
Asks<wire::Nothing, service::recall::QueueHealth> queue_health();
Asks<wire::Nothing, int64_t> retry_failed();
Asks<wire::Nothing, service::recall::ServiceStatus> show_status();
Asks<service::recall::ContextRequest, service::recall::SourceContext> source_context();
// Writes by hand.
Asks<service::recall::Remember, service::recall::Remembered> remember_memory();
Asks<service::recall::Correct, service::recall::Memory> correct_memory();
Asks<service::recall::Supersede, service::recall::Superseded> supersede_memory();
Asks<service::recall::Forget, service::recall::Forgot> forget_memory();
Asks<service::recall::RecordOutcome, service::recall::RecordedOutcome> record_outcome();
Asks<service::recall::ForgetSource, service::recall::ForgotSource> forget_source();
// Use and judgement.
Asks<service::recall::GiveFeedback, service::recall::Feedback> give_feedback();
Asks<service::recall::UsageFilter, std::vector<service::recall::UsageRow>> list_usage();
Asks<service::recall::ObserveUsage, service::recall::ObservedUsage> observe_usage();

}  // namespace holdfast::surface::recall
