// Answers of memory_maintain as the published objects.
#pragma once

#include <vector>

#include "model/value.h"
#include "service/substrate/maintain_service.h"

namespace holdfast::surface::substrate {

Value encode_config(const service::substrate::Config& config);
Value encode_structure(const std::vector<service::substrate::StructureIssue>& issues);
Value encode_audit(const std::vector<service::substrate::AuditEvent>& events);
Value encode_reindexed(const service::substrate::Reindexed& answer);
Value encode_repaired(const service::substrate::Repaired& answer);
// status, patch_id, audit_event_ids, projection_count; modes add their own members.
Value encode_maintained(const service::substrate::Maintained& answer);
Value encode_cycled(const service::substrate::Cycled& answer);
Value encode_report(const service::substrate::MaintainReport& report);
Value encode_rendered(const service::substrate::RenderedWiki& answer);
Value encode_reconciled(const service::substrate::ReconciledWiki& answer);

}  // namespace holdfast::surface::substrate
