// What clients see.
#pragma once

#include <string>
#include <vector>

#include "model/principal.h"
#include "model/value.h"
#include "service/observation/account_service.h"
#include "service/observation/attachment_service.h"
#include "service/observation/observation_service.h"
#include "service/observation/registry.h"

namespace holdfast::surface::observations {

namespace observation = service::observation;

// JSON text, the whole answer: most of the items is passed on as it is stored.
std::string list_text(const observation::ObservationPage& page, const Value& pagination,
                      const Value& meta);
Value created_value(const observation::Created& created);
// `public_url` without a slash at the end.
Value shown_value(const observation::Shown& shown, const std::string& public_url);
// Only what the patch named.
Value patched_value(const observation::Patched& patched, const observation::Patch& patch);
// JSON text, without the titles of what was made: the answer to a batch is kept and sent, and never
// read.
std::string batch_text(const observation::BatchOutcome& outcome);
Value warnings_value(const std::vector<observation::ContentWarning>& warnings);

std::string file_url(const observation::Attachment& attachment, const std::string& public_url);
Value attachment_value(const observation::Attachment& attachment, const std::string& public_url);

Value value_of(const observation::Workspace& workspace);
Value value_of(const observation::Member& member);
Value value_of(const observation::Repositories& repositories);
Value value_of(const observation::Subcortex& subcortex);
Value value_of(const observation::Thread& thread);
Value value_of(const observation::Comment& comment);
Value value_of(const observation::Artifact& artifact);
Value value_of(const observation::Task& task);
Value value_of(const Principal& principal);
Value value_of(const observation::PrincipalCard& card);
Value value_of(const observation::ApiKey& key);
// A list of slugs, or "*".
Value scope_value(const std::optional<std::vector<std::string>>& scope);

}  // namespace holdfast::surface::observations
