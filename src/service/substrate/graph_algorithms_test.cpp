// The algorithms that must agree with their slow definitions.
#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "service/substrate/soft_duplicates.h"
#include "service/substrate/undirected_graph.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

using Edges = std::vector<std::pair<size_t, size_t>>;

size_t component_count(size_t nodes, const Edges& edges, size_t without) {
  Edges kept;
  for (const auto& edge : edges) {
    if (edge.first != without && edge.second != without) kept.push_back(edge);
  }
  return UndirectedGraph(nodes, kept).components().size() - (without < nodes ? 1 : 0);
}

TEST(UndirectedGraphTest, AnArticulationPointIsOneWhoseRemovalSplits) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const size_t nodes = 2 + random() % 9;
    Edges edges;
    for (size_t i = random() % 14; i > 0; --i)
      edges.emplace_back(random() % nodes, random() % nodes);
    const UndirectedGraph graph(nodes, edges);
    std::vector<size_t> expected;
    for (size_t node = 0; node < nodes; ++node) {
      const size_t before = component_count(nodes, edges, nodes);
      const size_t isolated = graph.neighbours(node).empty() ? 1 : 0;
      if (component_count(nodes, edges, node) > before - isolated) expected.push_back(node);
    }

    EXPECT_EQ(graph.articulation_points(), expected);
  }
}

TEST(UndirectedGraphTest, ALongChainIsNoDeepStack) {
  constexpr size_t kNodes = 300'000;
  Edges edges;
  for (size_t i = 0; i + 1 < kNodes; ++i) edges.emplace_back(i, i + 1);

  const UndirectedGraph graph(kNodes, edges);

  EXPECT_EQ(graph.articulation_points().size(), kNodes - 2);
  EXPECT_EQ(graph.components().size(), 1U);
}

TEST(UndirectedGraphTest, ParallelEdgesAndLoopsCountOnce) {
  const UndirectedGraph graph(2, {{0, 1}, {1, 0}, {0, 1}, {1, 1}});

  EXPECT_EQ(graph.neighbours(0), (std::vector<size_t>{1}));
  EXPECT_EQ(graph.neighbours(1), (std::vector<size_t>{0}));
}

SoftText random_text(std::mt19937& random, int number) {
  static const char* const kWords[] = {"kuzu",  "graph", "backend", "memory", "local",
                                       "store", "index", "walrus",  "tapir",  "sea"};
  const auto words = [&](int most) {
    std::string text;
    for (int i = static_cast<int>(random() % static_cast<unsigned>(most)) + 1; i > 0; --i) {
      text += std::string(kWords[random() % 10]) + " ";
    }
    return text;
  };
  Knowledge knowledge{.id = "know:" + std::to_string(1000 + number),
                      .kind = random() % 2 == 0 ? "fact" : "decision",
                      .title = words(5),
                      .summary = words(8),
                      .scope_refs = {random() % 3 == 0 ? "scope:a" : "scope:b"}};
  if (random() % 3 == 0) knowledge.subject_refs = {"node:s"};
  if (random() % 3 == 0) {
    knowledge.evidence_refs = {{.source_id = "src:e", .segment_id = "1"}};
  }
  return soft_text_of(knowledge);
}

TEST(SoftDuplicatesTest, BlockingLosesNoPair) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<SoftText> texts;
    for (int i = 0; i < 40; ++i) texts.push_back(random_text(random, i));
    std::set<std::pair<std::string, std::string>> expected;
    for (size_t a = 0; a < texts.size(); ++a) {
      for (size_t b = a + 1; b < texts.size(); ++b) {
        if (!scopes_overlap(texts[a].scopes, texts[b].scopes)) continue;
        if (compare(texts[a], texts[b]).score >= kSoftDuplicateScore) {
          expected.emplace(texts[a].id, texts[b].id);
        }
      }
    }

    std::set<std::pair<std::string, std::string>> found;
    for (const SoftPair& pair : soft_pairs(texts)) found.emplace(pair.first, pair.second);

    EXPECT_EQ(found, expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST(SoftDuplicatesTest, WordsCountOnceWithoutStopWordsAndPlurals) {
  const auto text = [](const char* title, const char* summary) {
    return soft_text_of({.kind = "decision", .title = title, .summary = summary});
  };

  const SoftMatch match = compare(
      text("Use Kuzu as graph backend", "Kuzu is the local graph backend for memory."),
      text("Use Kuzu for graph backends", "The local graph backend should be Kuzu for memory."));

  EXPECT_DOUBLE_EQ(match.score, 0.9);
  EXPECT_EQ(match.reasons,
            (std::vector<std::string>{"title_overlap", "summary_overlap", "same_kind"}));
}

}  // namespace
}  // namespace holdfast::service::substrate
