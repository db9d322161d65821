// Words for arguments that cannot be read, in the published form:
//
//   2 validation errors for memory_queryArguments
//   args.search.input_data.query
//     Field required [type=missing, input_value={...}, input_type=dict]
//       For further information visit ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace holdfast::surface::substrate {

// Rules of this surface's own, beside those of wire/reading.h.
namespace rule {
inline constexpr std::string_view kTagMissing = "union_tag_not_found";
inline constexpr std::string_view kTagUnknown = "union_tag_invalid";  // tag, expected
inline constexpr std::string_view kMustBeTrue = "must_be_true";
}  // namespace rule

std::string validation_text(std::string_view tool, std::string_view mode,
                            const std::vector<Issue>& issues);

// Issues of `args` itself, before a mode is known.
Issue missing_args();
Issue args_of_wrong_type(const Value& args);
Issue missing_tag(const Value& args);
Issue unknown_tag(const std::string& tag, const std::vector<std::string>& expected);
Error args_issue(std::string_view tool, Issue issue);

}  // namespace holdfast::surface::substrate
