#include "surface/native/object_operations.h"

#include <charconv>

#include "base/time_text.h"
#include "surface/native/encode.h"

namespace holdfast::surface::native {
namespace {

using service::AsOf;
using service::ForgetRequest;
using service::ForgetResponse;
using service::GraphRequest;
using service::GraphResponse;
using service::HistoryRequest;
using service::HistoryResponse;
using service::JournalRequest;
using service::JournalResponse;
using service::LinksRequest;
using service::LinksResponse;
using service::ShowRequest;
using service::ShowResponse;
using wire::max_length;
using wire::range;

constexpr const char* kKindHelp = "The object's kind, as search shows it.";
constexpr const char* kIdHelp = "The object's id.";

void read_as_of(const Value& value, AsOf& out, wire::Reading& reading) {
  if (const auto* number = value.if_int(); number != nullptr && *number >= 0) {
    out.position = *number;
    return;
  }
  const auto* text = value.if_string();
  if (text == nullptr) return reading.add_type("time or journal position", value);
  int64_t position = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), position);
  if (error == std::errc() && end == text->data() + text->size() && position >= 0) {
    out.position = position;
  } else if (const auto at = parse_time(*text)) {
    out.at = *at;
  } else {
    reading.add(wire::rule::kFormat, {{"expected", "time or journal position"}}, &value);
  }
}

template <typename T>
wire::Schema<T> object_schema() {
  return wire::Schema<T>().path("kind", &T::kind, kKindHelp).path("id", &T::id, kIdHelp);
}

Value encode_edges(const std::vector<service::GraphEdge>& edges) {
  Value out = Value::array();
  for (const auto& edge : edges) {
    out.push(Value::object({{"from", encode_key(edge.from)},
                            {"relation", edge.relation},
                            {"to", encode_key(edge.to)},
                            {"provenance", edge.provenance}}));
  }
  return out;
}

Value encode_links(const LinksResponse& response) {
  Value links = Value::array();
  for (const auto& link : response.links) {
    links.push(Value::object({{"relation", link.relation},
                              {"direction", link.outgoing ? "out" : "in"},
                              {"kind", link.other.kind},
                              {"id", link.other.id},
                              {"provenance", link.provenance}}));
  }
  return Value::object({{"space", response.space.value},
                        {"kind", response.key.kind},
                        {"id", response.key.id},
                        {"links", std::move(links)}});
}

Value encode_history(const HistoryResponse& response) {
  Value revisions = Value::array();
  for (const auto& revision : response.revisions) revisions.push(encode_revision(revision));
  return Value::object({{"space", response.space.value},
                        {"kind", response.key.kind},
                        {"id", response.key.id},
                        {"revisions", std::move(revisions)}});
}

Value encode_journal(const JournalResponse& response) {
  Value entries = Value::array();
  for (const auto& entry : response.entries) entries.push(encode_entry(entry));
  return Value::object({{"space", response.space.value}, {"entries", std::move(entries)}});
}

Value encode_graph(const GraphResponse& response) {
  Value nodes = Value::array();
  for (const auto& node : response.nodes) {
    nodes.push(Value::object({{"kind", node.key.kind},
                              {"id", node.key.id},
                              {"exists", node.exists},
                              {"distance", node.distance}}));
  }
  return Value::object({{"space", response.space.value},
                        {"nodes", std::move(nodes)},
                        {"edges", encode_edges(response.edges)},
                        {"truncated", response.truncated}});
}

}  // namespace

wire::FieldOption as_of_option() {
  return wire::read_by<AsOf>(
      read_as_of, Value::object({{"type", Value::array({"string", "integer"})},
                                 {"description", "An RFC 3339 time or a journal position."}}));
}

const wire::Operation<ShowRequest, ShowResponse>& show() {
  static const wire::Operation<ShowRequest, ShowResponse> operation{
      .name = "show",
      .summary = "One object, now or as it was.",
      .request = object_schema<ShowRequest>().query("as_of", &ShowRequest::as_of, as_of_option(),
                                                    "A time or journal position of the past."),
      .encode =
          [](const ShowResponse& response) {
            return Value::object(
                {{"space", response.space.value}, {"object", encode_object(response.object)}});
          },
      .tags = {"objects"},
  };
  return operation;
}

const wire::Operation<HistoryRequest, HistoryResponse>& history() {
  static const wire::Operation<HistoryRequest, HistoryResponse> operation{
      .name = "history",
      .summary = "An object's revisions, newest first, with who made them and why.",
      .request = object_schema<HistoryRequest>().query("limit", &HistoryRequest::limit,
                                                       range(1, 500), "How many."),
      .encode = encode_history,
      .tags = {"objects"},
  };
  return operation;
}

const wire::Operation<LinksRequest, LinksResponse>& links() {
  static const wire::Operation<LinksRequest, LinksResponse> operation{
      .name = "links",
      .summary = "What an object links to, and what links to it.",
      .request = object_schema<LinksRequest>()
                     .query("relation", &LinksRequest::relation, max_length(64),
                            "Only links of this relation.")
                     .query("limit", &LinksRequest::limit, range(1, 500), "How many."),
      .encode = encode_links,
      .tags = {"objects"},
  };
  return operation;
}

const wire::Operation<ForgetRequest, ForgetResponse>& forget() {
  static const wire::Operation<ForgetRequest, ForgetResponse> operation{
      .name = "forget",
      .summary = "Erase an object for good.",
      .description =
          "Its body, history, index entries and stored answers go; the journal keeps that "
          "something was "
          "forgotten, without content.",
      .request = object_schema<ForgetRequest>().query("reason", &ForgetRequest::reason,
                                                      max_length(500), "Why; kept in the journal."),
      .encode =
          [](const ForgetResponse& response) {
            return Value::object({{"space", response.space.value},
                                  {"kind", response.key.kind},
                                  {"id", response.key.id},
                                  {"forgotten", true}});
          },
      .tags = {"objects"},
  };
  return operation;
}

const wire::Operation<JournalRequest, JournalResponse>& journal() {
  static const wire::Operation<JournalRequest, JournalResponse> operation{
      .name = "journal",
      .summary = "Every change of the space: who, through which surface, what, why.",
      .description = "Newest first; with `after`, oldest first from that position.",
      .request = wire::Schema<JournalRequest>()
                     .query("after", &JournalRequest::after, wire::at_least(0),
                            "Entries after this position, oldest first.")
                     .query("before", &JournalRequest::before, wire::at_least(0),
                            "Entries before this position, newest first.")
                     .query("limit", &JournalRequest::limit, range(1, 500), "How many.")
                     .check([](const JournalRequest& request, wire::Checks& checks) {
                       if (request.after && request.before)
                         checks.add("before", "excludes", {{"other", "after"}});
                     }),
      .encode = encode_journal,
      .tags = {"journal"},
  };
  return operation;
}

const wire::Operation<GraphRequest, GraphResponse>& graph() {
  static const wire::Operation<GraphRequest, GraphResponse> operation{
      .name = "graph",
      .summary = "The objects within some links of one, in both directions.",
      .request = wire::Schema<GraphRequest>()
                     .required_query("kind", &GraphRequest::kind, kKindHelp)
                     .required_query("id", &GraphRequest::id, kIdHelp)
                     .query("depth", &GraphRequest::depth, range(1, 4), "How many links away.")
                     .query("limit", &GraphRequest::limit, range(1, 500), "How many objects."),
      .encode = encode_graph,
      .tags = {"objects"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
