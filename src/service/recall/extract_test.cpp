#include "service/recall/extract.h"

#include <gtest/gtest.h>

#include "service/recall/words.h"

namespace holdfast::service::recall {
namespace {

Item said(std::string content, std::string kind, std::string role, Scope scope) {
  Item item;
  item.content = std::move(content);
  item.about.source_type = "chat";
  item.about.source_id = "1";
  item.about.artifact_kind = std::move(kind);
  item.about.role = std::move(role);
  item.about.actor_ref = "user:ada";
  item.about.container_ref = "room";
  item.about.thread_ref = "thread";
  item.about.visibility = scope;
  return item;
}

Item reply(std::string content) {
  return said(std::move(content), "assistant_output", "assistant", Scope::kContainer);
}

Item own(std::string content) {
  return said(std::move(content), "message", "user", Scope::kPrivate);
}

std::string member(const Draft& draft, std::string_view name) {
  const Value* value = draft.payload.find(name);
  return value != nullptr && value->is_string() ? *value->if_string() : "";
}

TEST(Extract, DecisionWithItsReason) {
  const auto drafts = extract(reply("We opted for plain SQL to avoid a second language."));
  ASSERT_EQ(drafts.size(), 1U);
  EXPECT_EQ(drafts[0].type, type::kDecision);
  EXPECT_EQ(member(drafts[0], "decision"), "Use plain SQL");
  EXPECT_EQ(member(drafts[0], "rationale_text"), "to avoid a second language");
}

TEST(Extract, NoDecisionWhereNoneWasMade) {
  for (const char* text :
       {"We never decided to drop the index.", "Perhaps we chose the wrong broker then.",
        "> We decided to use pigeons.", "```\nWe decided to use pigeons.\n```",
        "Which one did we pick?", "We considered three brokers."}) {
    EXPECT_TRUE(extract(reply(text)).empty()) << text;
  }
}

TEST(Extract, WhatIsDecidedAgainstMustBeDecided) {
  EXPECT_EQ(member(extract(reply("We decided against Kafka brokers.")).at(0), "decision"),
            "Do not use Kafka brokers");
  for (const char* open : {"We haven't decided against Kafka brokers.",
                           "We have not decided not to use Kafka brokers."})
    EXPECT_TRUE(extract(reply(open)).empty()) << open;
}

TEST(Extract, LabelsMayBeMarked) {
  for (const char* marked : {"**Decision:** use `sql` files", "__Decision:__ use `sql` files",
                             "**Decision**: use `sql` files", "`Decision:` use `sql` files"})
    EXPECT_EQ(member(extract(reply(marked)).at(0), "decision"), "Use `sql` files") << marked;
  EXPECT_EQ(member(extract(reply("Decision: *plain* SQL files")).at(0), "decision"),
            "*plain* SQL files");
}

TEST(Extract, OneWordDecidesOnlyIfItIsAName) {
  EXPECT_EQ(extract(reply("Decision: Postgres")).size(), 1U);
  EXPECT_TRUE(extract(reply("Decision: To proceed")).empty());
}

TEST(Extract, EveryScriptHasFirstLettersAndReasons) {
  EXPECT_EQ(member(extract(reply("Decision: éviter les caches partagés")).at(0), "decision"),
            "Éviter les caches partagés");
  const auto draft = extract(reply("We chose the İzmir mirror because of latency.")).at(0);
  EXPECT_EQ(member(draft, "decision"), "Use the İzmir mirror");
  EXPECT_EQ(member(draft, "rationale_text"), "because of latency");
  EXPECT_EQ(member(extract(reply("Élodie manages the depot.")).at(0), "subject"), "Élodie");
}

TEST(Extract, ASwitchReplacesAllThatItNames) {
  using Words = std::vector<std::string>;
  const auto replaced = [](const char* text) { return extract(reply(text)).at(0).replaces; };
  EXPECT_EQ(replaced("We are switching from Redis to Postgres."), Words{"redis"});
  EXPECT_EQ(replaced("We moved from Redis Cluster to Postgres."), (Words{"redis", "cluster"}));
  EXPECT_EQ(replaced("We moved sessions from Redis to Postgres."), Words{"redis"});
}

TEST(Extract, RulesOnlyFromTheirPersonInAPersonalScope) {
  const std::string rule = "Never rename migrations after a release.";
  ASSERT_EQ(extract(own(rule)).size(), 1U);
  EXPECT_EQ(extract(own(rule))[0].type, type::kConstraint);
  EXPECT_TRUE(extract(said(rule, "message", "user", Scope::kContainer)).empty());
  EXPECT_TRUE(extract(own("Don't worry about the failing badge today.")).empty());
}

TEST(Extract, ARuleMayBeToldToYou) {
  const auto drafts = extract(own("You must keep the API keys in the vault."));
  ASSERT_EQ(drafts.size(), 1U);
  EXPECT_EQ(member(drafts[0], "polarity"), "require");
  EXPECT_TRUE(extract(own("You must be tired of the long review meetings.")).empty());
}

TEST(Extract, FactsInTheThirdPerson) {
  const auto drafts = extract(own("My timezone is now Asia/Tokyo."));
  ASSERT_EQ(drafts.size(), 1U);
  EXPECT_EQ(member(drafts[0], "statement"), "ada's timezone is Asia/Tokyo");
  EXPECT_FALSE(drafts[0].slot.empty()) << "one person has one timezone";
  EXPECT_EQ(member(drafts[0], "predicate"), "attr:timezone");
  EXPECT_EQ(member(extract(own("retry_limit is set to 5.")).at(0), "predicate"),
            "attr:retry_limit");
}

TEST(Extract, PortsPassYearsDoNot) {
  EXPECT_EQ(extract(own("I visited Rome in 2019.")).size(), 1U);
  Item numbered = own("I visited Rome.");
  numbered.about.actor_ref = "user:1a2b3c4d5e";
  EXPECT_EQ(extract(numbered).size(), 1U);
  for (const char* passing : {"The port for grafana is 3000.", "grafana_port is set to 3000.",
                              "`api` runs on localhost:8080.", "`api` uses port 8080.",
                              "`api` uses pid 12345.", "`api` runs on commit 1a2b3c4d."})
    EXPECT_TRUE(extract(own(passing)).empty()) << passing;
}

TEST(Extract, WhatIsTrueForAMomentIsNoFact) {
  for (const char* passing :
       {"Our worker pool is 12 processes.", "Billing uses 4 processes.",
        "Billing uses 12 idle worker processes.", "Our process count is 12.",
        "Our load is 85% of CPU.", "Our load is 85 % of the CPU.", "Our CPU load is 85 percent.",
        "Our cache is 512MB memory.", "Billing uses 350MB.", "Billing uses 2.5 GB.",
        "Our suite is 312 tests passing.", "Our worker is pid 4711."})
    EXPECT_TRUE(extract(own(passing)).empty()) << passing;
  for (const char* lasting :
       {"Our budget is 3000 gbp.", "Our delivery is rapid 2.0.", "Our release is a 3 step process.",
        "Our discount is 85%.", "Our market is region GB 2."})
    EXPECT_EQ(extract(own(lasting)).size(), 1U) << lasting;
}

TEST(Extract, MayIsAMonthToo) {
  for (const char* dated : {"I visited Rome in May.", "I visited Rome on May 3, 2025.",
                            "We decided in May to freeze the schema."})
    EXPECT_EQ(extract(own(dated)).size(), 1U) << dated;
  for (const char* doubtful :
       {"I moved to Rome and may stay.", "We may have decided to go to Rome."})
    EXPECT_TRUE(extract(own(doubtful)).empty()) << doubtful;
}

TEST(Extract, NotesToTheLetter) {
  const auto drafts = extract(said("# Plan\n  two  spaces\n", "note", "user", Scope::kPrivate));
  ASSERT_EQ(drafts.size(), 1U);
  EXPECT_EQ(member(drafts[0], "content"), "# Plan\n  two  spaces\n");
  EXPECT_EQ(member(drafts[0], "title"), "Plan");
}

TEST(Extract, WorkReferences) {
  const auto refs = work_refs_in("See PROJ-12 and PR #7, not UTF-8 or `x`; INC0012345 too.");
  EXPECT_EQ(refs, (std::vector<std::string>{"proj-12", "pr-7", "inc0012345"}));
  EXPECT_EQ(work_refs_in("İzmir: see PR #7."), std::vector<std::string>{"pr-7"});
}

TEST(Words, PluralsAndAccents) {
  EXPECT_EQ(content_words("The café's branches and branch"),
            (std::vector<std::string>{"cafe", "branches"}));
  EXPECT_EQ(WordSet("release branches").match("branch"), 1);
  EXPECT_EQ(WordSet("ordering").match("ordered"), 0.8);
  EXPECT_EQ(WordSet("order").match("border"), 0);
}

}  // namespace
}  // namespace holdfast::service::recall
