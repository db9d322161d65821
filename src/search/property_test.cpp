// Random lives of an index, compared with the oracle after every few steps: puts, updates,
// deletions, erasures, flushes, merges, reopening, in any order, for every sort of viewer and
// request. Seeds are fixed.
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "base/log.h"
#include "search/folder_fake.h"
#include "search/index.h"
#include "search/oracle_fake.h"
#include "search/source_fake.h"

namespace holdfast::search {
namespace {

class Life {
 public:
  Life(unsigned seed, std::string folder) : random_(seed), folder_(std::move(folder)) { reopen(); }

  void step() {
    const unsigned dice = pick(100);
    if (dice < 45) {
      put();
    } else if (dice < 60) {
      put_expected();
    } else if (dice < 75) {
      remove(false);
    } else if (dice < 80) {
      remove(true);
    } else if (dice < 92) {
      index_->settle();
    } else if (dice < 95 && !folder_.empty()) {
      // As if killed: the folder as it is now, without the last words of close().
      const std::string kept = folder_ + ".kept";
      std::filesystem::remove_all(kept);
      std::filesystem::copy(folder_, kept, std::filesystem::copy_options::recursive);
      index_.reset();
      std::filesystem::remove_all(folder_);
      std::filesystem::rename(kept, folder_);
      reopen();
    } else if (dice < 97) {
      index_.reset();
      reopen();
    } else {
      ASSERT_TRUE(index_->rebuild(kDefaultSpace, source_));
    }
  }

  void check() {
    check_answers();
    const auto findings = index_->verify(source_);
    ASSERT_TRUE(findings->empty()) << findings->front();
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  bool chance(unsigned percent) { return pick(100) < percent; }

  void reopen() {
    index_ = std::make_unique<Index>(IndexOptions{
        .folder = folder_, .flush_documents = 7, .merge_width = 3, .background = false});
    if (!folder_.empty()) std::filesystem::create_directories(folder_);
    ASSERT_TRUE(index_->open(source_));
  }

  // Few words, so that ties and shared terms are common.
  std::string word() {
    static const std::vector<std::string> kWords = {
        "tea",      "teas",    "kettle",      "green", "blue", "deploy", "deployed",
        "rollback", "PROJ-12", "queryParser", "alice", "bob",  "the",    "of",
        "staging",  "東京都",  "wall",        "paint", "ship", "house"};
    return kWords[std::min(pick(20), pick(20))];
  }
  std::string text(unsigned most) {
    std::string out;
    for (unsigned i = pick(most + 1); i > 0; --i) out += word() + " ";
    return out;
  }
  Label label() {
    Label label;
    label.visibility = static_cast<Visibility>(pick(4));
    label.sensitivity = chance(20) ? Sensitivity::kSensitive : Sensitivity::kNormal;
    label.container = chance(50) ? "c1" : "c2";
    label.owner = chance(50) ? "alice" : "bob";
    if (chance(10)) label.compartments = {"x"};
    return label;
  }
  Viewer random_viewer() {
    Viewer viewer;
    if (chance(30)) {
      return {
          .every_owner = true, .reach = Visibility::kOwner, .clearance = Sensitivity::kSensitive};
    }
    viewer.actor = chance(50) ? "alice" : "";
    viewer.reach = static_cast<Visibility>(pick(4));
    viewer.clearance = chance(50) ? Sensitivity::kSensitive : Sensitivity::kNormal;
    if (chance(50)) viewer.containers = {"c1"};
    if (chance(50)) viewer.compartments = std::vector<std::string>{};
    return viewer;
  }
  Projection projection() {
    Projection projection;
    auto& text_out = projection.text;
    if (chance(40)) text_out.title = text(3);
    if (chance(20)) text_out.ids = {word(), word()};
    if (chance(20)) text_out.tags = {word(), word()};
    if (chance(30)) text_out.summary = text(5);
    text_out.body = text(12);
    if (chance(60)) {
      text_out.conversation = chance(50) ? "talk-1" : "talk-2";
      text_out.speaker = chance(50) ? "Alice Smith" : "Bob";
    }
    text_out.at = from_micros(1 + pick(50));
    if (chance(20)) text_out.valid_from = from_micros(pick(50));
    if (chance(20)) text_out.valid_until = from_micros(pick(50));
    if (chance(60)) projection.facets.push_back(Facet::of("tag", word()));
    if (chance(30)) projection.facets.push_back(Facet::of("tag", word()));
    if (chance(50)) projection.facets.push_back(Facet::of("due", static_cast<int64_t>(pick(20))));
    return projection;
  }

  void check_answers() {
    const Viewer viewer = random_viewer();
    check_search(viewer);
    check_list(viewer);
    check_counts(viewer);
    check_numbers(viewer);
    const auto as_before = random_;  // so that what happens next does not depend on this check
    check_field_order(viewer);
    random_ = as_before;
  }

  storage::Change next_change() {
    const std::string id = std::to_string(pick(60));
    auto change =
        source_.put(kDefaultSpace, chance(50) ? "note" : "turn", id, label(), projection());
    highest_ = std::max(highest_, change.object.number);
    last_ = change.entry.position;
    return change;
  }
  // As one of a commit that fails, whose numbers and positions the next one has again.
  storage::Change undone_change(int64_t place) {
    return {.space = kDefaultSpace,
            .object = {.key = {"note", "undone"}, .number = highest_ + place, .label = label()},
            .projection = projection(),
            .entry = {.position = last_ + place}};
  }

  void put() {
    const auto change = next_change();
    index_->on_commit({change});
    oracle_.put(change.object, change.projection);
  }
  // Nobody sees what is expected until it is committed, if it ever is.
  void put_expected() {
    const bool comes = chance(70);
    std::vector<storage::Change> changes;
    const unsigned count = 1 + pick(5);
    for (unsigned i = 1; i <= count; ++i)
      changes.push_back(comes ? next_change() : undone_change(i));
    index_->expect(changes);
    if (chance(30)) index_->settle();
    check_answers();
    if (!comes) {
      index_->forget_expected();
    } else if (chance(20)) {
      index_.reset();  // and nobody told it
      reopen();
    } else {
      index_->on_commit(changes);
    }
    if (!comes) return;
    for (const auto& change : changes) oracle_.put(change.object, change.projection);
  }
  void remove(bool erase) {
    if (oracle_.size() == 0) return;
    auto it = oracle_.docs().begin();
    std::advance(it, pick(static_cast<unsigned>(oracle_.size())));
    ObjectKey key;
    const auto page = source_.objects_after(kDefaultSpace, it->first - 1, 1);
    const auto change = source_.remove(kDefaultSpace, page->front().object.key, erase);
    last_ = change.entry.position;
    index_->on_commit({change});
    oracle_.remove(it->first);
  }

  Filter filter() {
    Filter filter;
    if (chance(20)) filter.kinds = {"note"};
    if (chance(10)) filter.not_kinds = {"turn"};
    if (chance(20))
      filter.facets.push_back({.name = "tag", .any_of = {word(), word()}, .negated = chance(30)});
    if (chance(20))
      filter.ranges.push_back(
          {.name = "due", .from = pick(10), .to = 8 + pick(10), .negated = chance(30)});
    if (chance(15)) filter.from = from_micros(pick(30));
    if (chance(15)) filter.to = from_micros(20 + pick(30));
    if (chance(15)) filter.valid_at = from_micros(pick(50));
    if (chance(10))
      filter.not_numbers = {static_cast<ObjectNumber>(pick(50)),
                            static_cast<ObjectNumber>(pick(50))};
    return filter;
  }

  SearchRequest request() {
    SearchRequest request{.query = text(6), .filter = filter(), .limit = 1 + pick(8)};
    if (chance(15)) request.query += "\"" + word() + " " + word() + "\"";
    if (chance(15)) request.query += " -" + word();
    if (chance(20)) request.match = chance(50) ? MatchMode::kAll : MatchMode::kMinimum;
    request.minimum_terms = 1 + pick(3);
    request.exact_total = chance(30);
    request.neighbours = chance(30);
    if (chance(30)) request.speaker_boost = 0.3;
    if (chance(30)) {
      request.recency = {
          .weight = 0.5, .half_life = std::chrono::seconds(1), .now = from_micros(60)};
    }
    if (chance(30)) request.offset = pick(6);
    request.explain = chance(50);
    return request;
  }

  static std::string describe(const SearchRequest& asked) {
    std::string out = "query: " + asked.query + (asked.neighbours ? " neighbours" : "");
    if (asked.match == MatchMode::kAll) out += " all";
    if (asked.match == MatchMode::kMinimum)
      out += " minimum " + std::to_string(asked.minimum_terms);
    for (const auto& name : asked.filter.names()) out += " " + name;
    return out + (asked.speaker_boost > 0 ? " speaker" : "") +
           (asked.recency.weight > 0 ? " recency" : "");
  }

  void check_search(const Viewer& viewer) {
    SearchRequest asked = request();
    SCOPED_TRACE(describe(asked));
    const auto expected = oracle_.search(viewer, asked);
    const auto answer = index_->search(access_for(viewer), asked);
    ASSERT_TRUE(answer);
    if (asked.exact_total && !asked.neighbours) {
      ASSERT_EQ(answer->total, expected.size());
      ASSERT_TRUE(answer->total_is_exact);
    }
    if (answer->total_is_exact) {
      ASSERT_EQ(answer->total, expected.size());
    } else if (!asked.neighbours) {
      ASSERT_LE(answer->total, expected.size());
    }
    const size_t begin = std::min(asked.offset, expected.size());
    const size_t count = std::min(asked.limit, expected.size() - begin);
    ASSERT_EQ(answer->hits.size(), count) << asked.query;
    for (size_t i = 0; i < count; ++i) {
      const Hit& hit = answer->hits[i];
      // Sums of neighbours are made in another order: near ties may change places.
      ASSERT_NEAR(hit.score, expected[begin + i].score, 1e-9) << asked.query;
      const auto own = std::ranges::find(expected, hit.number, &Oracle::Scored::number);
      ASSERT_NE(own, expected.end());
      ASSERT_NEAR(hit.score, own->score, 1e-9);
      if (!asked.neighbours) {
        ASSERT_EQ(hit.number, expected[begin + i].number);
      }
      if (hit.explanation) check_explanation(hit);
    }
    if (!asked.neighbours && asked.offset == 0 && !answer->hits.empty()) {
      asked.after = SearchPosition{answer->hits.back().score, answer->hits.back().number};
      const auto next = index_->search(access_for(viewer), asked);
      const size_t left = std::min(asked.limit, expected.size() - count);
      ASSERT_EQ(next->hits.size(), left);
      for (size_t i = 0; i < left; ++i) ASSERT_EQ(next->hits[i].number, expected[count + i].number);
    }
  }

  // What the words of a hit are worth where they are, as its explanation tells.
  static int64_t explained_worth(const Hit& hit, const FieldOrder& order) {
    int64_t best = 0;
    for (const auto& term : hit.explanation->terms) {
      int64_t worth = 0;
      for (const auto& match : term.fields) worth += order.worth[static_cast<size_t>(match.field)];
      best = std::max(best, worth);
    }
    return best;
  }

  void check_field_order(const Viewer& viewer) {
    SearchRequest asked = request();
    SCOPED_TRACE(describe(asked));
    asked.neighbours = false;
    asked.limit = 20;
    asked.explain = true;
    auto plain = index_->search(access_for(viewer), asked);
    ASSERT_TRUE(plain);
    const FieldOrder order{.worth = {20, 8, 5, 10, 3}, .wanted = 1 + pick(8)};
    for (Hit& hit : plain->hits) hit.worth = explained_worth(hit, order);
    std::ranges::stable_sort(plain->hits, std::ranges::greater(), &Hit::worth);
    asked.explain = false;
    asked.field_order = order;
    const auto ordered = index_->search(access_for(viewer), asked);
    ASSERT_TRUE(ordered);
    ASSERT_EQ(ordered->hits.size(), plain->hits.size());
    for (size_t i = 0; i < ordered->hits.size(); ++i) {
      ASSERT_GE(ordered->hits[i].worth, plain->hits[i].worth);
      if (i >= order.wanted) continue;
      ASSERT_EQ(ordered->hits[i].worth, plain->hits[i].worth);
      const auto same = std::ranges::find(plain->hits, ordered->hits[i].number, &Hit::number);
      ASSERT_NE(same, plain->hits.end());
      ASSERT_EQ(ordered->hits[i].worth, same->worth);
    }
  }

  static void check_explanation(const Hit& hit) {
    const Explanation& why = *hit.explanation;
    double lexical = 0;
    for (const auto& term : why.terms) {
      lexical += term.contribution;
      uint32_t weighted = 0;
      for (const auto& field : term.fields)
        weighted += field.frequency * kFieldWeights[static_cast<size_t>(field.field)];
      ASSERT_EQ(weighted, term.weighted_frequency);
    }
    double around = 0;
    for (const auto& neighbour : why.neighbours) around += neighbour.contribution;
    ASSERT_NEAR(lexical, why.lexical, 1e-9);
    ASSERT_NEAR(around, why.neighbour_sum, 1e-9);
    ASSERT_NEAR(why.lexical + why.recency + why.speaker + why.neighbour_sum, hit.score, 1e-9);
  }

  void check_list(const Viewer& viewer) {
    ListRequest asked{.filter = filter(), .limit = 1 + pick(9)};
    const bool by_due = chance(50);
    asked.sort = {{.by = by_due ? SortKey::By::kNumberFacet : SortKey::By::kTime,
                   .facet = "due",
                   .descending = chance(50)}};
    const auto expected = oracle_.list(viewer, asked.filter);
    ASSERT_EQ(sorted(index_->numbers(access_for(viewer), asked.filter).numbers), sorted(expected));
    std::vector<ObjectNumber> listed;
    while (true) {
      const auto page = index_->list(access_for(viewer), asked);
      ASSERT_EQ(page->total, expected.size());
      for (const auto& hit : page->hits) listed.push_back(hit.number);
      if (!page->has_more) break;
      asked.after = page->hits.back().position;
    }
    const auto key = [&](ObjectNumber number) {
      const auto& doc = oracle_.doc(number);
      int64_t value = to_micros(doc.projection.text.at);
      if (by_due) {
        value = 0;
        for (const auto& facet : doc.projection.facets)
          value = facet.name == "due" ? facet.number : value;
      }
      return std::pair(value, number);
    };
    std::vector<ObjectNumber> in_order = expected;
    std::ranges::sort(in_order, {}, key);
    if (asked.sort[0].descending) std::ranges::reverse(in_order);
    ASSERT_EQ(listed, in_order);
  }

  void check_numbers(const Viewer& viewer) {
    const auto some = [this](unsigned below) {
      return static_cast<ObjectNumber>(numbers_random_() % below);
    };
    const auto only = std::make_shared<NumberBits>();
    for (int i = 0; i < 40; ++i) only->add(some(120));
    Filter filter{.after_number = some(2) * some(60)};
    if (some(2) == 0) filter.only_numbers = only;
    const std::vector<ObjectNumber> expected = oracle_.list(viewer, filter);
    std::vector<ObjectNumber> found = index_->numbers(access_for(viewer), filter).numbers;
    ASSERT_EQ(sorted(found), sorted(expected));
    ASSERT_EQ(index_->list(access_for(viewer), {.filter = filter})->total, expected.size());
  }
  static std::vector<ObjectNumber> sorted(std::vector<ObjectNumber> numbers) {
    std::ranges::sort(numbers);
    return numbers;
  }

  void check_counts(const Viewer& viewer) {
    std::map<std::string, int64_t> expected;
    for (const auto& [number, doc] : oracle_.docs()) {
      if (access::may_see(viewer, doc.label)) ++expected[doc.kind];
    }
    std::map<std::string, int64_t> counted;
    for (const KindCount& count : index_->counts(access_for(viewer)))
      counted[count.kind] = count.documents;
    ASSERT_EQ(counted, expected);
  }

  std::mt19937 random_;
  std::mt19937 numbers_random_{7};
  std::string folder_;
  FakeSource source_;
  Oracle oracle_;
  std::unique_ptr<Index> index_;
  ObjectNumber highest_ = 0;
  JournalPosition last_ = 0;
};

class PropertyTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(PropertyTest, AgreesWithTheOracleWhateverHappened) {
  log::configure(log::Format::kText, log::Level::kError);
  const bool on_disk = GetParam() % 4 == 0;
  const std::string folder = test_folder("property");
  std::filesystem::remove_all(folder);
  Life life(GetParam(), on_disk ? folder : "");

  for (int i = 0; i < 250; ++i) {
    ASSERT_NO_FATAL_FAILURE(life.step()) << "step " << i;
    for (int c = 0; c < 3; ++c) ASSERT_NO_FATAL_FAILURE(life.check()) << "step " << i;
  }
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PropertyTest, ::testing::Range(0U, 24U));

}  // namespace
}  // namespace holdfast::search
