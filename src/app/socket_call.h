// One HTTP call through the socket of a data folder.
#pragma once

#include <chrono>
#include <string>

#include "app/caller.h"
#include "base/result.h"

namespace holdfast::app {

namespace reason {
inline constexpr std::string_view kNobodyAnswers =
    "nobody_answers";  // no owner, or it went while answering
}  // namespace reason

// Errors: kUnavailable with kNobodyAnswers: the call may or may not have been carried out.
Result<IncomingAnswer> socket_call(const std::string& socket_path, const OutgoingCall& call,
                                   std::chrono::seconds time_limit);

}  // namespace holdfast::app
