// memory_query: its modes.
#include "service/substrate/words.h"
#include "surface/substrate/compact_page.h"
#include "surface/substrate/encode_query.h"
#include "surface/substrate/shared_schemas.h"
#include "surface/substrate/tools.h"

namespace holdfast::surface::substrate {
namespace {

using service::substrate::QueryService;
using wire::at_least;
using wire::range;
using wire::Schema;

struct ContextInput {
  std::string task = {};
  FiltersInput scope = {};
};
struct ContextOptions {
  int64_t max_items = 12;
  std::optional<std::string> graph_backend = std::nullopt;
};

Mode context_mode(QueryService& service) {
  return make_mode(
      "context",
      Schema<ContextInput>()
          .required("task", &ContextInput::task, "What you are about to do, in one sentence.")
          .optional("scope", &ContextInput::scope, filters_schema(), "What to limit it to."),
      Schema<ContextOptions>()
          .optional("max_items", &ContextOptions::max_items, at_least(1), "How many items.")
          .optional("graph_backend", &ContextOptions::graph_backend, graph_backends()),
      [&](const ModeCall& call, const ContextInput& in,
          const ContextOptions& options) -> Result<Value> {
        HOLDFAST_TRY(const auto answer,
                     service.context(call.call, {.task = in.task,
                                                 .scope = in.scope.filters(),
                                                 .max_items = options.max_items,
                                                 .graph_backend = options.graph_backend}));
        return encode_context(answer);
      });
}

struct SearchInput {
  std::string query = {};
};
struct SearchOptions {
  int64_t max_items = 10;
  FiltersInput filters = {};
  std::optional<std::string> graph_backend = std::nullopt;
  std::optional<std::string> semantic_backend = std::nullopt;
};

Mode search_mode(QueryService& service) {
  return make_mode(
      "search",
      Schema<SearchInput>().required("query", &SearchInput::query,
                                     "Words, a phrase, an id or a path."),
      Schema<SearchOptions>()
          .optional("max_items", &SearchOptions::max_items, at_least(1), "How many hits.")
          .optional("filters", &SearchOptions::filters, filters_schema(), "What to limit it to.")
          .optional("graph_backend", &SearchOptions::graph_backend, graph_backends())
          .optional("semantic_backend", &SearchOptions::semantic_backend, semantic_backends()),
      [&](const ModeCall& call, const SearchInput& in,
          const SearchOptions& options) -> Result<std::string> {
        HOLDFAST_TRY(const auto answer,
                     service.search(call.call, {.query = in.query,
                                                .max_items = options.max_items,
                                                .filters = options.filters.filters(),
                                                .graph_backend = options.graph_backend,
                                                .semantic_backend = options.semantic_backend}));
        return write_search(answer);
      });
}

struct ExpandInput {
  std::optional<std::string> id = std::nullopt;
  std::vector<std::string> ids = {};
};
struct ExpandOptions {
  std::optional<int64_t> max_items = std::nullopt;
  bool include_segments = true;
  int64_t snippet_chars = 360;
  int64_t per_id_max_items = 5;
};

Mode expand_mode(QueryService& service) {
  return make_mode(
      "expand",
      Schema<ExpandInput>()
          .optional("id", &ExpandInput::id, "The object to start from.")
          .optional("ids", &ExpandInput::ids, "Several of them, within one budget."),
      Schema<ExpandOptions>()
          .optional("max_items", &ExpandOptions::max_items, at_least(1),
                    "How many items in all: 10, or 20 with ids.")
          .optional("include_segments", &ExpandOptions::include_segments, "Excerpts of evidence.")
          .optional("snippet_chars", &ExpandOptions::snippet_chars, range(40, 4000))
          .optional("per_id_max_items", &ExpandOptions::per_id_max_items, at_least(1)),
      [&](const ModeCall& call, const ExpandInput& in,
          const ExpandOptions& options) -> Result<Value> {
        if (!in.ids.empty()) {
          std::vector<std::string> ids = in.ids;
          if (in.id) ids.insert(ids.begin(), *in.id);
          HOLDFAST_TRY(const auto answer,
                       service.expand_many(call.call, {.ids = std::move(ids),
                                                       .max_items = options.max_items.value_or(20),
                                                       .per_id_max_items = options.per_id_max_items,
                                                       .include_segments = options.include_segments,
                                                       .snippet_chars = options.snippet_chars}));
          return encode_expanded_many(answer);
        }
        if (!in.id) {
          return invalid_argument("memory_query expand requires input_data.id or input_data.ids.");
        }
        HOLDFAST_TRY(const auto answer,
                     service.expand(call.call, {.id = *in.id,
                                                .max_items = options.max_items.value_or(10),
                                                .include_segments = options.include_segments,
                                                .snippet_chars = options.snippet_chars}));
        return encode_expanded(answer);
      });
}

struct IdInput {
  std::string id = {};
};
struct PageOptions {
  std::string detail = "compact";
  int64_t max_items = 10;
  bool include_segments = false;
  int64_t snippet_chars = 360;
};

Mode page_mode(QueryService& service) {
  return make_mode(
      "page", Schema<IdInput>().required("id", &IdInput::id, "The object to read."),
      Schema<PageOptions>()
          .optional("detail", &PageOptions::detail, wire::one_of({"compact", "full"}))
          .optional("max_items", &PageOptions::max_items, at_least(1), "Entries of each list.")
          .optional("include_segments", &PageOptions::include_segments)
          .optional("snippet_chars", &PageOptions::snippet_chars, range(40, 4000)),
      [&](const ModeCall& call, const IdInput& in, const PageOptions& options) -> Result<Value> {
        HOLDFAST_TRY(auto page, service.page(call.call, in.id));
        if (!page) return encode_missing_page(in.id);
        return encode_page(std::move(*page),
                           {.full = options.detail == "full",
                            .max_items = static_cast<size_t>(options.max_items),
                            .include_segments = options.include_segments,
                            .snippet_chars = static_cast<size_t>(options.snippet_chars)});
      });
}

struct RecentOptions {
  int64_t max_items = 10;
  FiltersInput filters = {};
};

Mode recent_mode(QueryService& service) {
  return make_mode(
      "recent", Schema<NoInput>(),
      Schema<RecentOptions>()
          .optional("max_items", &RecentOptions::max_items, at_least(1), "How many items.")
          .optional("filters", &RecentOptions::filters, filters_schema(), "What to limit it to."),
      [&](const ModeCall& call, const NoInput&, const RecentOptions& options) -> Result<Value> {
        HOLDFAST_TRY(const auto items,
                     service.recent(call.call, {.max_items = options.max_items,
                                                .filters = options.filters.filters()}));
        return encode_recent(items);
      });
}

struct GraphOptions {
  int64_t max_items = 10;
  std::optional<std::string> graph_backend = std::nullopt;
};

Mode graph_mode(QueryService& service) {
  return make_mode(
      "graph", Schema<IdInput>().required("id", &IdInput::id, "The object in the middle."),
      Schema<GraphOptions>()
          .optional("max_items", &GraphOptions::max_items, at_least(1), "How many nodes.")
          .optional("graph_backend", &GraphOptions::graph_backend, graph_backends()),
      [&](const ModeCall& call, const IdInput& in, const GraphOptions& options) -> Result<Value> {
        HOLDFAST_TRY(const auto answer,
                     service.graph(call.call, {.id = in.id,
                                               .max_items = options.max_items,
                                               .graph_backend = options.graph_backend}));
        return encode_graph(in.id, answer);
      });
}

struct SliceInput {
  std::string source_id = {};
  std::optional<std::string> path = std::nullopt;
  std::optional<int64_t> line_start = std::nullopt;
  std::optional<int64_t> line_end = std::nullopt;
  std::optional<std::string> segment_id = std::nullopt;
};
struct SliceOptions {
  int64_t max_lines = 120;
  int64_t snippet_chars = 8000;
};

Mode slice_mode(service::substrate::SliceService& service) {
  return make_mode(
      "source_slice",
      Schema<SliceInput>()
          .required("source_id", &SliceInput::source_id, "The source to read from.")
          .optional("path", &SliceInput::path, "A file of a repository, relative to it.")
          .optional("line_start", &SliceInput::line_start, at_least(1))
          .optional("line_end", &SliceInput::line_end, at_least(1))
          .optional("segment_id", &SliceInput::segment_id, "Instead of path and lines."),
      Schema<SliceOptions>()
          .optional("max_lines", &SliceOptions::max_lines, range(1, 500))
          .optional("snippet_chars", &SliceOptions::snippet_chars, range(40, 20000)),
      [&](const ModeCall& call, const SliceInput& in,
          const SliceOptions& options) -> Result<Value> {
        HOLDFAST_TRY(const auto slice,
                     service.slice(call.call, {.source_id = in.source_id,
                                               .path = in.path,
                                               .line_start = in.line_start,
                                               .line_end = in.line_end,
                                               .segment_id = in.segment_id,
                                               .max_lines = options.max_lines,
                                               .snippet_chars = options.snippet_chars}));
        return encode_slice(slice, options.max_lines, options.snippet_chars);
      });
}

}  // namespace

ModeTool query_tool(const Services& services) {
  return {
      .name = "memory_query",
      .title = "Query memory",
      .description =
          "Read persistent memory. Start a task with mode context (what matters for it, within "
          "a budget) or search (words, ids, paths); then expand or page the ids you need. recent "
          "lists the latest changes, graph what refers to an object, source_slice lines of an "
          "ingested source. Retry with other words when a result is weak. Changes nothing.",
      .hints = {.read_only = true, .open_world = false},
      .scope = "read",
      .modes = {context_mode(services.query), expand_mode(services.query),
                page_mode(services.query), recent_mode(services.query), search_mode(services.query),
                graph_mode(services.query), slice_mode(services.slices)}};
}

}  // namespace holdfast::surface::substrate
