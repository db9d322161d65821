// A tool of this surface: `args` is one of several shapes, told apart by `mode`. A mode is declared
// once, by the schemas of its input and options and the function that answers it; validation and
// the advertised schema follow.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "mcp/registry.h"
#include "model/call_context.h"
#include "model/json_text.h"
#include "model/value.h"
#include "wire/schema.h"

namespace holdfast::surface::substrate {

// Lenient scalars, strict members, null as absent: stated once for the surface.
const wire::Strictness& strictness();

// What a mode is given: who calls, and the client for progress and cancellation.
struct ModeCall {
  const CallContext& call;
  mcp::Client& client;
  std::string working_folder = {};  // see mcp::ToolCall
};

struct Mode {
  std::string name;
  Value schema;  // of `args`
  // Reads `args` and answers with the text that callers see. kInvalidArgument with issues for what
  // cannot be read.
  std::function<Result<std::string>(const ModeCall&, const Value& args)> run;
};

template <typename Input, typename Options>
struct ModeArgs {
  std::string mode = {};
  Input input_data = {};
  Options options = {};
};

// A mode without options still takes an empty object.
struct NoOptions {};
struct NoInput {};

inline Result<std::string> answer_text(Result<std::string> answer) { return answer; }
inline Result<std::string> answer_text(const Result<Value>& answer) {
  if (!answer) return answer.error();
  return to_pretty_json(*answer);
}

// `answer(call, input, options)` gives a Result of a Value, or of its text.
template <typename Input, typename Options, typename Answer>
Mode make_mode(const std::string& name, const wire::Schema<Input>& input,
               const wire::Schema<Options>& options, Answer answer) {
  using Args = ModeArgs<Input, Options>;
  const auto schema =
      wire::Schema<Args>()
          .required("mode", &Args::mode, wire::one_of({name}), "Selects what is done.")
          .required("input_data", &Args::input_data, input, "What the mode works on; may be {}.")
          .optional("options", &Args::options, options, "How it is done.");
  return {.name = name,
          .schema = schema.json_schema(strictness()),
          .run = [schema, answer = std::move(answer)](const ModeCall& call,
                                                      const Value& args) -> Result<std::string> {
            HOLDFAST_TRY(const Args read, schema.read_body(args, strictness()));
            return answer_text(answer(call, read.input_data, read.options));
          }};
}

struct ModeTool {
  std::string name;
  std::string title;
  std::string description;
  mcp::ToolHints hints = {};
  std::string scope;  // that a caller needs
  std::vector<Mode> modes;
};

mcp::Tool make_tool(const ModeTool& tool);

// A relative path begins where the caller is, which need not be where this process is.
std::string from_caller(const ModeCall& call, const std::string& path);

// An object whose members are the caller's own.
wire::FieldOption free_form();

}  // namespace holdfast::surface::substrate
