#include <algorithm>
#include <cmath>

#include "base/digest.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "surface/chat/field_lengths.h"
#include "surface/chat/memory_operations.h"
#include "surface/chat/names.h"
#include "wire/reading.h"

namespace holdfast::surface::chat {
namespace {

using service::chat::MemoryCursor;
using service::chat::MemorySource;
using service::chat::WindowEntry;
using wire::each;
using wire::items;
using wire::length;
using wire::Reading;
using wire::Schema;

constexpr int64_t kMostItems = 100;

// `says` is what the field error reads.
void refuse(Reading& reading, std::string says) {
  reading.add("value", {{"says", std::move(says)}});
}

wire::FieldOption must_be_true() {
  return wire::rule_of(
      [](const Value& value, Reading& reading) {
        const bool* given = value.if_bool();
        if (given != nullptr && !*given) refuse(reading, "must be true");
      },
      [](Value& schema) { schema.set("const", true); });
}

Schema<Consent> consent_schema() {
  return Schema<Consent>().required("explicit_user_consent", &Consent::explicit_user_consent,
                                    must_be_true(), "The user asked for this.");
}

wire::FieldOption importance_rule() {
  return wire::rule_of(
      [](const Value& value, Reading& reading) {
        const std::string* text = value.if_string();
        if (text != nullptr) {
          const size_t size = count_code_points(*text);
          if (size < 1 || size > 32) refuse(reading, "must have 1 to 32 characters");
        } else if (!value.is_number() || !std::isfinite(value.to_double())) {
          reading.add(wire::rule::kType, {{"expected", "string or number"}});
        }
      },
      [](Value& schema) {
        schema.set("type", Value::array({"string", "number"}));
      });
}

wire::FieldOption tag_list() { return items(0, 32); }

Schema<MemoryFields> memory_schema() {
  return Schema<MemoryFields>()
      .required("domain", &MemoryFields::domain, length(1, 64))
      .required("content", &MemoryFields::content, length(1, 20'000), wire::not_blank(),
                wire::no_echo(), "What to remember.")
      .optional("title", &MemoryFields::title, length(1, 200))
      .optional("tags", &MemoryFields::tags, tag_list(), each(length(1, 64)))
      .optional("importance", &MemoryFields::importance, importance_rule())
      .optional("mood_anchor", &MemoryFields::mood_anchor, length(1, 64))
      .optional("rigor_level", &MemoryFields::rigor, "high: deleting needs a confirmation.");
}

Schema<MemorySource> source_schema() {
  return Schema<MemorySource>()
      .required("thread_id", &MemorySource::thread_id, id_length())
      .required("message_id", &MemorySource::message_id, id_length())
      .required("created_at", &MemorySource::created_at);
}

// base64url of `1|<created_at>|<memory_id>`, or a plain time.
void read_cursor(const Value& value, MemoryCursor& out, Reading& reading) {
  const std::string* text = value.if_string();
  if (text == nullptr) return refuse(reading, "is no cursor");
  // A bare date is no time here.
  if (const auto at = parse_time(*text); at && text->find('T') != std::string::npos) {
    out = {.created_at = *at};
    return;
  }
  const auto bytes = base64_decode(*text);
  const size_t second = bytes ? bytes->find('|', 2) : std::string::npos;
  if (!bytes || !bytes->starts_with("1|") || second == std::string::npos)
    return refuse(reading, "is no cursor");
  const auto at = parse_time(std::string_view(*bytes).substr(2, second - 2));
  out.memory_id = bytes->substr(second + 1);
  if (!at || out.memory_id.empty() || out.memory_id.size() > 64)
    return refuse(reading, "is no cursor");
  out.created_at = *at;
}

// However large: what is above the most is the most.
void read_limit(const Value& value, int64_t& out, Reading& reading) {
  const std::string* text = value.if_string();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text == nullptr || text->empty() || !std::ranges::all_of(*text, is_digit))
    return reading.add(wire::rule::kType, {{"expected", "integer"}});
  int64_t number = 0;
  for (const char c : *text) number = std::min(kMostItems, 10 * number + (c - '0'));
  if (number == 0) return reading.add(wire::rule::kRangeMin, {{"min", "1"}});
  out = number;
}

Schema<PatchFields> patch_fields_schema() {
  return Schema<PatchFields>()
      .optional("snippet", &PatchFields::snippet, length(1, 20'000), wire::not_blank(),
                wire::no_echo())
      .optional("tags", &PatchFields::tags, tag_list(), each(length(1, 64)))
      .optional("mood_anchor", &PatchFields::mood_anchor, length(1, 64), wire::nullable())
      .optional("summary", &PatchFields::summary, length(1, 2000), wire::nullable())
      .optional("title", &PatchFields::title, length(1, 200), wire::nullable())
      .check([](const PatchFields& patch, wire::Checks& checks) {
        const bool any = checks.given("snippet") || checks.given("tags") ||
                         checks.given("mood_anchor") || checks.given("summary") ||
                         checks.given("title");
        if (!any) checks.add("", "empty", {{"says", "needs at least one member"}});
        static_cast<void>(patch);
      });
}

Schema<DeleteFilter> filter_schema() {
  return Schema<DeleteFilter>()
      .optional("thread_id", &DeleteFilter::thread_id, id_length())
      .optional("domain", &DeleteFilter::domain, length(1, 64))
      .optional("tags_any", &DeleteFilter::tags_any, tag_list(), each(length(1, 64)))
      .optional("created_before", &DeleteFilter::created_before)
      .check([](const DeleteFilter& filter, wire::Checks& checks) {
        // A filter that filters nothing would clear everything without its phrase.
        const bool empty = filter.thread_id.empty() && filter.domain.empty() &&
                           filter.tags_any.empty() && !filter.created_before;
        if (empty && checks.ok({"thread_id", "domain", "tags_any", "created_before"})) {
          checks.add("", "empty",
                     {{"says", "needs at least one condition"}, {"reason", "empty_filter"}});
        }
      });
}

Schema<WindowEntry> window_schema() {
  return Schema<WindowEntry>()
      .required("message_id", &WindowEntry::message_id, id_length())
      .required("role", &WindowEntry::role)
      .required("content", &WindowEntry::content, length(1, 20'000), wire::no_echo())
      .required("created_at", &WindowEntry::created_at);
}

bool is_date(std::string_view text) { return text.size() == 10 && parse_time(text).has_value(); }

}  // namespace

const Schema<CreateBody>& create_schema() {
  static const Schema<CreateBody> schema =
      Schema<CreateBody>()
          .required("request_id", &CreateBody::request_id, id_length())
          .required("memory", &CreateBody::memory, memory_schema())
          .optional("source", &CreateBody::source, source_schema())
          .required("consent", &CreateBody::consent, consent_schema());
  return schema;
}

const Schema<ListQuery>& list_schema() {
  static const Schema<ListQuery> schema =
      Schema<ListQuery>()
          .query("domain", &ListQuery::domain, "Exactly this domain.")
          .query("tags_any", &ListQuery::tags_any, wire::comma_list(), "One of these tags.")
          .query("limit", &ListQuery::limit,
                 wire::read_by<int64_t>(read_limit,
                                        Value::object({{"type", "integer"}, {"minimum", 1}})),
                 "At most 100 come; 50 if not given.")
          .query("cursor", &ListQuery::cursor,
                 wire::read_by<MemoryCursor>(read_cursor, Value::object({{"type", "string"}})),
                 "next_cursor of the page before.")
          .query("thread_id", &ListQuery::thread_id)
          .query("type", &ListQuery::type, wire::one_of({"memory", "journal", "action"}))
          .query("memory_kind", &ListQuery::memory_kind,
                 wire::one_of({"preference", "fact", "workflow", "relationship", "constraint",
                               "project", "other"}))
          .query("lifecycle_state", &ListQuery::lifecycle_state,
                 wire::one_of({"pinned", "archived"}))
          .query("scope", &ListQuery::scope, wire::one_of({"user", "thread"}))
          .check([](const ListQuery& query, wire::Checks& checks) {
            if (query.scope == "thread" && query.thread_id.empty())
              checks.add("thread_id", wire::rule::kRequired, {});
          });
  return schema;
}

const Schema<MemoryPath>& memory_path_schema() {
  static const Schema<MemoryPath> schema =
      Schema<MemoryPath>()
          .path("memory_id", &MemoryPath::memory_id)
          .query("confirm", &MemoryPath::confirm, "true: also where rigor is high.");
  return schema;
}

const Schema<PatchBody>& patch_schema() {
  static const Schema<PatchBody> schema =
      Schema<PatchBody>()
          .path("memory_id", &PatchBody::memory_id)
          .required("request_id", &PatchBody::request_id, id_length())
          .required("patch", &PatchBody::patch, patch_fields_schema())
          .required("consent", &PatchBody::consent, consent_schema());
  return schema;
}

const Schema<BatchDeleteBody>& batch_delete_schema() {
  static const Schema<BatchDeleteBody> schema =
      Schema<BatchDeleteBody>()
          .required("request_id", &BatchDeleteBody::request_id, id_length())
          .required("filter", &BatchDeleteBody::filter, filter_schema())
          .required("confirm", &BatchDeleteBody::confirm, must_be_true());
  return schema;
}

const Schema<ClearBody>& clear_schema() {
  static const Schema<ClearBody> schema =
      Schema<ClearBody>()
          .required("request_id", &ClearBody::request_id, id_length())
          .required("confirm", &ClearBody::confirm, must_be_true())
          .required("confirm_phrase", &ClearBody::confirm_phrase, wire::one_of({"DELETE ALL"}));
  return schema;
}

const Schema<DistillBody>& distill_schema() {
  static const Schema<DistillBody> schema =
      Schema<DistillBody>()
          .required("request_id", &DistillBody::request_id, id_length())
          .required("thread_id", &DistillBody::thread_id, id_length())
          .required("trigger_message_id", &DistillBody::trigger_message_id, id_length())
          .required("context_window", &DistillBody::window, items(1, 15), each(window_schema()),
                    "Never stored.")
          .optional("reaffirm_count", &DistillBody::reaffirm_count, wire::at_least(0))
          .required("consent", &DistillBody::consent, consent_schema());
  return schema;
}

const Schema<UsageQuery>& usage_schema() {
  static const Schema<UsageQuery> schema = Schema<UsageQuery>().query(
      "date", &UsageQuery::date, wire::matching("YYYY-MM-DD", is_date), "A day in UTC.");
  return schema;
}

const Schema<TransmissionPath>& transmission_schema() {
  static const Schema<TransmissionPath> schema =
      Schema<TransmissionPath>().path("id", &TransmissionPath::id);
  return schema;
}

}  // namespace holdfast::surface::chat
