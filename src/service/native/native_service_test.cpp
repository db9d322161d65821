// The native services on a real store and index, without sockets.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "service/native/memory_fixture.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service {
namespace {

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/store.db", .clock = clock}));
}

class NativeServiceTest : public testing::Test {
 protected:
  Object remember(const RememberRequest& request,
                  const CallContext& call = MemoryFixture::owner()) {
    auto response = memory_.memories.remember(call, request);
    EXPECT_TRUE(response.has_value()) << response.error().message;
    return response ? response->object : Object{};
  }
  std::vector<std::string> found(const SearchRequest& request,
                                 const CallContext& call = MemoryFixture::owner()) {
    const auto response = memory_.search.search(call, request);
    EXPECT_TRUE(response.has_value()) << response.error().message;
    std::vector<std::string> ids;
    if (!response) return ids;
    for (const auto& hit : response->hits) ids.push_back(hit.object.key.id);
    return ids;
  }

  ManualClock clock_{from_micros(1'800'000'000'000'000)};
  MemoryFixture memory_{testing::UnitTest::GetInstance()->current_test_info()->name(), clock_,
                        open_store};
};

using Ids = std::vector<std::string>;

TEST_F(NativeServiceTest, ASearchOfThePastFindsWhatWasForgottenByNobodyButChangedSince) {
  remember({.id = "stable", .text = "cranes lift containers"});
  const JournalPosition then = remember({.id = "edited", .text = "cranes lift steel"}).position;
  remember({.id = "edited", .text = "trucks carry steel"});
  remember({.id = "newer", .text = "cranes are birds too"});

  Ids past = found({.query = "cranes", .as_of = {.position = then}});

  std::ranges::sort(past);
  EXPECT_EQ(past, (Ids{"edited", "stable"}));
  EXPECT_EQ(found({.query = "trucks", .as_of = {.position = then}}), Ids{});
}

TEST_F(NativeServiceTest, TheErasedStaysErasedInThePast) {
  const JournalPosition then = remember({.id = "secret", .text = "the vault code"}).position;
  ASSERT_TRUE(memory_.objects.forget(MemoryFixture::owner(), {.kind = "memory", .id = "secret"})
                  .has_value());

  EXPECT_EQ(found({.query = "vault", .as_of = {.position = then}}), Ids{});
  EXPECT_FALSE(memory_.objects
                   .show(MemoryFixture::owner(),
                         {.kind = "memory", .id = "secret", .as_of = {.position = then}})
                   .has_value());
}

TEST_F(NativeServiceTest, ThePastRanksAsItDidThen) {
  for (int i = 0; i < 6; ++i)
    remember({.id = "f" + std::to_string(i),
              .text = "filler about harbour work" + std::string(static_cast<size_t>(i), 's')});
  remember({.id = "rare", .text = "harbour pilots guild of the old town"});
  const JournalPosition then =
      remember({.id = "both", .text = "harbour work guild pilots"}).position;
  const Ids at_the_time = found({.query = "guild harbour work"});
  remember({.id = "both", .text = "nothing any more"});
  remember({.id = "f2", .text = "guild guild guild"});

  EXPECT_EQ(found({.query = "guild harbour work", .as_of = {.position = then}}), at_the_time);
}

TEST_F(NativeServiceTest, AnAsOfTimeMeansTheChangesUntilThen) {
  remember({.id = "a", .text = "first words"});
  clock_.advance(std::chrono::hours(1));
  const Timestamp between = clock_.now();
  clock_.advance(std::chrono::hours(1));
  remember({.id = "a", .text = "second words"});

  const auto shown = memory_.objects.show(MemoryFixture::owner(),
                                          {.kind = "memory", .id = "a", .as_of = {.at = between}});

  ASSERT_TRUE(shown.has_value());
  EXPECT_NE(shown->object.body.find("first words"), std::string::npos);
}

TEST_F(NativeServiceTest, AnImportIntoAnotherSpaceDoesNotMoveTheTimesOfThisOne) {
  remember({.id = "a", .text = "first words"});
  const Timestamp then = clock_.now();
  clock_.advance(std::chrono::hours(1));
  remember({.id = "a", .text = "second words"});
  CallContext elsewhere = MemoryFixture::owner();
  elsewhere.viewer.space = SpaceId{"elsewhere"};
  const JournalEntry entry{
      .at = then, .action = "created", .key = {.kind = "memory", .id = "old"}, .revision = 1};
  const Object old{.key = entry.key, .revision = 1, .body = R"({"text":"old words"})"};
  ASSERT_TRUE(
      memory_.archive.import_changes(elsewhere, {.changes = {{.entry = entry, .object = old}}})
          .has_value());

  const auto shown = memory_.objects.show(
      MemoryFixture::owner(),
      {.kind = "memory", .id = "a", .as_of = {.at = then + std::chrono::minutes(1)}});

  ASSERT_TRUE(shown.has_value());
  EXPECT_NE(shown->object.body.find("first words"), std::string::npos);
}

TEST_F(NativeServiceTest, ARepeatedCallGetsItsOwnAnswerThoughTheMemoryWasCorrectedSince) {
  CallContext call = MemoryFixture::owner();
  call.idempotency_key = "k";
  remember({.id = "a", .text = "first words"}, call);
  remember({.id = "a", .text = "second words"});

  const auto again = memory_.memories.remember(call, {.id = "a", .text = "first words"});

  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(again->replayed);
  EXPECT_EQ(again->object.revision, 1);
  EXPECT_NE(again->object.body.find("first words"), std::string::npos);
}

TEST_F(NativeServiceTest, PrivateMemoriesOfOthersChangeNeitherOrderNorScore) {
  remember({.id = "mine", .text = "quarterly budget draft"}, MemoryFixture::as("ann"));
  const auto before = memory_.search.search(MemoryFixture::as("ann"), {.query = "budget"});
  for (int i = 0; i < 30; ++i) {
    remember({.text = "budget budget budget", .visibility = Audience::kPrivate},
             MemoryFixture::as("bob"));
  }

  const auto after = memory_.search.search(MemoryFixture::as("ann"), {.query = "budget"});

  ASSERT_EQ(after->hits.size(), 1U);
  EXPECT_EQ(after->hits[0].score, before->hits[0].score);
  EXPECT_EQ(after->total, before->total);
}

TEST_F(NativeServiceTest, AnotherOwnersIdIsNeitherReadNorOverwritten) {
  remember({.id = "x", .text = "private of bob", .visibility = Audience::kPrivate},
           MemoryFixture::as("bob"));

  const auto overwritten =
      memory_.memories.remember(MemoryFixture::as("ann"), {.id = "x", .text = "mine now"});

  ASSERT_FALSE(overwritten.has_value());
  EXPECT_EQ(overwritten.error().code, ErrorCode::kNotFound);
  const auto bobs = memory_.objects.show(MemoryFixture::as("bob"), {.kind = "memory", .id = "x"});
  EXPECT_NE(bobs->object.body.find("private of bob"), std::string::npos);
}

TEST_F(NativeServiceTest, ContextKeepsToItsBudgetAndShowsEachObjectOnce) {
  remember({.id = "due", .text = "renew the certificate of the gateway", .due_at = from_micros(1)});
  for (int i = 0; i < 30; ++i)
    remember({.text = "the gateway certificate note number " + std::to_string(i)});

  const auto context = memory_.context.context(
      MemoryFixture::owner(), {.query = "gateway certificate", .token_budget = 60});

  ASSERT_TRUE(context.has_value());
  EXPECT_LE(context->tokens, 60);
  std::set<ObjectKey> seen;
  int64_t left_out = 0;
  for (const auto& section : context->sections) {
    left_out += section.left_out;
    for (const auto& entry : section.entries) EXPECT_TRUE(seen.insert(entry.key).second);
  }
  EXPECT_GT(left_out, 0);
  EXPECT_EQ(context->sections.front().entries.front().key.id, "due");
}

TEST_F(NativeServiceTest, ADoneReminderIsNotDue) {
  remember(
      {.id = "r", .text = "call back", .due_at = from_micros(1), .work_state = WorkState::kDone});
  remember({.id = "later", .text = "call later", .due_at = clock_.now() + std::chrono::hours(1)});

  const auto context = memory_.context.context(MemoryFixture::owner(), {});

  EXPECT_TRUE(context->sections.front().entries.empty());
}

TEST_F(NativeServiceTest, AGraphStopsAtItsLimit) {
  remember({.id = "hub", .text = "hub"});
  for (int i = 0; i < 10; ++i) {
    remember({.id = "n" + std::to_string(i),
              .text = "spoke",
              .links = {{.relation = "about", .kind = "memory", .id = "hub"}}});
  }

  const auto graph = memory_.objects.graph(MemoryFixture::owner(),
                                           {.kind = "memory", .id = "hub", .depth = 2, .limit = 5});

  EXPECT_EQ(graph->nodes.size(), 5U);
  EXPECT_TRUE(graph->truncated);
  for (const auto& edge : graph->edges) EXPECT_EQ(edge.to.id, "hub");
}

TEST_F(NativeServiceTest, AnImportIsRefusedWholeForAnUnknownKind) {
  const JournalEntry entry{.at = clock_.now(),
                           .action = "created",
                           .key = {.kind = "starship", .id = "s"},
                           .revision = 1};
  const Object object{.key = entry.key, .revision = 1, .body = "{}"};

  const auto imported = memory_.archive.import_changes(
      MemoryFixture::owner(), {.changes = {{.entry = entry, .object = object}}});

  ASSERT_FALSE(imported.has_value());
  EXPECT_NE(imported.error().message.find("starship"), std::string::npos);
}

TEST_F(NativeServiceTest, ABodyThatItsNounCannotReadIsTheFaultOfTheFile) {
  const JournalEntry entry{.at = clock_.now(),
                           .action = "created",
                           .key = {.kind = "memory", .id = "odd"},
                           .revision = 1};
  const Object odd{.key = entry.key, .revision = 1, .body = R"({"text":"x","tags":7})"};

  const auto imported = memory_.archive.import_changes(
      MemoryFixture::owner(), {.changes = {{.entry = entry, .object = odd}}});

  ASSERT_FALSE(imported.has_value());
  EXPECT_EQ(imported.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(imported.error().message.find("'odd'"), std::string::npos);
}

TEST_F(NativeServiceTest, WhatWasErasedBeforeAnExportIsNothingOnTheWayIn) {
  const ObjectKey key{.kind = "memory", .id = "gone"};
  const JournalEntry created{.at = clock_.now(), .action = "created", .key = key, .revision = 1};
  JournalEntry erased = created;
  erased.action = "erased";
  erased.revision = 2;

  const auto halfway =
      memory_.archive.import_changes(MemoryFixture::owner(), {.changes = {{.entry = created}}});
  ASSERT_TRUE(halfway.has_value());
  EXPECT_FALSE(
      memory_.objects.show(MemoryFixture::owner(), {.kind = "memory", .id = "gone"}).has_value());
  EXPECT_EQ(found({}), Ids{});

  const auto rest =
      memory_.archive.import_changes(MemoryFixture::owner(), {.changes = {{.entry = erased}}});
  ASSERT_TRUE(rest.has_value());
  EXPECT_EQ(rest->imported, 1);
  EXPECT_EQ(*memory_.store->check(), std::vector<std::string>{});
}

// An export made while somebody uploads has the bytes of what came after its last change.
TEST_F(NativeServiceTest, BytesOfAnObjectThatTheFileHasNotAreNotImported) {
  const ArchivedPiece piece{.blob = {.id = "blob_1",
                                     .owner = {.kind = "attachment", .id = "attach_1"},
                                     .size = 5,
                                     .sha256 = sha256("bytes"),
                                     .created_at = clock_.now()},
                            .last = true,
                            .bytes = "bytes"};

  const auto imported = memory_.archive.import_pieces(MemoryFixture::owner(), {.pieces = {piece}});

  ASSERT_TRUE(imported.has_value());
  EXPECT_EQ(imported->imported, 0);
  EXPECT_TRUE(memory_.archive.export_pieces(MemoryFixture::owner(), {})->pieces.empty());
}

TEST_F(NativeServiceTest, APageOfAnExportIsBoundedInBytesToo) {
  const std::string text(1'000'000, 'x');
  for (int i = 0; i < 20; ++i) remember({.id = "m" + std::to_string(i), .text = text});

  std::set<std::string> ids;
  size_t pages = 0;
  ExportRequest request;
  for (bool done = false; !done; ++pages) {
    const auto page = memory_.archive.export_changes(MemoryFixture::owner(), request);
    ASSERT_TRUE(page.has_value());
    EXPECT_LE(page->changes.size(), 9U);
    for (const auto& change : page->changes) ids.insert(change.entry.key.id);
    request.after = page->next;
    done = page->done;
  }

  EXPECT_EQ(ids.size(), 20U);
  EXPECT_EQ(pages, 3U);
}

TEST_F(NativeServiceTest, WhatWasDeletedBeforeAnExportIsSeenByNobodyElseAfterTheImport) {
  const Label bobs{.visibility = Visibility::kOwner, .owner = "bob"};
  const ObjectKey key{.kind = "memory", .id = "diary"};
  const JournalEntry created{
      .at = clock_.now(), .action = "created", .key = key, .revision = 1, .label = bobs};
  JournalEntry deleted = created;
  deleted.action = "deleted";
  deleted.revision = 2;
  const Object diary{.key = key,
                     .revision = 1,
                     .body = R"({"text":"dear diary"})",
                     .label = bobs,
                     .updated_at = clock_.now()};

  ASSERT_TRUE(
      memory_.archive
          .import_changes(MemoryFixture::owner(),
                          {.changes = {{.entry = created, .object = diary}, {.entry = deleted}}})
          .has_value());

  const HistoryRequest request{.kind = "memory", .id = "diary"};
  EXPECT_FALSE(memory_.objects.history(MemoryFixture::as("ann"), request).has_value());
  EXPECT_TRUE(memory_.objects.history(MemoryFixture::as("bob"), request).has_value());
}

}  // namespace
}  // namespace holdfast::service
