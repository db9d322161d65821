// Capturing evidence: repositories, files, Markdown, web pages, PDF files and conversations become
// sources with segments, nodes and an activity, each call in one patch. What should be believed
// because of them is for the caller to decide; the answer only suggests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/gatekeeper.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "model/call_context.h"
#include "model/value.h"
#include "search/index.h"
#include "service/substrate/concept_candidates.h"
#include "service/substrate/document_source.h"
#include "service/substrate/stored.h"
#include "service/substrate/web_fetcher.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

// How a caller follows a long ingest. Both may be empty; both are called on the caller's thread.
struct IngestWatch {
  // Work done and in all, in files; the total is 0 while it is not known.
  std::function<void(int64_t done, int64_t total, std::string_view what)> progress = {};
  // Asked between files and before the write; true ends the call with kUnavailable, reason
  // kCancelled, and nothing written.
  std::function<bool()> cancelled = {};
};

namespace reason {
inline constexpr std::string_view kCancelled = "ingest_cancelled";
inline constexpr std::string_view kPathRefused = "ingest_path_refused";
}  // namespace reason

struct RepoIngestRequest {
  std::string path = {};
  std::vector<std::string> include_patterns = {};
  std::vector<std::string> exclude_patterns = {};
  bool force = false;  // scan agent state too, and hash every file again
};

enum class FileKind : uint8_t { kFile, kMarkdown, kPdf };

struct FileIngestRequest {
  FileKind kind = FileKind::kFile;
  std::string path = {};
};

struct WebIngestRequest {
  std::string url = {};
};

struct ConversationMessage {
  std::string role = {};
  std::string content = {};
};

struct ConversationIngestRequest {
  std::string title = {};
  std::vector<ConversationMessage> messages = {};
  std::optional<Value> origin = std::nullopt;  // free-form; nothing: the title
};

// Advice that goes with every answer.
struct MemorySuggestions {
  std::string source_id = {};
  std::vector<ConceptCandidate> candidates = {};  // at most 5, of this source
  CandidateDiagnostics diagnostics = {};
};

struct DocumentIngestResponse {
  std::string patch_id = {};
  std::string source_id = {};
  std::string node_id = {};      // empty for a binary file
  std::string activity_id = {};  // empty for a binary file
  int64_t segment_count = 0;
  int64_t applied_operations = 0;
  std::vector<std::string> audit_event_ids = {};
  int64_t projection_count = 0;
  MemorySuggestions suggestions = {};
};

struct RepoIngestResponse {
  bool noop = false;          // nothing changed since the stored scan; nothing was written
  std::string patch_id = {};  // empty with noop
  std::string source_id = {};
  std::vector<std::string> node_ids = {};
  std::vector<std::string> knowledge_ids = {};
  std::string activity_id = {};
  int64_t applied_operations = 0;
  std::vector<std::string> audit_event_ids = {};
  int64_t projection_count = 0;
  std::vector<std::string> agent_state = {};  // local agent state met at the top level, sorted
  bool agent_state_excluded = false;          // false with force
  MemorySuggestions suggestions = {};

  std::vector<std::string> pending() const {
    return agent_state_excluded ? agent_state : std::vector<std::string>();
  }
};

struct IngestLimits {
  size_t max_document_bytes = size_t{16} << 20;  // file, markdown, pdf, conversation, web
  size_t max_repo_files = 200'000;
  std::chrono::seconds web_timeout{20};
  // Each fetch holds a thread that others need for as long as the page's server likes.
  size_t max_fetches = 8;                          // at once
  std::chrono::milliseconds fetch_patience{2000};  // for one of them to end
};

// Whether web pages at addresses that are not public may be fetched.
enum class PrivateUrls : uint8_t { kNever, kLocalOwner, kAlways };

struct IngestOptions {
  PrivateUrls private_urls = PrivateUrls::kLocalOwner;
  // Callers other than the local owner may read only below these folders. The local owner reads
  // what the server's account can read.
  std::vector<std::string> roots = {};
  bool pdf_text = false;  // extract the text of PDF files (needs pdftotext); else they are stubs
  IngestLimits limits = {};
};

// Thread-safe. Errors common to all: kInvalidArgument with the contract's sentence in `message`
// (no such file, bytes that are no UTF-8, a refused URL), kTooLarge, kPermissionDenied with
// kPathRefused, kUnavailable.
class IngestService {
 public:
  IngestService(storage::Store& store, const access::Gatekeeper& gatekeeper,
                const search::Index& index, const Clock& clock, WebFetcher& fetcher,
                IngestOptions options)
      : store_(store),
        gatekeeper_(gatekeeper),
        index_(index),
        clock_(clock),
        fetcher_(fetcher),
        options_(std::move(options)) {}

  Result<RepoIngestResponse> repo(const CallContext& call, const RepoIngestRequest& request,
                                  const IngestWatch& watch = {});
  Result<DocumentIngestResponse> file(const CallContext& call, const FileIngestRequest& request);
  Result<DocumentIngestResponse> web(const CallContext& call, const WebIngestRequest& request);
  Result<DocumentIngestResponse> conversation(const CallContext& call,
                                              const ConversationIngestRequest& request);

 private:
  // One document: source, node and activity in one patch.
  Result<DocumentIngestResponse> write_document(const CallContext& call,
                                                const CapturedDocument& document);
  Result<DocumentIngestResponse> write_stub(const CallContext& call, const BinaryFile& file);
  Result<DocumentIngestResponse> pdf(const CallContext& call, const BinaryFile& file);
  // When it is its turn; kUnavailable if that takes too long.
  Result<FetchedPage> fetch(const FetchOrder& order);

  struct RepoVisit;
  Status look(RepoVisit& visit, const RepoIngestRequest& request);
  Result<RepoIngestResponse> write_repo(const RepoVisit& visit);
  // Nothing changed: the answer from what is stored.
  Result<RepoIngestResponse> repeat_repo(const RepoVisit& visit, const Stored& stored);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
  const search::Index& index_;
  const Clock& clock_;
  WebFetcher& fetcher_;
  IngestOptions options_;
  Mutex mutex_;
  CondVar fetched_;
  size_t fetching_ HOLDFAST_GUARDED_BY(mutex_) = 0;
};

}  // namespace holdfast::service::substrate
