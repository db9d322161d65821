#include "surface/observations/list_parameters.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/digest.h"
#include "base/utf8.h"
#include "model/json_text.h"
#include "service/observation/controls.h"
#include "service/observation/failure.h"
#include "service/observation/observation.h"
#include "wire/moment.h"
#include "wire/reading.h"
#include "wire/schema.h"

namespace holdfast::surface::observations {
namespace {

using namespace service::observation;  // NOLINT(google-build-using-namespace): what it asks for
namespace rule = wire::rule;

constexpr size_t kMostValues = 50;
constexpr size_t kMostSortFields = 3;
constexpr size_t kLongestQuery = 500;
constexpr std::string_view kDefaultSort = "-created_at";

struct FilterField {
  std::string_view name;
  std::string_view facet;
  bool (*known)(std::string_view) = nullptr;  // nullptr: any value
};
template <typename E>
bool names(std::string_view text) {
  return enum_from_name<E>(text).has_value();
}
constexpr std::array<FilterField, 9> kFilters = {
    {{"workspace_id", facet::kWorkspace},
     {"subcortex_id", facet::kSubcortex},
     {"thread_id", shared_facet::kThread},
     {"task_id", shared_facet::kTask},
     {"created_by_id", facet::kCreatedBy},
     {"type", facet::kType, names<ObservationType>},
     {"source_type", facet::kSourceType, names<SourceType>},
     {"sensitivity", facet::kSensitivity, names<Sensitivity>},
     {"tag", shared_facet::kTag}}};
constexpr std::string_view kRepeatable = "tag";

struct SortName {
  std::string_view name;
  SortField field;
};
constexpr std::array<SortName, 6> kSorts = {{{"created_at", SortField::kCreatedAt},
                                             {"updated_at", SortField::kUpdatedAt},
                                             {"title", SortField::kTitle},
                                             {"type", SortField::kType},
                                             {"stats.view_count", SortField::kViews},
                                             {"stats.citation_count", SortField::kCitations}}};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  Reader(const wire::QueryString& query, Timestamp now) : query_(query), now_(now) {}

  Result<ListParameters> run() {
    for (const FilterField& field : kFilters) {
      read_filter(field, false);
      read_filter(field, true);
    }
    read_bounds();
    read_text();
    read_sort();
    read_limit();
    if (const std::string* cursor = single("cursor")) out_.cursor = *cursor;
    report_unknown();
    if (issues_.empty()) {
      out_.digest = digest();
      return std::move(out_);
    }
    Error error = invalid_argument("The query is not valid.", std::move(issues_));
    error.reason = wire::reason::kValidation;
    return error;
  }

 private:
  void add(std::string_view name, std::string_view why, const std::string* value = nullptr) {
    issues_.push_back({.location = "query",
                       .path = {{.name = std::string(name)}},
                       .rule = std::string(why),
                       .value = value != nullptr ? to_json(Value(*value)) : std::string()});
  }

  // The value of a parameter that may be sent once; nullptr if it was not.
  const std::string* single(std::string_view name) {
    known_.emplace_back(name);
    const auto values = query_.values(name);
    if (values.size() > 1) add(name, rule::kDuplicate);
    return query_.find(name);
  }
  // The same, and an empty one is a fault.
  const std::string* filled(std::string_view name) {
    const std::string* value = single(name);
    if (value == nullptr || !value->empty()) return value;
    add(name, rule::kFormat);
    return nullptr;
  }

  void read_filter(const FilterField& field, bool negated) {
    const std::string name = std::string(field.name) + (negated ? "!" : "");
    known_.push_back(name);
    const auto sent = query_.values(name);
    if (sent.size() > 1 && field.name != kRepeatable) return add(name, rule::kDuplicate);
    for (const std::string& text : sent) {
      FieldFilter filter{
          .facet = std::string(field.facet), .values = split(text), .negated = negated};
      if (filter.values.size() > kMostValues) {
        add(name, rule::kItemsMax);
        continue;
      }
      for (const std::string& value : filter.values) check_value(field, name, value);
      if (field.facet == facet::kSensitivity && !negated) {
        out_.query.asks_for_sensitive =
            std::ranges::find(filter.values, "sensitive") != filter.values.end();
      }
      out_.query.filters.push_back(std::move(filter));
    }
  }

  void check_value(const FilterField& field, const std::string& name, const std::string& value) {
    if (value.empty() || has_controls(value)) {
      add(name, rule::kFormat);
    } else if (field.known != nullptr && !field.known(value)) {
      add(name, rule::kOneOf, &value);
    }
  }

  std::optional<Timestamp> time(std::string_view name) {
    const std::string* text = filled(name);
    if (text == nullptr) return std::nullopt;
    const auto at = wire::read_moment(*text, now_);
    if (!at) add(name, rule::kFormat, text);
    return at;
  }

  // Several bounds of one side: the narrowest.
  void read_bounds() {
    constexpr std::chrono::microseconds kNext(1);
    auto& from = out_.query.from;
    auto& until = out_.query.until;
    if (const auto at = time("created_at.gt")) from = *at + kNext;
    if (const auto at = time("created_at.lt")) until = *at;
    if (const auto at = time("created_at.gte")) from = std::max(from.value_or(*at), *at);
    if (const auto at = time("created_at.lte")) {
      const Timestamp end = *at + kNext;
      until = std::min(until.value_or(end), end);
    }
  }

  void read_text() {
    const std::string* text = single("q");
    if (text == nullptr || text->empty()) return;
    if (count_code_points(*text) > kLongestQuery) return add("q", rule::kLengthMax);
    if (text->find('\0') != std::string::npos) return add("q", rule::kFormat);
    out_.query.terms = split_terms(*text);
  }

  void read_sort() {
    const std::string* text = filled("sort");
    if (text == nullptr) return;
    out_.query.sort.clear();
    const auto fields = split(*text);
    bool good = fields.size() <= kMostSortFields;
    for (std::string_view name : fields) {
      const bool descending = name.starts_with('-');
      if (descending) name.remove_prefix(1);
      const auto row = std::ranges::find(kSorts, name, &SortName::name);
      const bool repeated =
          row != kSorts.end() &&
          std::ranges::find(out_.query.sort, row->field, &SortBy::field) != out_.query.sort.end();
      good = good && row != kSorts.end() && !repeated;
      if (row != kSorts.end())
        out_.query.sort.push_back({.field = row->field, .descending = descending});
    }
    if (!good) add("sort", rule::kOneOf, text);
  }

  void read_limit() {
    const std::string* text = filled("limit");
    if (text == nullptr) return;
    int64_t limit = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, limit);
    if (stop != end || error == std::errc::invalid_argument) return add("limit", rule::kType, text);
    if (error != std::errc() || limit < 1 || limit > 100)
      return add("limit", rule::kRangeMax, text);
    out_.query.limit = static_cast<size_t>(limit);
  }

  void report_unknown() {
    for (const std::string& name : query_.broken()) add(name, rule::kEncoding);
    std::vector<std::string> told;
    for (const auto& parameter : query_.all()) {
      const auto has = [&](const std::vector<std::string>& list) {
        return std::ranges::find(list, parameter.name) != list.end();
      };
      if (has(known_) || has(told)) continue;
      told.push_back(parameter.name);
      add(parameter.name, rule::kUnknown);
    }
  }

  // What was sent but for the page: equal for two spellings that differ in order alone.
  std::string digest() const {
    std::vector<std::pair<std::string, std::string>> sent;
    for (const auto& parameter : query_.all()) {
      if (parameter.name != "limit" && parameter.name != "cursor" && !parameter.value.empty())
        sent.emplace_back(parameter.name, parameter.value);
    }
    if (query_.find("sort") == nullptr) sent.emplace_back("sort", kDefaultSort);
    std::ranges::sort(sent);
    std::string text;
    for (const auto& [name, value] : sent) text += name + '\0' + value + '\0';
    return to_hex(sha256(text)).substr(0, 32);
  }

  const wire::QueryString& query_;
  const Timestamp now_;
  ListParameters out_;
  std::vector<std::string> known_;
  std::vector<Issue> issues_;
};

}  // namespace

Result<ListParameters> read_list_parameters(const wire::QueryString& query, Timestamp now) {
  return Reader(query, now).run();
}

std::vector<wire::ParameterDescription> list_parameter_descriptions() {
  std::vector<wire::ParameterDescription> out;
  const auto add = [&](std::string_view name, const char* type, const char* description) {
    out.push_back({.name = std::string(name),
                   .description = description,
                   .schema = Value::object({{"type", type}})});
  };
  for (const FilterField& field : kFilters) {
    add(field.name, "string", "One of these values, comma-separated.");
    add(std::string(field.name) + '!', "string", "None of these values.");
  }
  for (const char* bound : {"created_at.gt", "created_at.gte", "created_at.lt", "created_at.lte"})
    add(bound, "string", "A time.");
  add("q", "string", "Words to look for.");
  add("sort", "string", "Up to three fields, comma-separated; - before one turns it round.");
  add("limit", "integer", "How many.");
  add("cursor", "string", "Of the page before.");
  return out;
}

}  // namespace holdfast::surface::observations
