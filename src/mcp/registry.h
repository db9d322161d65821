// What an MCP server offers: tools, resources, templates and prompts, in groups. A surface makes a
// Group, app/ adds it to the Registry at the start; afterwards the Registry is only read, hence
// thread-safe.
//
//   Group group{.name = "substrate", .instructions = kInstructions};
//   group.tools.push_back({.name = "memory_query",
//                          .title = "Query memory",
//                          .description = "…when to use it and what comes back…",
//                          .input_schema = query_schema(),
//                          .hints = {.read_only = true, .open_world = false},
//                          .scope = "read",
//                          .run = [&](const ToolCall& call) { return tools.query(call); }});
//   HOLDFAST_CHECK_OK(registry.add(std::move(group)));
//
// Nothing here is about protocol revisions: the engine leaves out what a client's revision does not
// know.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/client.h"
#include "mcp/mirrored.h"
#include "model/call_context.h"
#include "model/value.h"

namespace holdfast::mcp {

// Questions to the user or the model of a modern client, to be answered in its next request.
struct InputRound {
  // Server-chosen key → {"method": "elicitation/create", "params": {…}}; also
  // sampling/createMessage and roots/list. A method whose capability the client lacks refuses the
  // call.
  Value requests = {};
  // Comes back as Client::state() in the next round; signed, bound to this request and caller, good
  // for ten minutes. null: none.
  Value state = {};
};

// One call of a tool.
struct ToolCall {
  // Who calls, in which space, until when. idempotency_key is set when the call may be sent again
  // after a failure (the owner of the data folder died): a tool that writes must not write twice
  // for one key.
  const CallContext& call;
  const Value& arguments;  // an object; {} if the client sent none. Not validated.
  Client& client;
  // Where relative paths of the caller begin: it may be another process of this machine than the
  // one that answers. Empty: not known.
  std::string working_folder = {};
};

struct ToolResult {
  std::string text = {};  // becomes one text block, unless `content` is given
  Value content = {};     // an array of content blocks, verbatim
  // Sent as structuredContent where the revision knows it; without text and content also as a text
  // block of JSON. A tool with an output_schema must give it.
  Value structured = {};
  bool is_error = false;                 // wrong input, or the tool's own work failed
  std::optional<InputRound> input = {};  // instead of a result: ask first
};

// An Error of code kInternal or kCorrupted becomes the JSON-RPC error "internal" and its detail
// goes to the log; every other Error a result with is_error and the Error's message.
using ToolRun = std::function<Result<ToolResult>(const ToolCall&)>;

// What a client may think of a tool before calling it; left out where nothing is said.
struct ToolHints {
  std::optional<bool> read_only = {};
  std::optional<bool> destructive = {};
  std::optional<bool> idempotent = {};
  std::optional<bool> open_world = {};
};

struct Tool {
  std::string name;  // [A-Za-z0-9_.-]{1,64}
  std::string title = {};
  std::string description;
  // JSON Schema 2020-12 with root type object, sent unchanged; null: a tool without parameters. A
  // property with "x-mcp-header": "N" is mirrored in the header Mcp-Param-N (mirrored.h).
  Value input_schema = {};
  Value output_schema = {};  // null: none
  ToolHints hints = {};
  // The scope a caller needs: "read", "write", "admin"; empty: none. Over HTTP a call without it is
  // answered 403 before `run`; spaces and finer rights are the service's to judge.
  std::string scope = {};
  std::vector<std::string> needs = {};  // client capabilities without which it cannot work
  ToolRun run;
};

struct ResourceContent {
  std::string text = {};
  std::string blob = {};                 // raw bytes; given instead of text
  std::string mime_type = {};            // empty: the resource's own
  std::optional<InputRound> input = {};  // instead of content: ask first
};

// What reading a resource or getting a prompt is given.
struct ItemCall {
  const CallContext& call;
  Client& client;
  const std::string& item;                            // the prompt's name, the resource's URI
  std::map<std::string, std::string> arguments = {};  // of the prompt, or the template's variables
};

struct Resource {
  std::string uri;
  std::string name;
  std::string title = {};
  std::string description = {};
  std::string mime_type = "text/plain";
  // A document of the program, the same for everyone: clients may keep it. false: it shows stored
  // data.
  bool fixed = false;
  std::function<Result<ResourceContent>(const ItemCall&)> read;  // kNotFound: not for this caller
};

// What completion may offer for an argument, given the others; at most 100 reach the client.
using Complete =
    std::function<std::vector<std::string>(const std::string& argument, const std::string& value,
                                           const std::map<std::string, std::string>& others)>;

struct ResourceTemplate {
  std::string uri_template;  // memory://thing/{id}/data: each variable is one or more non-slashes
  std::string name;
  std::string title = {};
  std::string description = {};
  std::string mime_type = "text/plain";
  std::function<Result<ResourceContent>(const ItemCall&)> read;
  Complete complete = {};
};

struct PromptArgument {
  std::string name;
  std::string description = {};
  bool required = false;
};

struct PromptResult {
  std::string description = {};
  Value messages = {};                   // [{"role": "user", "content": {…}}]
  std::optional<InputRound> input = {};  // instead of messages: ask first
};

struct Prompt {
  std::string name;
  std::string title = {};
  std::string description;
  std::vector<PromptArgument> arguments = {};
  // `arguments` of the call holds only texts; the required ones are there.
  std::function<Result<PromptResult>(const ItemCall&)> get;
  Complete complete = {};
};

// What is advertised beside tools, resources and prompts. A feature is on if any group has it.
struct Features {
  bool list_changed = false;  // of tools, resources and prompts
  bool subscribe = false;     // to resources
  bool completions = false;
  bool logging = false;
};

struct Group {
  std::string name;
  std::string instructions = {};  // joined with those of other groups, in the order of adding
  Features features = {};
  std::vector<Tool> tools = {};
  std::vector<Resource> resources = {};
  std::vector<ResourceTemplate> templates = {};
  std::vector<Prompt> prompts = {};
};

class Registry {
 public:
  // kInvalidArgument names the item that cannot be: a bad or taken name, no description, a schema
  // whose root is no object, a wrong x-mcp-header. The registry is then unchanged.
  Status add(Group group);

  const std::string& instructions() const { return instructions_; }
  const Features& features() const { return features_; }

  // nullptr if there is none. The address stays as long as the registry.
  const Tool* tool(std::string_view name) const;
  const Resource* resource(std::string_view uri) const;
  const Prompt* prompt(std::string_view name) const;
  const ResourceTemplate* resource_template(std::string_view uri_template) const;
  // The template that a URI belongs to, and its variables.
  struct TemplateMatch {
    const ResourceTemplate* item = nullptr;
    std::map<std::string, std::string> variables = {};
  };
  TemplateMatch match_template(std::string_view uri) const;
  // Whether reading it could succeed.
  bool has_resource(std::string_view uri) const;
  // The arguments of a tool that headers repeat.
  const std::vector<MirroredParameter>& mirrored(const Tool& tool) const;

  // Ordered by name or URI, bytewise.
  const std::map<std::string, Tool, std::less<>>& tools() const { return tools_; }
  const std::map<std::string, Resource, std::less<>>& resources() const { return resources_; }
  const std::map<std::string, ResourceTemplate, std::less<>>& templates() const {
    return templates_;
  }
  const std::map<std::string, Prompt, std::less<>>& prompts() const { return prompts_; }

 private:
  Status check(const Group& group) const;

  std::string instructions_;
  Features features_;
  std::map<std::string, Tool, std::less<>> tools_;
  std::map<std::string, std::vector<MirroredParameter>, std::less<>> mirrored_;  // by tool
  std::map<std::string, Resource, std::less<>> resources_;
  std::map<std::string, ResourceTemplate, std::less<>> templates_;
  std::map<std::string, Prompt, std::less<>> prompts_;
};

}  // namespace holdfast::mcp
