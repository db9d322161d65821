#include "service/substrate/concept_candidates.h"

#include <gtest/gtest.h>

#include "service/substrate/concept_terms.h"

namespace holdfast::service::substrate {
namespace {

using Names = std::vector<std::string>;

SegmentText segment(const std::string& id, const std::string& excerpt, Names path = {},
                    int64_t line = 5) {
  return {.source_id = "src:1",
          .source_title = "doc.md",
          .segment_id = id,
          .excerpt = excerpt,
          .heading_path = std::move(path),
          .line_start = line,
          .scope_ref = "node:1"};
}

TEST(ConceptTermsTest, EveryRuleFindsItsTerms) {
  EXPECT_EQ(extract_terms("uses `some term` and ```not this``` here"), (Names{"some term"}));
  EXPECT_EQ(extract_terms("The Memory Pipeline and HTTP API/SDK of Foo"),
            (Names{"The Memory Pipeline", "HTTP API/SDK"}));
  EXPECT_EQ(extract_terms("call memory_query search now"), (Names{"memory_query search"}));
  EXPECT_EQ(extract_terms("run codex exec --full-auto -q x"), (Names{"codex exec --full-auto -q"}));
  EXPECT_EQ(extract_terms("locale zh-cn here"), (Names{"zh-cn"}));
  EXPECT_EQ(extract_terms("我们的知识图谱很好,别的"), (Names{"我们的知识图谱很好"}));
}

TEST(ConceptTermsTest, RunsEndAtEmptyLinesAndSixWords) {
  EXPECT_EQ(extract_terms("Context Pack\n\nOther Thing"), (Names{"Context Pack", "Other Thing"}));
  EXPECT_EQ(extract_terms("Context\nPack"), (Names{"Context\nPack"}));
  EXPECT_EQ(extract_terms("Aa Bb Cc Dd Ee Ff Gg Hh"), (Names{"Aa Bb Cc Dd Ee Ff", "Gg Hh"}));
}

TEST(ConceptTermsTest, TermsAreCleanedToOneKey) {
  EXPECT_EQ(clean_term("  **The  Context\nPack:** "), "Context Pack");
  EXPECT_EQ(concept_key("the `Context-Pack`"), "contextpack");
  EXPECT_EQ(concept_key("Éa 知识"), "éa知识");
  EXPECT_EQ(concept_key("--"), "");
}

TEST(ConceptTermsTest, NoiseIsNamedByTheFirstRuleThatMatches) {
  const std::map<std::string, std::string> expected = {
      {"Guide", "generic_term"},
      {"Current Todo", "document_artifact"},
      {"Call Examples", "document_artifact"},
      {"docs/guide", "path_fragment"},
      {"read config.yaml now", "path_fragment"},
      {"Next Steps", "temporary_task_vocabulary"},
      {"Current Big Focus", "temporary_task_vocabulary"},
      {"zh-cn", "format_marker"},
      {"Returns The Value", "action_phrase"},
      {"Ctrl Shift", "shortcut_marker"},
      {"Kuzu", "weak_term"},
      {"Context Pack", ""},
      {"知识图谱", ""}};

  for (const auto& [term, reason] : expected) EXPECT_EQ(skip_reason(term), reason) << term;
  EXPECT_EQ(skip_reason("Aa " + std::string(90, 'b')), "too_long");
}

TEST(ConceptDiscoveryTest, AHeadingThatItsTextRepeatsIsACandidate) {
  ConceptDiscovery discovery;
  discovery.add_segment(segment("4", "## Context Pack\n\nA Context Pack groups. `Context Pack`.",
                                {"Guide", "Context Pack"}));

  const auto report = discovery.report({.limit = 5});

  ASSERT_EQ(report.candidates.size(), 1U);
  const ConceptCandidate& found = report.candidates[0];
  EXPECT_EQ(found.title, "Context Pack");
  EXPECT_EQ(found.occurrences, 6);
  EXPECT_EQ(found.support_count, 1);
  EXPECT_DOUBLE_EQ(found.score, 0.74);
  EXPECT_EQ(found.reasons, (Names{"heading_path", "source_excerpt"}));
  EXPECT_EQ(found.bonuses, (Names{"durable_memory_candidate"}));
  EXPECT_EQ(advice_for(found).priority, "high");
}

TEST(ConceptDiscoveryTest, ATermOfOnePlaceWithoutHeadingIsNone) {
  ConceptDiscovery once;
  once.add_segment(segment("1", "Evidence Flow and Evidence Flow again"));
  ConceptDiscovery twice;
  twice.add_segment(segment("1", "Evidence Flow"));
  twice.add_segment(segment("2", "Evidence Flow"));

  EXPECT_TRUE(once.report({}).candidates.empty());
  EXPECT_EQ(twice.report({}).candidates.size(), 1U);
}

TEST(ConceptDiscoveryTest, TheTitleOfADocumentIsNoTermOfIt) {
  ConceptDiscovery discovery;
  discovery.add_segment(segment("1", "words", {"Big Title"}, 1));
  discovery.add_segment(segment("2", "words", {"A", "Doc md"}));

  EXPECT_TRUE(discovery.report({}).candidates.empty());
  EXPECT_EQ(discovery.report({}).diagnostics.skipped_count, 0);
}

TEST(ConceptDiscoveryTest, KnowledgeSupportsAndTakenKeysAreDropped) {
  ConceptDiscovery discovery;
  discovery.add_segment(segment("1", "The Evidence Flow"));
  discovery.add_knowledge({.id = "know:1", .title = "Evidence Flow", .scope_refs = {"scope:p"}});

  const auto report = discovery.report({});

  ASSERT_EQ(report.candidates.size(), 1U);
  EXPECT_EQ(report.candidates[0].object_refs, (Names{"know:1"}));
  EXPECT_EQ(report.candidates[0].scope_refs, (Names{"node:1", "scope:p"}));
  EXPECT_TRUE(
      discovery.report({.taken = [](const std::string& key) { return key == "evidenceflow"; }})
          .candidates.empty());
}

TEST(ConceptDiscoveryTest, TypesWeighDifferently) {
  const auto judged = [](const std::string& title) {
    ConceptDiscovery discovery;
    for (const char* id : {"1", "2"}) discovery.add_segment(segment(id, "`" + title + "`"));
    return discovery.report({}).candidates.at(0);
  };

  EXPECT_EQ(judged("Review Workflow").candidate_type, "procedure");
  EXPECT_EQ(judged("Use Kuzu Here").candidate_type, "decision");
  EXPECT_EQ(judged("Kuzu Driver").candidate_type, "tool_library");
  EXPECT_EQ(judged("memory_query search").candidate_type, "implementation_detail");
  EXPECT_EQ(judged("Shared Config").candidate_type, "implementation_detail");
  EXPECT_EQ(judged("Kuzu Driver").penalties,
            (Names{"tool_or_library_name", "single_scope_tool_or_library"}));
  EXPECT_EQ(advice_for(judged("Kuzu Driver")).priority, "low");
}

TEST(ConceptDiscoveryTest, TermsBeyondTheBoundAreNotCounted) {
  ConceptDiscovery discovery;
  for (size_t i = 0; i < ConceptDiscovery::kMaxKeys + 50; ++i)
    discovery.add_segment(segment("1", "`word " + std::to_string(i) + "`"));

  EXPECT_EQ(discovery.report({}).diagnostics.skipped_count,
            static_cast<int64_t>(ConceptDiscovery::kMaxKeys));
}

}  // namespace
}  // namespace holdfast::service::substrate
