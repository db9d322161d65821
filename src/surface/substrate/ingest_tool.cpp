// memory_ingest: its modes.
#include "surface/substrate/ingest_encode.h"
#include "surface/substrate/tools.h"

namespace holdfast::surface::substrate {
namespace {

using namespace service::substrate;
using wire::Schema;

struct IngestOptionsInput {
  bool force = false;
};

const Schema<IngestOptionsInput>& ingest_options_schema() {
  static const auto schema = Schema<IngestOptionsInput>().optional(
      "force", &IngestOptionsInput::force, "Repositories: take local agent state in as well.");
  return schema;
}

// Progress and cancellation of the client, as a long ingest wants them.
IngestWatch watch_of(mcp::Client& client) {
  return {.progress =
              [&client](int64_t done, int64_t total, std::string_view what) {
                mcp::Progress report{.done = static_cast<double>(done),
                                     .message = std::string(what)};
                if (total > 0) report.total = static_cast<double>(total);
                client.progress(report);
              },
          .cancelled = [&client] { return client.cancelled(); }};
}

struct RepoInput {
  std::string path = {};
  std::vector<std::string> include_patterns = {};
  std::vector<std::string> exclude_patterns = {};
};

Mode repo_mode(IngestService& service) {
  return make_mode(
      "repo",
      Schema<RepoInput>()
          .required("path", &RepoInput::path, "An absolute folder.")
          .optional("include_patterns", &RepoInput::include_patterns, "Only what matches these.")
          .optional("exclude_patterns", &RepoInput::exclude_patterns,
                    "Nothing that matches these."),
      ingest_options_schema(),
      [&](const ModeCall& call, const RepoInput& in,
          const IngestOptionsInput& options) -> Result<Value> {
        HOLDFAST_TRY(const auto answer, service.repo(call.call,
                                                     {.path = from_caller(call, in.path),
                                                      .include_patterns = in.include_patterns,
                                                      .exclude_patterns = in.exclude_patterns,
                                                      .force = options.force},
                                                     watch_of(call.client)));
        return encode(answer);
      });
}

struct PathInput {
  std::string path = {};
};

Mode file_mode(const std::string& name, FileKind kind, IngestService& service) {
  return make_mode(
      name, Schema<PathInput>().required("path", &PathInput::path, "An absolute path."),
      ingest_options_schema(),
      [&service, kind](const ModeCall& call, const PathInput& in,
                       const IngestOptionsInput&) -> Result<Value> {
        HOLDFAST_TRY(const auto answer,
                     service.file(call.call, {.kind = kind, .path = from_caller(call, in.path)}));
        return encode(answer);
      });
}

struct UrlInput {
  std::string url = {};
};

Mode web_mode(IngestService& service) {
  return make_mode(
      "web", Schema<UrlInput>().required("url", &UrlInput::url, "http or https."),
      ingest_options_schema(),
      [&](const ModeCall& call, const UrlInput& in, const IngestOptionsInput&) -> Result<Value> {
        HOLDFAST_TRY(const auto answer, service.web(call.call, {.url = in.url}));
        return encode(answer);
      });
}

struct MessageInput {
  std::string role = {};
  std::string content = {};
  std::optional<std::string> name = std::nullopt;
  std::optional<std::string> created_at = std::nullopt;
  std::optional<Value> metadata = std::nullopt;
};
struct ConversationInput {
  std::string title = {};
  std::vector<MessageInput> messages = {};
  std::optional<Value> origin = std::nullopt;
};

Mode conversation_mode(IngestService& service) {
  return make_mode(
      "conversation",
      Schema<ConversationInput>()
          .required("title", &ConversationInput::title, "What it was about.")
          .required("messages", &ConversationInput::messages,
                    Schema<MessageInput>()
                        .required("role", &MessageInput::role, "user, assistant, ...")
                        .required("content", &MessageInput::content, "What was said.")
                        .optional("name", &MessageInput::name)
                        .optional("created_at", &MessageInput::created_at)
                        .optional("metadata", &MessageInput::metadata, free_form()),
                    "In order.")
          .optional("origin", &ConversationInput::origin, free_form(), "Where it took place."),
      ingest_options_schema(),
      [&](const ModeCall& call, const ConversationInput& in,
          const IngestOptionsInput&) -> Result<Value> {
        ConversationIngestRequest request{.title = in.title, .origin = in.origin};
        for (const MessageInput& message : in.messages) {
          request.messages.push_back({.role = message.role, .content = message.content});
        }
        HOLDFAST_TRY(const auto answer, service.conversation(call.call, request));
        return encode(answer);
      });
}

}  // namespace

ModeTool ingest_tool(const Services& services) {
  IngestService& service = services.ingest;
  return {
      .name = "memory_ingest",
      .title = "Ingest evidence",
      .description =
          "Capture evidence: a repository, a file, a Markdown or PDF document, a web page or a "
          "conversation becomes a source with segments that knowledge can cite. It decides "
          "nothing: "
          "read the source, query memory, and store what should last with memory_remember. A "
          "repository that has not changed answers noop; local agent state is left out and listed "
          "as "
          "pending_decisions.",
      .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = true},
      .scope = "write",
      .modes = {repo_mode(service), file_mode("file", FileKind::kFile, service),
                file_mode("markdown", FileKind::kMarkdown, service), web_mode(service),
                file_mode("pdf", FileKind::kPdf, service), conversation_mode(service)}};
}

}  // namespace holdfast::surface::substrate
