#include "service/native/context_service.h"

#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "service/native/record.h"

namespace holdfast::service {
namespace {

constexpr int64_t kCharactersPerToken = 4;
constexpr size_t kMaxEntryCharacters = 1200;

int64_t tokens_in(std::string_view text) {
  return (static_cast<int64_t>(count_code_points(text)) + kCharactersPerToken - 1) /
         kCharactersPerToken;
}

// What an entry says: its title and the piece of text that fits best.
std::string entry_text(const SearchHit& hit) {
  std::string text = hit.title.empty() ? hit.snippet : hit.title + ": " + hit.snippet;
  if (count_code_points(text) > kMaxEntryCharacters) {
    text = std::string(prefix_code_points(text, kMaxEntryCharacters - 1)) + "…";
  }
  return text;
}

// Hands out the budget and keeps an object from appearing twice.
class Budget {
 public:
  explicit Budget(int64_t tokens) : left_(tokens) {}

  void fill(ContextSection& section, std::vector<ContextEntry> entries) {
    for (ContextEntry& entry : entries) {
      if (seen_.contains(entry.key)) continue;
      entry.tokens = tokens_in(entry.text);
      if (entry.tokens > left_) {
        ++section.left_out;
        continue;
      }
      left_ -= entry.tokens;
      seen_.insert(entry.key);
      section.entries.push_back(std::move(entry));
    }
  }
  int64_t left() const { return left_; }

 private:
  int64_t left_;
  std::set<ObjectKey> seen_;
};

// A capsule is told by its own summary, where it has one, and then by what it lists.
std::string capsule_text(SearchHit hit) {
  if (!hit.summary.empty() && hit.summary != hit.snippet)
    hit.snippet = hit.summary + (hit.snippet.empty() ? "" : "\n") + hit.snippet;
  return entry_text(hit);
}

SearchRequest scoped(const ContextRequest& request, int64_t limit) {
  return {.container = request.container,
          .task = request.task,
          .repository = request.repository,
          .limit = limit};
}

FacetCondition only_open() {
  return {.name = std::string(shared_facet::kWorkState), .any_of = {"open"}};
}

}  // namespace

Result<ContextSection> ContextService::section(const CallContext& call, std::string name,
                                               const SearchRequest& request) {
  HOLDFAST_TRY(const SearchResponse found, search_.search(call, request));
  ContextSection section{.name = std::move(name)};
  for (const SearchHit& hit : found.hits) {
    section.entries.push_back({.key = hit.object.key, .text = entry_text(hit), .at = hit.at});
  }
  return section;
}

// Of the task and the thread at hand; without them the newest.
Result<ContextSection> ContextService::capsules(const CallContext& call,
                                                const ContextRequest& request) {
  SearchRequest wanted{.kinds = {capsule_kind_}, .limit = kCapsuleLimit};
  std::vector<SearchRequest> searches;
  if (!request.task.empty()) searches.emplace_back(wanted).task = request.task;
  if (!request.thread.empty()) searches.emplace_back(wanted).thread = request.thread;
  if (searches.empty()) searches.push_back(wanted);
  ContextSection section{.name = "capsule"};
  for (const SearchRequest& search : searches) {
    HOLDFAST_TRY(const SearchResponse found, search_.search(call, search));
    for (const SearchHit& hit : found.hits)
      section.entries.push_back({.key = hit.object.key, .text = capsule_text(hit), .at = hit.at});
  }
  return section;
}

Result<std::vector<ContextSection>> ContextService::gather(const CallContext& call,
                                                           const ContextRequest& request) {
  std::vector<ContextSection> sections;
  HOLDFAST_TRY(ContextSection orientation, capsules(call, request));
  if (!orientation.entries.empty()) sections.push_back(std::move(orientation));
  SearchRequest due = scoped(request, kDueLimit);
  due.due_by_now = true;
  due.facets = {
      {.name = std::string(shared_facet::kWorkState), .any_of = {"done"}, .exclude = true}};
  HOLDFAST_TRY(sections.emplace_back(), section(call, "due_reminders", due));
  SearchRequest open = scoped(request, kOpenLimit);
  open.facets = {only_open()};
  HOLDFAST_TRY(sections.emplace_back(), section(call, "open_work", open));
  if (!trim_space(request.query).empty()) {
    SearchRequest relevant = scoped(request, kRelevantLimit);
    relevant.query = request.query;
    HOLDFAST_TRY(sections.emplace_back(), section(call, "relevant", relevant));
  }
  SearchRequest recent = scoped(request, kRecentLimit);
  recent.thread = request.thread;
  HOLDFAST_TRY(sections.emplace_back(), section(call, "recent", recent));
  return sections;
}

Result<ContextResponse> ContextService::context(const CallContext& call,
                                                const ContextRequest& request) {
  HOLDFAST_CHECK_OK(gatekeeper_.require(call, access::Permission::kRead));
  HOLDFAST_TRY(std::vector<ContextSection> gathered, gather(call, request));
  ContextResponse response{.space = call.viewer.space, .token_budget = request.token_budget};
  Budget budget(request.token_budget);
  for (ContextSection& section : gathered) {
    ContextSection fitted{.name = section.name};
    budget.fill(fitted, std::move(section.entries));
    response.sections.push_back(std::move(fitted));
  }
  response.tokens = request.token_budget - budget.left();
  return response;
}

}  // namespace holdfast::service
