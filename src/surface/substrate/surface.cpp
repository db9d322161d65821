#include "surface/substrate/surface.h"

#include "surface/substrate/texts.h"
#include "surface/substrate/tools.h"

namespace holdfast::surface::substrate {
namespace {

mcp::Resource resource(std::string uri, std::string name, std::string title,
                       std::string description, std::string_view (*text)()) {
  return {.uri = std::move(uri),
          .name = std::move(name),
          .title = std::move(title),
          .description = std::move(description),
          .mime_type = "text/markdown",
          .fixed = true,
          .read = [text](const mcp::ItemCall&) -> Result<mcp::ResourceContent> {
            return mcp::ResourceContent{.text = std::string(text())};
          }};
}

mcp::Prompt prompt(std::string name, std::string title, const std::string& description,
                   const std::string& argument, std::string about,
                   std::string (*text)(std::string_view)) {
  return {
      .name = std::move(name),
      .title = std::move(title),
      .description = description,
      .arguments = {{.name = argument, .description = std::move(about)}},
      .get = [text, argument, description](const mcp::ItemCall& call) -> Result<mcp::PromptResult> {
        const auto given = call.arguments.find(argument);
        const std::string value = given == call.arguments.end() ? "" : given->second;
        const Value content = Value::object({{"type", "text"}, {"text", text(value)}});
        return mcp::PromptResult{
            .description = description,
            .messages = Value::array({Value::object({{"role", "user"}, {"content", content}})})};
      }};
}

}  // namespace

mcp::Group group(const Services& services) {
  mcp::Group out{.name = "substrate", .instructions = std::string(instructions())};
  out.tools.push_back(make_tool(ingest_tool(services)));
  out.tools.push_back(make_tool(query_tool(services)));
  out.tools.push_back(make_tool(remember_tool(services)));
  out.tools.push_back(make_tool(maintain_tool(services)));
  out.resources.push_back(resource("memory://policy", "memory_policy", "Memory policy",
                                   "Who decides what, and the rules that writes must pass.",
                                   policy_text));
  out.resources.push_back(resource("memory://agent-playbook", "memory_agent_playbook",
                                   "Agent playbook", "How to work with memory, step by step.",
                                   playbook_text));
  out.resources.push_back(resource("memory://mcp-api-summary", "memory_mcp_api_summary",
                                   "API summary", "The four tools, their modes and options.",
                                   api_summary_text));
  out.prompts.push_back(prompt("memory_task_start", "Start a task with memory",
                               "Look up what is known before starting work.", "task",
                               "The task about to be started.", task_start_prompt));
  out.prompts.push_back(prompt("memory_review", "Review what to remember",
                               "Decide at the end of a task what should survive it.", "outcome",
                               "What the task led to.", review_prompt));
  return out;
}

}  // namespace holdfast::surface::substrate
