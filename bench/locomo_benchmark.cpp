// Turn-level retrieval on LoCoMo (github.com/snap-research/LoCoMo; CC BY-NC, so its data is given
// by path and never part of this repository): the share of the evidence turns of a question among
// the first 5, 10 and 25 hits.
//
//   locomo_benchmark locomo10.json [--grid]
//
// --grid walks over neighbour weights. The defaults in search/request.h are round numbers from its
// broad top, not the best row.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "model/json_text.h"
#include "search/index.h"
#include "search/source_fake.h"
#include "tests/relevance/dialog_ids.h"

namespace holdfast::bench {
namespace {

struct Question {
  SpaceId space = {};
  std::string text = {};
  std::vector<ObjectNumber> evidence = {};
};

std::string text_of(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  const std::string* text = member != nullptr ? member->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

class Data {
 public:
  Data() : index_({.background = false}) {}

  void add(const Value& sample, size_t number) {
    const SpaceId space("s" + std::to_string(number));
    std::map<std::string, ObjectNumber> turns;
    const Value& conversation = *sample.find("conversation");
    for (int session = 1; session < 100; ++session) {
      const Value* list = conversation.find("session_" + std::to_string(session));
      if (list == nullptr || !list->is_array()) continue;
      int64_t place = 0;
      for (const Value& turn : *list->if_array()) {
        Projection projection;
        projection.text.body = text_of(turn, "text") + " " + text_of(turn, "blip_caption");
        projection.text.speaker = text_of(turn, "speaker");
        projection.text.conversation = fmt::format("session {}", session);
        projection.text.at = from_micros(session * int64_t{1'000'000} + ++place);
        const std::string id = text_of(turn, "dia_id");
        const auto change = source_.put(space, "turn", id, {}, projection);
        index_.on_commit({change});
        turns[id] = change.object.number;
      }
    }
    for (const Value& qa : *sample.find("qa")->if_array()) {
      Question question{.space = space, .text = text_of(qa, "question")};
      const Value* evidence = qa.find("evidence");
      if (evidence == nullptr || !evidence->is_array()) continue;
      for (const Value& entry : *evidence->if_array()) {
        if (!entry.is_string()) continue;
        for (const std::string& id : relevance::dialog_ids(*entry.if_string())) {
          if (turns.contains(id)) question.evidence.push_back(turns[id]);
        }
      }
      if (!question.evidence.empty()) questions_.push_back(std::move(question));
    }
  }

  void measure(const std::string& name, search::SearchRequest request) const {
    std::array<double, 3> recall = {};
    constexpr std::array<size_t, 3> kDepths = {5, 10, 25};
    request.limit = 25;
    request.plain = true;
    for (const Question& question : questions_) {
      request.query = question.text;
      const auto response = index_.search(search::owner_access(question.space), request);
      for (size_t d = 0; d < kDepths.size(); ++d) {
        size_t found = 0;
        for (size_t i = 0; i < std::min(kDepths[d], response->hits.size()); ++i) {
          found += std::ranges::find(question.evidence, response->hits[i].number) !=
                           question.evidence.end()
                       ? 1
                       : 0;
        }
        recall[d] += static_cast<double>(found) / static_cast<double>(question.evidence.size());
      }
    }
    const auto count = static_cast<double>(questions_.size());
    std::printf("%-44s @5 %.4f  @10 %.4f  @25 %.4f\n", name.c_str(), recall[0] / count,
                recall[1] / count, recall[2] / count);
  }

  size_t questions() const { return questions_.size(); }

 private:
  search::FakeSource source_;
  search::Index index_;
  std::vector<Question> questions_;
};

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
  using namespace holdfast;
  if (argc < 2) {
    std::fprintf(stderr, "usage: locomo_benchmark locomo10.json [--grid]\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  std::stringstream bytes;
  bytes << file.rdbuf();
  const auto samples = parse_json(bytes.str());
  if (!samples || !samples->is_array()) {
    std::fprintf(stderr, "cannot read %s\n", argv[1]);
    return 1;
  }
  bench::Data data;
  for (size_t i = 0; i < samples->if_array()->size(); ++i) data.add((*samples->if_array())[i], i);
  std::printf("%zu questions with evidence\n", data.questions());
  data.measure("plain BM25", {});
  data.measure("speaker", {.speaker_boost = search::kSpeakerBoost});
  data.measure("neighbours", {.neighbours = true});
  data.measure("neighbours and speaker",
               {.neighbours = true, .speaker_boost = search::kSpeakerBoost});
  if (argc < 3) return 0;
  for (const double adjacent : {0.2, 0.35, 0.5}) {
    for (const double second : {0.0, 0.1, 0.2, 0.3}) {
      for (const double conversation : {0.0, 0.1, 0.2, 0.4}) {
        for (const double speaker : {0.0, 0.2, 0.4, 0.8}) {
          data.measure(fmt::format("{} {} conversation {} speaker {}", adjacent, second,
                                   conversation, speaker),
                       {.neighbours = true,
                        .neighbour_weights = {adjacent, second, conversation},
                        .speaker_boost = speaker});
        }
      }
    }
  }
  return 0;
}
