// Made-up observations, and lists to ask for that fit them: filters, texts, sorts and limits.
#pragma once

#include <random>

#include "contract/observations/list_oracle.h"

namespace holdfast::testing {

// A filter and where in an item its value is.
struct Field {
  const char* parameter;
  const char* path;
  std::vector<const char*> values;
};
inline const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      {"workspace_id", "workspace_id", {"workspace_open", "workspace_shut", "nowhere"}},
      {"subcortex_id", "linked_subcortex_id", {"subcortex_lab", "subcortex_den"}},
      {"thread_id", "linked_thread_id", {"thread_lab", "thread_den", "none"}},
      {"task_id", "linked_task_id", {"task_lab", "task_free"}},
      {"created_by_id", "created_by_id", {"principal_ann", "principal_boss", "principal_eve"}},
      {"type", "type", {"test_result", "decision", "checkpoint", "other"}},
      {"source_type", "source.type", {"manual", "ci", "api"}},
      {"sensitivity", "sensitivity", {"normal", "sensitive"}}};
  return all;
}
inline constexpr const char* kTags[] = {"red", "green", "Green", "blue-1"};
inline constexpr const char* kTitles[] = {"Alpha run", "alpha RUN", "Beta run", "Ärger mit Beta",
                                          "Zulu time"};
inline constexpr const char* kSummaries[] = {"All 45 tests passed.", "Two tests\nfailed at ninety",
                                             "Nothing was run: beta is down"};
// Texts to look for, as an address has them, and what the title or the summary must have.
struct Text {
  const char* written;
  std::vector<std::string> wanted;
};
inline const std::vector<Text>& texts() {
  static const std::vector<Text> all = {{"tests", {"tests"}},
                                        {"BETA+run", {"beta", "run"}},
                                        {"%22tests%0Afailed%22", {"tests\nfailed"}},
                                        {"%C3%84rger", {"ärger"}},
                                        {"seeded", {"seeded"}}};
  return all;
}

class MadeUp {
 public:
  explicit MadeUp(unsigned seed) : random_(seed) {}

  size_t below(size_t count) { return random_() % count; }
  bool once_in(size_t times) { return below(times) == 0; }
  template <typename List>
  auto any_of(const List& list) {
    return *std::next(std::begin(list), static_cast<ptrdiff_t>(below(std::size(list))));
  }

  // A body to create.
  Value observation() {
    Value body = Value::object({{"title", any_of(kTitles)},
                                {"summary_md", any_of(kSummaries)},
                                {"type", any_of(fields()[5].values)},
                                {"source", Value::object({{"type", any_of(fields()[6].values)}})}});
    if (once_in(4)) body.set("sensitivity", "sensitive");
    Value tags = Value::array();
    for (size_t i = below(4); i > 0; --i) tags.push(any_of(kTags));
    body.set("tags", std::move(tags));
    if (once_in(4)) {
      body.set("workspace_id", "workspace_shut");
    } else {
      if (once_in(4)) body.set("linked_subcortex_id", any_of(fields()[1].values));
      if (once_in(5)) body.set("linked_thread_id", once_in(2) ? "thread_lab" : "thread_den");
      if (once_in(5)) body.set("linked_task_id", any_of(fields()[3].values));
    }
    return ObservationServer::body(body);
  }

  // `time` is one that some observation has.
  Asked list(const std::string& who, const std::string& time) {
    Asked asked{.target = "/observations?limit=" + std::to_string(5 + below(40))};
    std::vector<const Field*> chosen;
    for (const Field& field : fields()) chosen.push_back(&field);
    std::ranges::shuffle(chosen, random_);
    chosen.resize(below(3));
    for (const Field* field : chosen) add_field(asked, *field, who);
    if (once_in(3)) add_tags(asked);
    if (once_in(4)) add_time(asked, time);
    if (once_in(4)) add_text(asked);
    if (once_in(4)) {
      asked.sort = {{"created_at", true}};  // what is left out
    } else {
      add_sort(asked);
    }
    return asked;
  }

 private:
  void add_field(Asked& asked, const Field& field, const std::string& who) {
    const bool negated = once_in(3);
    std::vector<std::string> values;
    for (size_t i = 1 + below(2); i > 0; --i) values.emplace_back(any_of(field.values));
    if (std::string_view(field.parameter) == "sensitivity" && !negated && who != "boss" &&
        who != "eve")
      values = {"normal"};  // the other is refused
    add_values(asked, field.parameter, values, negated);
    asked.tests.push_back([=, path = field.path](const Value& item) {
      return (std::ranges::find(values, text_of(item, path)) != values.end()) != negated;
    });
  }
  void add_tags(Asked& asked) {
    const bool negated = once_in(4);
    for (size_t left = negated ? 1 : 1 + below(2); left > 0; --left) {
      std::vector<std::string> values;
      for (size_t i = 1 + below(2); i > 0; --i) values.emplace_back(any_of(kTags));
      add_values(asked, "tag", values, negated);
      asked.tests.push_back([=](const Value& item) {
        const Value tags = at(item, "tags");
        return std::ranges::any_of(*tags.if_array(), [&](const Value& tag) {
                 return std::ranges::find(values, *tag.if_string()) != values.end();
               }) != negated;
      });
    }
  }
  static void add_values(Asked& asked, const std::string& name,
                         const std::vector<std::string>& values, bool negated) {
    asked.target += "&" + name + (negated ? "!=" : "=");
    for (size_t i = 0; i < values.size(); ++i) asked.target += (i > 0 ? "," : "") + values[i];
  }
  void add_time(Asked& asked, const std::string& bound) {
    const size_t how = below(4);
    constexpr const char* kNames[] = {"gt", "gte", "lt", "lte"};
    asked.target += std::string("&created_at.") + kNames[how] + "=" + bound;
    asked.tests.push_back([=](const Value& item) {
      const int order = text_of(item, "created_at").compare(bound);
      return how == 0 ? order > 0 : how == 1 ? order >= 0 : how == 2 ? order < 0 : order <= 0;
    });
  }
  void add_text(Asked& asked) {
    const Text& text = any_of(texts());
    asked.target += std::string("&q=") + text.written;
    asked.tests.push_back([wanted = text.wanted](const Value& item) {
      const std::string in[] = {small_letters(text_of(item, "title")),
                                small_letters(text_of(item, "summary_md"))};
      return std::ranges::all_of(wanted, [&](const std::string& term) {
        return in[0].find(term) != std::string::npos || in[1].find(term) != std::string::npos;
      });
    });
  }
  void add_sort(Asked& asked) {
    std::vector<std::string> names = {"created_at", "updated_at",       "title",
                                      "type",       "stats.view_count", "stats.citation_count"};
    std::ranges::shuffle(names, random_);
    names.resize(1 + below(3));
    for (size_t i = 0; i < names.size(); ++i) {
      asked.sort.emplace_back(names[i], once_in(2));
      asked.target += (i == 0 ? "&sort=" : ",") + std::string(asked.sort[i].second ? "-" : "");
      asked.target += names[i];
    }
  }

  std::mt19937 random_;
};

}  // namespace holdfast::testing
