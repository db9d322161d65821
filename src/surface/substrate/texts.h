// What the surface tells agents about itself. Written for a model that reads it once.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::surface::substrate {

std::string_view instructions();
std::string_view policy_text();
std::string_view playbook_text();
std::string_view api_summary_text();
// The arguments may be empty.
std::string task_start_prompt(std::string_view task);
std::string review_prompt(std::string_view outcome);

}  // namespace holdfast::surface::substrate
