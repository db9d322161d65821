#include "service/substrate/ingest_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/substrate/idempotent.h"
#include "service/substrate/ids.h"
#include "service/substrate/ingest_paths.h"
#include "service/substrate/ingest_write.h"
#include "service/substrate/page_count.h"
#include "service/substrate/pdf_text.h"
#include "text/html_text.h"
#include "text/lines.h"

namespace holdfast::service::substrate {
namespace {

using access::Permission;
using access::SpaceAccess;
using storage::WriteTxn;

struct FileWords {
  std::string_view kind;
  std::string_view content_type;
  std::string_view refusal;
};

FileWords file_words(FileKind kind) {
  switch (kind) {
    case FileKind::kFile: return {"file", "text", "File path is not a file"};
    case FileKind::kMarkdown: return {"markdown", "markdown", "File path is not a file"};
    case FileKind::kPdf: return {"pdf", "text", "PDF path is not a file"};
  }
  return {};
}

CapturedDocument file_document(const FileWords& words, const std::string& path, std::string text) {
  return {.kind = std::string(words.kind),
          .title = file_name(path),
          .origin = Value::object({{"path", path}}),
          .ref = path,
          .identity_key = fmt::format("source|{}|{}", words.kind, path),
          .content_type = std::string(words.content_type),
          .text = std::move(text)};
}

ObjectKey key_of(const Source& source) {
  return {.kind = std::string(type_name(ObjectType::kSource)), .id = source.id};
}

std::string rendered(const std::vector<ConversationMessage>& messages) {
  std::string text;
  for (const auto& message : messages) {
    if (!text.empty()) text += "\n\n";
    text += message.role + ": " + message.content;
  }
  return text;
}

bool is_empty(const Value& map) { return map.if_object() == nullptr || map.if_object()->empty(); }

// Where a conversation took place, if its origin says so; else what it was about.
std::string place_in(const Value& origin, const std::string& title) {
  for (const std::string_view name : {"path", "url"}) {
    const Value* place = origin.find(name);
    if (place != nullptr && place->if_string() != nullptr) return *place->if_string();
  }
  return title;
}

// No longer than the call itself may take.
std::chrono::milliseconds time_left(Deadline deadline, std::chrono::milliseconds at_most) {
  if (deadline == kNoDeadline) return at_most;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  return std::clamp(left, std::chrono::milliseconds(1), at_most);
}

}  // namespace

Result<DocumentIngestResponse> IngestService::write_document(const CallContext& call,
                                                             const CapturedDocument& document) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const DocumentObjects made = objects_of(document, clock_.now());
  const auto act = [&](WriteTxn& txn) -> Result<IngestWrite> {
    HOLDFAST_TRY(auto source, upsert(txn, access, ObjectType::kSource, made.source));
    HOLDFAST_TRY(auto node, upsert(txn, access, ObjectType::kNode, made.node));
    HOLDFAST_TRY(auto activity, upsert(txn, access, ObjectType::kActivity, made.activity));
    return write_operations(txn, access, document.kind,
                            {std::move(source), std::move(node), std::move(activity)});
  };
  HOLDFAST_TRY(IngestWrite written,
               write_once<IngestWrite>(
                   store_, call, access, {.operation = "ingest"}, act,
                   [&](const IngestWrite&) { return std::vector{key_of(made.source)}; }));
  HOLDFAST_TRY(auto suggestions, suggest(store_, call, access, made.source, made.node.id));
  HOLDFAST_TRY(const int64_t pages, count_pages(index_, access));
  return DocumentIngestResponse{
      .patch_id = std::move(written.patch_id),
      .source_id = made.source.id,
      .node_id = made.node.id,
      .activity_id = made.activity.id,
      .segment_count = static_cast<int64_t>(made.source.segments.size()),
      .applied_operations = static_cast<int64_t>(written.audit_event_ids.size()),
      .audit_event_ids = std::move(written.audit_event_ids),
      .projection_count = pages,
      .suggestions = std::move(suggestions)};
}

Result<DocumentIngestResponse> IngestService::write_stub(const CallContext& call,
                                                         const BinaryFile& file) {
  HOLDFAST_TRY(const SpaceAccess access, gatekeeper_.require(call, Permission::kWrite));
  const Source made = stub_of(file, clock_.now());
  const auto act = [&](WriteTxn& txn) -> Result<IngestWrite> {
    HOLDFAST_TRY(auto source, upsert(txn, access, ObjectType::kSource, made));
    return write_operations(txn, access, made.kind, {std::move(source)});
  };
  HOLDFAST_TRY(
      IngestWrite written,
      write_once<IngestWrite>(store_, call, access, {.operation = "ingest"}, act,
                              [&](const IngestWrite&) { return std::vector{key_of(made)}; }));
  HOLDFAST_TRY(auto suggestions, suggest(store_, call, access, made, made.id));
  HOLDFAST_TRY(const int64_t pages, count_pages(index_, access));
  return DocumentIngestResponse{
      .patch_id = std::move(written.patch_id),
      .source_id = made.id,
      .applied_operations = static_cast<int64_t>(written.audit_event_ids.size()),
      .audit_event_ids = std::move(written.audit_event_ids),
      .projection_count = pages,
      .suggestions = std::move(suggestions)};
}

Result<DocumentIngestResponse> IngestService::file(const CallContext& call,
                                                   const FileIngestRequest& request) {
  HOLDFAST_TRY(const std::string path, resolve_path(call, options_, request.path));
  const FileWords words = file_words(request.kind);
  HOLDFAST_TRY(std::string bytes,
               read_file(path, words.refusal, options_.limits.max_document_bytes));
  if (request.kind == FileKind::kPdf)
    return pdf(call, {.path = path, .title = file_name(path), .bytes = std::move(bytes)});
  if (!is_valid_utf8(bytes))
    return invalid_argument(fmt::format("The file is not UTF-8 text: {}", path));
  return write_document(call, file_document(words, path, std::move(bytes)));
}

// Some files called PDF are plain text; real ones are kept by their hash, unless reading them is
// switched on.
Result<DocumentIngestResponse> IngestService::pdf(const CallContext& call, const BinaryFile& file) {
  const std::string decoded = text::decode_utf8(file.bytes, text::BadBytes::kDrop);
  std::string_view readable = trim_space(decoded);
  std::string extracted;
  if (readable.starts_with("%PDF")) {
    readable = {};
    if (options_.pdf_text) {
      HOLDFAST_TRY(extracted, pdf_text(file.bytes, options_.limits.max_document_bytes));
      readable = extracted;
    }
  }
  if (readable.empty()) return write_stub(call, file);
  return write_document(
      call, file_document(file_words(FileKind::kPdf), file.path, std::string(readable)));
}

Result<DocumentIngestResponse> IngestService::web(const CallContext& call,
                                                  const WebIngestRequest& request) {
  // Nobody makes us fetch what they could not store.
  HOLDFAST_CHECK_OK(gatekeeper_.require(call, Permission::kWrite));
  // Whoever fetches would stop reading it there, and store another page under this name.
  if (request.url.find('\0') != std::string::npos)
    return invalid_argument("A URL holds no zero byte.");
  const bool private_urls = options_.private_urls == PrivateUrls::kAlways ||
                            (options_.private_urls == PrivateUrls::kLocalOwner && call.local_owner);
  HOLDFAST_TRY(const FetchedPage page,
               fetch({.url = request.url,
                      .allow_private_addresses = private_urls,
                      .max_bytes = options_.limits.max_document_bytes,
                      .timeout = time_left(call.deadline, options_.limits.web_timeout)}));
  std::string body = text::decode_utf8(page.body, text::BadBytes::kReplace);
  if (text::looks_like_html(page.content_type, body)) body = text::html_to_text(body);
  return write_document(call, {.kind = "web",
                               .title = request.url,
                               .origin = Value::object({{"url", request.url}}),
                               .ref = request.url,
                               .identity_key = "source|web|" + request.url,
                               .content_type = "text",
                               .text = std::move(body)});
}

Result<FetchedPage> IngestService::fetch(const FetchOrder& order) {
  const IngestLimits& limits = options_.limits;
  const Deadline until = std::chrono::steady_clock::now() + limits.fetch_patience;
  {
    MutexLock lock(mutex_);
    while (fetching_ >= limits.max_fetches) {
      if (fetched_.wait_until(lock, until)) continue;
      return unavailable(fmt::format(
          "{} pages are being fetched already, and slowly; ingest this one later.", fetching_));
    }
    ++fetching_;
  }
  auto page = fetcher_.fetch(order);
  MutexLock lock(mutex_);
  --fetching_;
  fetched_.notify_one();
  return page;
}

Result<DocumentIngestResponse> IngestService::conversation(
    const CallContext& call, const ConversationIngestRequest& request) {
  std::string text = rendered(request.messages);
  if (text.size() > options_.limits.max_document_bytes) {
    return Error{.code = ErrorCode::kTooLarge,
                 .message = fmt::format("The conversation is larger than {} bytes.",
                                        options_.limits.max_document_bytes)};
  }
  const Value by_title = Value::object({{"title", request.title}});
  const Value origin = request.origin && !is_empty(*request.origin) ? *request.origin : by_title;
  const std::string hash = sha256_hex(text);
  return write_document(
      call, {.kind = "conversation",
             .title = request.title,
             .origin = origin,
             .ref = place_in(origin, request.title),
             .identity_key = fmt::format("source|conversation|{}|{}", request.title, hash),
             .content_type = "structured",
             .text = std::move(text)});
}

}  // namespace holdfast::service::substrate
