// What may not be seen does not exist, in every read; and nothing crosses spaces.
#include "store_harness.h"

namespace holdfast::storage {
namespace {

const Viewer kGuest{.actor = "eve", .clearance = Sensitivity::kNormal};
const Label kHidden{.sensitivity = Sensitivity::kSensitive};

TEST_P(StoreConformance, AHiddenObjectIsAbsentFromEveryRead) {
  const Object hidden =
      put({.key = {"note", "hidden"},
           .body = "x",
           .label = kHidden,
           .projection = {.facets = {Facet::of("tag", "t"), Facet::of("n", int64_t{1})},
                          .links = {{"about", {"task", "open"}, ""}}}});
  put({.key = {"note", "hidden"},
       .body = "y",
       .label = kHidden,
       .projection = {.facets = {Facet::of("tag", "t"), Facet::of("n", int64_t{1})},
                      .links = {{"about", {"task", "open"}, ""}}}});
  put({.key = {"task", "open"}, .projection = {.links = {{"about", {"note", "hidden"}, ""}}}});
  const auto guest = as(kGuest);
  const auto txn = read();
  const ObjectKey key{"note", "hidden"};
  const Pointing pointing{.to = {"task", "open"}, .relation = "about", .kind = "note"};

  EXPECT_EQ(code_of(txn->get(guest, key)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->get_as_of(guest, key, hidden.position)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->history(guest, key, 10)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->facets(guest, key)), ErrorCode::kNotFound);
  EXPECT_TRUE(txn->get_many(guest, {hidden.number})->empty());
  EXPECT_TRUE(txn->get_bodies(guest, {hidden.number})->empty());
  EXPECT_TRUE(txn->scan(guest, {.kind = "note"})->objects.empty());
  EXPECT_EQ(txn->scan(guest, {})->objects.size(), 1u);
  EXPECT_TRUE(txn->scan(guest, {.kind = "note", .equal = Facet::of("tag", "t")})->objects.empty());
  EXPECT_TRUE(
      txn->scan(guest, {.kind = "note", .range = Scan::Range{.name = "n"}})->objects.empty());
  EXPECT_TRUE(txn->neighbours(guest, {"task", "open"}, "", 10)->empty());
  EXPECT_TRUE(txn->neighbours(guest, key, "", 10)->empty());
  EXPECT_TRUE(txn->pointing_at(guest, pointing)->empty());
  EXPECT_EQ(txn->journal_after(guest, 0, 10)->size(), 1u);
  EXPECT_EQ(txn->journal_before(guest, 100, 10)->size(), 1u);
  EXPECT_EQ(txn->neighbours(engine(), {"task", "open"}, "", 10)->size(), 2u);
  EXPECT_EQ(*txn->pointing_at(engine(), pointing), std::vector<std::string>{"hidden"});
}

TEST_P(StoreConformance, TheErrorsForHiddenAndAbsentAreTheSame) {
  put({.key = {"note", "hidden"}, .label = kHidden});
  const auto guest = as(kGuest);
  const auto txn = read();

  const auto hidden = txn->get(guest, {"note", "hidden"});
  const auto absent = txn->get(guest, {"note", "absent"});

  EXPECT_EQ(hidden.error().code, absent.error().code);
  EXPECT_EQ(hidden.error().reason, absent.error().reason);
}

TEST_P(StoreConformance, PagesFillUpWithWhatCanBeSeen) {
  for (int i = 0; i < 200; ++i) {
    put({.key = {"note", std::to_string(i)}, .label = i % 10 == 0 ? Label{} : kHidden});
  }
  const auto guest = as(kGuest);

  const auto first = *read()->scan(guest, {.kind = "note", .limit = 15});
  const auto second = *read()->scan(guest, {.kind = "note", .after = first.next, .limit = 15});
  const auto exact = *read()->scan(guest, {.kind = "note", .limit = 20});

  EXPECT_EQ(first.objects.size(), 15u);
  EXPECT_EQ(second.objects.size(), 5u);
  EXPECT_FALSE(second.next.has_value());
  EXPECT_EQ(exact.objects.size(), 20u);
  EXPECT_FALSE(exact.next.has_value()) << "hidden objects must not show as a next page";
  EXPECT_EQ(read()->journal_after(guest, 0, 20)->size(), 20u);
}

TEST_P(StoreConformance, TheLabelOfTodayHidesThePast) {
  const auto open = put({.key = {"note", "n"}, .body = "open"}).position;
  put({.key = {"note", "n"}, .body = "closed", .label = kHidden});
  const auto guest = as(kGuest);

  EXPECT_EQ(code_of(read()->get_as_of(guest, {"note", "n"}, open)), ErrorCode::kNotFound);
  EXPECT_TRUE(read()->journal_after(guest, 0, 10)->empty());

  remove({"note", "n"});

  EXPECT_EQ(code_of(read()->get_as_of(guest, {"note", "n"}, open)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(read()->history(guest, {"note", "n"}, 10)), ErrorCode::kNotFound);
  EXPECT_EQ(read()->history(engine(), {"note", "n"}, 10)->size(), 3u);
}

TEST_P(StoreConformance, WhatWasHiddenStaysHiddenWhenTheObjectIsShown) {
  const auto closed = put({.key = {"note", "n"}, .body = "closed", .label = kHidden}).position;
  put({.key = {"note", "n"}, .body = "open"});
  const auto guest = as(kGuest);

  EXPECT_EQ(code_of(read()->get_as_of(guest, {"note", "n"}, closed)), ErrorCode::kNotFound);
  const auto history = *read()->history(guest, {"note", "n"}, 10);
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].object.body, "open");
  EXPECT_EQ(read()->history(engine(), {"note", "n"}, 10)->size(), 2u);
}

TEST_P(StoreConformance, AHiddenObjectCannotBeWrittenThrough) {
  put({.key = {"note", "hidden"}, .body = "mine", .label = kHidden});
  put({.key = {"note", "removed"}, .body = "mine", .label = kHidden});
  remove({"note", "removed"});
  const auto guest = as(kGuest);
  const auto attempt = [&](const std::string& id, std::optional<Revision> expected) {
    return code_of(write_returning<Object>(store(), call(), [&](WriteTxn& txn) {
      return txn.put(guest, {.key = {"note", id}, .body = "theirs", .expected = expected});
    }));
  };

  for (const char* id : {"hidden", "removed"}) {
    EXPECT_EQ(attempt(id, std::nullopt), ErrorCode::kNotFound);
    EXPECT_EQ(attempt(id, 0), ErrorCode::kAlreadyExists);
    EXPECT_EQ(attempt(id, 1), ErrorCode::kNotFound);
    const ObjectKey key{"note", id};
    EXPECT_EQ(code_of(write([&](WriteTxn& txn) { return txn.remove(guest, key, ""); })),
              ErrorCode::kNotFound);
    EXPECT_EQ(code_of(write([&](WriteTxn& txn) { return txn.erase(guest, key, ""); })),
              ErrorCode::kNotFound);
  }
  EXPECT_EQ(get({"note", "hidden"})->body, "mine");
}

TEST_P(StoreConformance, ABlobIsSeenByWhoeverSeesItsOwner) {
  put({.key = {"note", "hidden"}, .label = kHidden});
  put({.key = {"note", "open"}});
  const auto access = engine();
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                for (const char* owner : {"hidden", "open", "nobody"}) {
                  const BlobInfo blob{.id = std::string("b_") + owner, .owner = {"note", owner}};
                  HOLDFAST_CHECK_OK(txn.put_blob_chunk(access, blob, 0, "bytes"));
                }
                return {};
              }).has_value());
  const auto guest = as(kGuest);
  const auto txn = read();

  EXPECT_EQ(code_of(txn->blob(guest, "b_hidden")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->blob_chunk(guest, "b_hidden", 0)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(txn->blob(guest, "b_nobody")), ErrorCode::kNotFound);
  EXPECT_TRUE(txn->blob(guest, "b_open").has_value());
  EXPECT_TRUE(txn->blob(access, "b_nobody").has_value());
}

TEST_P(StoreConformance, SpacesShareNothing) {
  put({.key = {"note", "n"}, .body = "red", .projection = {.facets = {Facet::of("tag", "t")}}},
      "red");
  put({.key = {"note", "n"}, .body = "blue", .projection = {.facets = {Facet::of("tag", "t")}}},
      "blue");
  put({.key = {"note", "n"}, .body = "blue 2"}, "blue");
  const auto red = engine("red");
  const auto blue = engine("blue");
  const auto txn = read();

  EXPECT_EQ(txn->get(red, {"note", "n"})->body, "red");
  EXPECT_EQ(txn->get(blue, {"note", "n"})->body, "blue 2");
  EXPECT_EQ(txn->get(red, {"note", "n"})->number, 1);
  EXPECT_EQ(txn->get(blue, {"note", "n"})->number, 1);
  EXPECT_EQ(txn->history(red, {"note", "n"}, 10)->size(), 1u);
  EXPECT_EQ(txn->scan(red, {.kind = "note", .equal = Facet::of("tag", "t")})->objects.size(), 1u);
  EXPECT_EQ(txn->scan(red, {})->objects.size(), 1u);
  EXPECT_EQ(txn->journal_after(red, 0, 10)->size(), 1u);
  EXPECT_EQ(txn->journal_before(blue, 100, 10)->size(), 2u);
  EXPECT_EQ(txn->get_many(red, {1})->front().body, "red");
  EXPECT_EQ(txn->get_bodies(red, {1})->front().body, "red");
}

TEST_P(StoreConformance, AFirstWriteMakesItsSpace) {
  EXPECT_TRUE(store().space_exists(kDefaultSpace));
  EXPECT_FALSE(store().space_exists(SpaceId{"fresh"}));
  EXPECT_EQ(code_of(get({"note", "n"}, "fresh")), ErrorCode::kNotFound);

  put({.key = {"note", "n"}}, "fresh");

  EXPECT_TRUE(store().space_exists(SpaceId{"fresh"}));
  harness_->reopen();
  EXPECT_TRUE(store().space_exists(SpaceId{"fresh"}));
  EXPECT_EQ(read()->spaces(admin())->size(), 2u);
}

TEST_P(StoreConformance, ASpaceOfAFailedWriteDoesNotExist) {
  const auto access = engine("fresh");

  EXPECT_FALSE(write([&](WriteTxn& txn) -> Status {
                 HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "n"}}));
                 return conflict("", "no");
               }).has_value());

  EXPECT_FALSE(store().space_exists(SpaceId{"fresh"}));
  put({.key = {"note", "n"}}, "fresh");
  EXPECT_TRUE(store().space_exists(SpaceId{"fresh"}));
}

}  // namespace
}  // namespace holdfast::storage
