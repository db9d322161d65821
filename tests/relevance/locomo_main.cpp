// Turn-level retrieval on conversations in the format of LoCoMo (github.com/snap-research/LoCoMo;
// CC BY-NC, so its data is given by path and never part of this repository). Every turn goes in
// through /items of a real server, every question through /query; the number is the mean share of
// a question's evidence turns among the first 5, 10 and 25 turns that come back. Questions and
// answers are used for measuring only.
//
//   locomo_relevance locomo10.json
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include <fmt/format.h>

#include "relevance/dialog_ids.h"
#include "relevance/recall_server.h"

namespace holdfast::relevance {
namespace {

constexpr std::array<size_t, 3> kDepths = {5, 10, 25};

struct Question {
  std::string container = {};
  std::string text = {};
  int64_t category = 0;
  std::set<std::string> evidence = {};  // source ids
};

// Sums of shares, by category.
struct Table {
  std::map<int64_t, std::array<double, 3>> sums = {};
  std::map<int64_t, int> counts = {};

  void add(const Question& question, const std::vector<std::string>& turns) {
    auto& sum = sums[question.category];
    ++counts[question.category];
    for (size_t d = 0; d < kDepths.size(); ++d) {
      size_t found = 0;
      for (size_t i = 0; i < std::min(kDepths[d], turns.size()); ++i)
        found += question.evidence.contains(turns[i]) ? 1 : 0;
      sum[d] += static_cast<double>(found) / static_cast<double>(question.evidence.size());
    }
  }

  void print(const std::string& name) const {
    std::printf("%s\n  category  questions  recall@5  recall@10  recall@25\n", name.c_str());
    std::array<double, 3> all = {};
    int count = 0;
    const auto line = [](const std::string& what, int n, const std::array<double, 3>& sum) {
      std::printf("  %-8s  %9d  %8.4f  %9.4f  %9.4f\n", what.c_str(), n, sum[0] / n, sum[1] / n,
                  sum[2] / n);
    };
    for (const auto& [category, sum] : sums) {
      line(std::to_string(category), counts.at(category), sum);
      // The fifth has questions without an answer; the published numbers leave it out.
      if (category > 4) continue;
      count += counts.at(category);
      for (size_t d = 0; d < all.size(); ++d) all[d] += sum[d];
    }
    if (count > 0) line("1 to 4", count, all);
  }
};

class Conversations {
 public:
  void add(const Value& sample, size_t number) {
    const std::string container = "conversation:" + std::to_string(number);
    std::set<std::string> known;
    const Value& conversation = *sample.find("conversation");
    for (int session = 1; session < 100; ++session) {
      const Value* list = conversation.find("session_" + std::to_string(session));
      if (list == nullptr || !list->is_array()) continue;
      for (const Value& turn : *list->if_array()) {
        items_.push_back(item_of(container, session, turn));
        known.insert(text_in(turn, "dia_id"));
      }
    }
    for (const Value& qa : *sample.find("qa")->if_array()) add_question(qa, container, known);
  }

  const std::vector<Value>& items() const { return items_; }
  const std::vector<Question>& questions() const { return questions_; }

 private:
  Value item_of(const std::string& container, int session, const Value& turn) {
    std::string text = text_in(turn, "text");
    const std::string caption = text_in(turn, "blip_caption");
    if (!caption.empty()) text += " " + caption;
    const auto place = static_cast<int64_t>(items_.size());
    return Value::object(
        {{"source_type", container},
         {"source_id", container + " " + text_in(turn, "dia_id")},
         {"content_type", "text/plain"},
         {"content", text},
         {"role", "user"},
         {"actor_ref", text_in(turn, "speaker")},
         {"container_ref", container},
         {"thread_ref", fmt::format("session {}", session)},
         {"occurred_at", fmt::format("2023-01-{:02}T{:02}:{:02}:{:02}Z", 1 + place / 86400,
                                     place / 3600 % 24, place / 60 % 60, place % 60)},
         {"visibility", "container"}});
  }

  void add_question(const Value& qa, const std::string& container,
                    const std::set<std::string>& known) {
    const Value* evidence = qa.find("evidence");
    if (evidence == nullptr || !evidence->is_array()) return;
    Question question{.container = container, .text = text_in(qa, "question")};
    if (const Value* category = qa.find("category"))
      question.category = category->if_int() != nullptr ? *category->if_int() : 0;
    for (const Value& entry : *evidence->if_array()) {
      if (!entry.is_string()) continue;
      for (const std::string& id : dialog_ids(*entry.if_string())) {
        if (known.contains(id)) question.evidence.insert(container + " " + id);
      }
    }
    if (!question.evidence.empty()) questions_.push_back(std::move(question));
  }

  std::vector<Value> items_;
  std::vector<Question> questions_;
};

// The turns that an answer leads to: evidence itself, and what a memory is made of.
std::vector<std::string> turns_of(const Value& answer) {
  std::vector<std::string> turns;
  for (const Value& result : *answer.find("results")->if_array()) {
    for (const Value& evidence : *result.find("evidence")->if_array()) {
      const std::string id = text_in(evidence, "source_id");
      if (std::ranges::find(turns, id) == turns.end()) turns.push_back(id);
    }
  }
  return turns;
}

Table measure(RecallServer& server, const std::vector<Question>& questions, bool source_only) {
  Table table;
  for (const Question& question : questions) {
    const Value answer = server.ask(Value::object({{"text", question.text},
                                                   {"container_ref", question.container},
                                                   {"visibility", "container"},
                                                   {"limit", 25},
                                                   {"source_only", source_only}}));
    table.add(question, turns_of(answer));
  }
  return table;
}

int run(const std::string& file) {
  const testing::TemporaryFolder folder;
  RecallServer server(folder / "data");
  const Value samples = read_json_file(file);
  Conversations conversations;
  for (size_t i = 0; i < samples.if_array()->size(); ++i)
    conversations.add((*samples.if_array())[i], i);
  server.store(conversations.items());
  server.drain();
  std::printf("%zu turns, %zu questions with evidence\n", conversations.items().size(),
              conversations.questions().size());
  measure(server, conversations.questions(), true).print("/query with source_only");
  measure(server, conversations.questions(), false).print("/query");
  return 0;
}

}  // namespace
}  // namespace holdfast::relevance

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: locomo_relevance locomo10.json\n");
    return 2;
  }
  return holdfast::relevance::run(argv[1]);
}
