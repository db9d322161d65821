// The published shape of a repository source: its payload and its segments.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"
#include "service/substrate/objects.h"
#include "service/substrate/repo_code.h"
#include "service/substrate/repo_scan.h"

namespace holdfast::service::substrate {

Value repo_payload(const std::string& name, const RepoScan& scan, const RepoCode& code);

std::vector<Segment> repo_segments(const RepoFolder& folder, const RepoScan& scan,
                                   const RepoCode& code);

}  // namespace holdfast::service::substrate
