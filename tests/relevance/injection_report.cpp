#include "relevance/injection_report.h"

#include "relevance/recall_server.h"

namespace holdfast::relevance {
namespace {

using testing::TemporaryFolder;

Value item_of(const Value& thread, const Value& turn, size_t place) {
  const auto& parts = *turn.if_array();
  Value item = Value::object({{"source_type", "labelled"},
                              {"source_id", text_in(thread, "name") + " " + std::to_string(place)},
                              {"content_type", "text/plain"},
                              {"role", parts[0]},
                              {"artifact_kind", parts[1]},
                              {"content", parts[2]},
                              {"container_ref", text_in(thread, "container")},
                              {"thread_ref", text_in(thread, "name")},
                              {"visibility", text_in(thread, "visibility")}});
  if (const Value* actor = thread.find("actor")) item.set("actor_ref", *actor);
  return item;
}

Value question_of(const Value& thread, const std::string& text) {
  Value question = Value::object({{"text", text},
                                  {"container_ref", text_in(thread, "container")},
                                  {"thread_ref", "a new conversation"},
                                  {"visibility", text_in(thread, "visibility")}});
  if (const Value* actor = thread.find("actor")) question.set("actor_ref", *actor);
  return question;
}

bool some_block_holds(const Value& answer, const std::string& wanted) {
  for (const Value& block : *answer.find("injectable_blocks")->if_array()) {
    if (text_in(block, "text").find(wanted) != std::string::npos) return true;
  }
  return false;
}

class Measuring {
 public:
  Measuring(RecallServer& server, InjectionReport& report) : server_(server), report_(report) {}

  void ask_about(const Value& thread) {
    InjectionCounts& counts =
        *thread.find("held_out")->if_bool() ? report_.held_out : report_.tuned;
    for (const Value& label : *thread.find("inject")->if_array()) {
      const auto& parts = *label.if_array();
      ask(thread, *parts[0].if_string(), *parts[1].if_string(), counts);
    }
    for (const Value& label : *thread.find("silent")->if_array())
      ask(thread, *label.if_string(), "", counts);
  }

 private:
  // `wanted` empty: silence is right.
  void ask(const Value& thread, const std::string& text, const std::string& wanted,
           InjectionCounts& counts) {
    const Value answer = server_.ask(question_of(thread, text));
    const bool injected = *answer.find("should_inject")->if_bool();
    const bool good = injected && !wanted.empty() && some_block_holds(answer, wanted);
    counts.right += good ? 1 : 0;
    counts.wrong += injected && !good ? 1 : 0;
    counts.missed += !good && !wanted.empty() ? 1 : 0;
    counts.quiet += !injected && wanted.empty() ? 1 : 0;
    if (good || (!injected && wanted.empty())) return;
    report_.mistakes.push_back((wanted.empty() ? "should be silent: " : "should inject: ") + text +
                               " (" + text_in(answer, "decision_reason") + ")");
  }

  RecallServer& server_;
  InjectionReport& report_;
};

}  // namespace

InjectionReport measure_injection(const std::string& file) {
  const TemporaryFolder folder;
  RecallServer server(folder / "data");
  const Value set = read_json_file(file);
  const auto& threads = *set.find("threads")->if_array();
  std::vector<Value> items;
  for (const Value& thread : threads) {
    size_t place = 0;
    for (const Value& turn : *thread.find("turns")->if_array())
      items.push_back(item_of(thread, turn, place++));
  }
  server.store(items);
  server.drain();
  InjectionReport report;
  Measuring measuring(server, report);
  for (const Value& thread : threads) measuring.ask_about(thread);
  return report;
}

}  // namespace holdfast::relevance
