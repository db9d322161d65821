// Putting, replacing and removing objects.
#include "store_harness.h"

namespace holdfast::storage {
namespace {

TEST_P(StoreConformance, AReadWhoseDeadlineHasPassedDoesNotBegin) {
  const Deadline now = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of(store().begin_read(now)), ErrorCode::kDeadlineExceeded);
  EXPECT_TRUE(store().begin_read(now + std::chrono::hours(1)));
}

TEST_P(StoreConformance, AStoredObjectReadsBackAsItWasPut) {
  const Label label{.visibility = Visibility::kContainer,
                    .sensitivity = Sensitivity::kSensitive,
                    .container = "room",
                    .owner = "ada",
                    .compartments = {"legal", "hr"}};

  const Object stored =
      put({.key = {"note", "n1"}, .state = "draft", .body = "{}", .label = label});
  const auto object = get({"note", "n1"});

  ASSERT_TRUE(object.has_value());
  EXPECT_EQ(*object, stored);
  EXPECT_EQ(object->number, 1);
  EXPECT_EQ(object->revision, 1);
  EXPECT_EQ(object->state, "draft");
  EXPECT_EQ(object->body, "{}");
  EXPECT_EQ(object->label, label);
  EXPECT_GE(object->created_at, kStart);
  EXPECT_EQ(object->updated_at, object->created_at);
  EXPECT_GT(object->position, 0);
}

TEST_P(StoreConformance, BodiesKeepEveryByte) {
  constexpr char kOdd[] = "\0\x01 {\"\xc3\xbc\": \"\xf0\x9f\x8d\xb5\"} \0";
  const std::string body(kOdd, sizeof kOdd - 1);
  const std::string large(3'000'000, 'x');

  put_text("odd", body);
  put_text("large", large);
  put_text("empty", "");

  EXPECT_EQ(get({"note", "odd"})->body, body);
  EXPECT_EQ(get({"note", "large"})->body, large);
  EXPECT_EQ(get({"note", "empty"})->body, "");
}

TEST_P(StoreConformance, AFreshIdIsTakenAtItsWordButNeverTwice) {
  const Object made = put({.key = {"note", "fresh"}, .body = "one", .fresh = true});
  EXPECT_EQ(made.revision, 1);
  EXPECT_EQ(*get({"note", "fresh"}), made);

  const Status again = write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put(engine(), {.key = {"note", "beside"}, .body = "x"}));
    HOLDFAST_CHECK_OK(txn.put(engine(), {.key = {"note", "fresh"}, .body = "two", .fresh = true}));
    return {};
  });

  EXPECT_EQ(code_of(again), ErrorCode::kInternal);
  EXPECT_EQ(get({"note", "fresh"})->body, "one");
  EXPECT_EQ(code_of(get({"note", "beside"})), ErrorCode::kNotFound) << "the write was undone";
  EXPECT_EQ(put_text("fresh", "three").revision, 2);
}

TEST_P(StoreConformance, AddingStoresWhatPuttingWould) {
  const auto add = [&](Put wanted) {
    return write([&](WriteTxn& txn) { return txn.add(engine(), std::move(wanted)); });
  };

  ASSERT_TRUE(add({.key = {"note", "n"}, .body = "one"}));
  ASSERT_TRUE(add({.key = {"note", "n"}, .body = "two"}));
  ASSERT_TRUE(add({.key = {"note", "fresh"}, .body = "new", .fresh = true}));

  EXPECT_EQ(get({"note", "n"})->body, "two");
  EXPECT_EQ(get({"note", "n"})->revision, 2);
  EXPECT_EQ(get({"note", "fresh"})->body, "new");
  EXPECT_EQ(code_of(add({.key = {"note", "n"}, .expected = 0})), ErrorCode::kAlreadyExists);
}

TEST_P(StoreConformance, AnAbsentObjectIsNotFound) {
  EXPECT_EQ(code_of(get({"note", "none"})), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, IdsAreComparedByteForByteWithinTheirKind) {
  put_text("a", "lower");
  put_text("A", "upper");
  put({.key = {"task", "a"}, .body = "task"});

  EXPECT_EQ(get({"note", "a"})->body, "lower");
  EXPECT_EQ(get({"note", "A"})->body, "upper");
  EXPECT_EQ(get({"task", "a"})->body, "task");
}

TEST_P(StoreConformance, AReplacedObjectKeepsNumberAndCreationAndGrowsItsRevision) {
  const Object first = put_text("n", "one");
  put_text("other", "x");

  const Object second = put_text("n", "two");

  EXPECT_EQ(second.number, first.number);
  EXPECT_EQ(second.created_at, first.created_at);
  EXPECT_EQ(second.revision, 2);
  EXPECT_GT(second.updated_at, first.updated_at);
  EXPECT_GT(second.position, first.position);
  EXPECT_EQ(get({"note", "n"})->body, "two");
}

TEST_P(StoreConformance, UpdatedAtGrowsEvenInsideOneWrite) {
  const auto access = engine();
  std::vector<Timestamp> times;

  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
                for (int i = 0; i < 3; ++i) {
                  HOLDFAST_TRY(const Object object,
                               txn.put(access, {.key = {"note", "n"}, .body = std::to_string(i)}));
                  times.push_back(object.updated_at);
                }
                return {};
              }).has_value());

  EXPECT_LT(times[0], times[1]);
  EXPECT_LT(times[1], times[2]);
}

TEST_P(StoreConformance, PuttingTheSameChangesNothing) {
  const Object first = put_text("n", "one");

  const Object again = put_text("n", "one");

  EXPECT_EQ(again, first);
  EXPECT_EQ(read()->history(engine(), {"note", "n"}, 10)->size(), 1u);
  EXPECT_EQ(*read()->position(), first.position);
}

TEST_P(StoreConformance, PuttingTheSameRefreshesFacetsAndLinks) {
  put({.key = {"note", "n"}, .body = "b", .projection = {.facets = {Facet::of("tag", "old")}}});

  put({.key = {"note", "n"},
       .body = "b",
       .projection = {.facets = {Facet::of("tag", "new")},
                      .links = {{"about", {"task", "t"}, "declared"}}}});

  EXPECT_TRUE(scan_ids({.kind = "note", .equal = Facet::of("tag", "old")}).empty());
  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("tag", "new")}).size(), 1u);
  EXPECT_EQ(read()->neighbours(engine(), {"note", "n"}, "", 10)->size(), 1u);
  EXPECT_EQ(get({"note", "n"})->revision, 1);
}

TEST_P(StoreConformance, AChangedStateOrLabelAloneIsARevision) {
  put({.key = {"note", "n"}, .state = "open", .body = "b"});

  EXPECT_EQ(put({.key = {"note", "n"}, .state = "done", .body = "b"}).revision, 2);
  EXPECT_EQ(
      put({.key = {"note", "n"}, .state = "done", .body = "b", .label = {.owner = "ada"}}).revision,
      3);
}

TEST_P(StoreConformance, ExpectedZeroMeansItMustNotExist) {
  put_text("n", "one");
  const auto access = engine();

  const auto again = write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put(access, {.key = {"note", "n"}, .body = "two", .expected = 0}));
    return {};
  });
  put({.key = {"note", "m"}, .body = "new", .expected = 0});

  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(again.error().reason, reason::kExists);
  EXPECT_EQ(get({"note", "n"})->body, "one");
  EXPECT_EQ(get({"note", "m"})->body, "new");
}

TEST_P(StoreConformance, AnExpectedRevisionMustBeTheCurrentOne) {
  put_text("n", "one");
  put_text("n", "two");
  const auto access = engine();
  const auto attempt = [&](const std::string& id, Revision expected) {
    return write([&](WriteTxn& txn) -> Status {
      HOLDFAST_CHECK_OK(
          txn.put(access, {.key = {"note", id}, .body = "three", .expected = expected}));
      return {};
    });
  };

  const auto stale = attempt("n", 1);
  const auto absent = attempt("none", 1);
  const auto right = attempt("n", 2);

  ASSERT_FALSE(stale.has_value());
  EXPECT_EQ(stale.error().code, ErrorCode::kConflict);
  EXPECT_EQ(stale.error().reason, reason::kRevisionConflict);
  EXPECT_EQ(code_of(absent), ErrorCode::kNotFound);
  EXPECT_TRUE(right.has_value());
  EXPECT_EQ(get({"note", "n"})->revision, 3);
}

TEST_P(StoreConformance, ImportsKeepTheTimesOfOld) {
  const Timestamp old = kStart - std::chrono::hours(1000);

  const Object object = put({.key = {"note", "n"},
                             .body = "b",
                             .created_at = old,
                             .updated_at = old + std::chrono::hours(1)});

  EXPECT_EQ(object.created_at, old);
  EXPECT_EQ(object.updated_at, old + std::chrono::hours(1));
  EXPECT_GE(read()->history(engine(), {"note", "n"}, 1)->front().entry.at, kStart);
}

TEST_P(StoreConformance, WhatPointsAtAnObjectIsPagedByKindAndRelation) {
  const auto point = [&](const ObjectKey& from, std::vector<Link> links) {
    put({.key = from, .projection = {.links = std::move(links)}});
  };
  point({"note", "c"}, {{"about", {"task", "t"}, ""}});
  point({"note", "a"}, {{"about", {"task", "t"}, ""}, {"about", {"task", "t"}, "declared"}});
  point({"note", "b"}, {{"about", {"task", "t"}, ""}, {"about", {"task", "u"}, ""}});
  point({"note", "d"}, {{"after", {"task", "t"}, ""}});
  point({"page", "e"}, {{"about", {"task", "t"}, ""}});
  Pointing asked{.to = {"task", "t"}, .relation = "about", .kind = "note", .limit = 2};

  EXPECT_EQ(*read()->pointing_at(engine(), asked), (std::vector<std::string>{"a", "b"}));
  asked.after = "b";
  EXPECT_EQ(*read()->pointing_at(engine(), asked), std::vector<std::string>{"c"});
  asked.after = "c";
  EXPECT_TRUE(read()->pointing_at(engine(), asked)->empty());
}

TEST_P(StoreConformance, ARemovedObjectIsGoneFromReadsAndLists) {
  put({.key = {"note", "n"},
       .body = "b",
       .projection = {.facets = {Facet::of("tag", "x")}, .links = {{"about", {"task", "t"}, ""}}}});

  remove({"note", "n"});

  EXPECT_EQ(code_of(get({"note", "n"})), ErrorCode::kNotFound);
  EXPECT_TRUE(scan_ids({.kind = "note"}).empty());
  EXPECT_TRUE(scan_ids({.kind = "note", .equal = Facet::of("tag", "x")}).empty());
  EXPECT_TRUE(read()->neighbours(engine(), {"task", "t"}, "", 10)->empty());
  EXPECT_TRUE(read()->get_many(engine(), {1})->empty());
  const auto access = engine();
  EXPECT_EQ(code_of(write([&](WriteTxn& txn) {
              return txn.remove(access, {"note", "n"}, "");
            })),
            ErrorCode::kNotFound);
}

TEST_P(StoreConformance, AnObjectMadeAnewHasANewNumberAndTheNextRevision) {
  const Object first = put_text("n", "one");
  remove({"note", "n"});

  const Object second = put({.key = {"note", "n"}, .body = "again", .expected = 0});

  EXPECT_GT(second.number, first.number);
  EXPECT_EQ(second.revision, 3);
  EXPECT_EQ(read()->history(engine(), {"note", "n"}, 10)->size(), 3u);
}

TEST_P(StoreConformance, NumbersAreNeverGivenAgain) {
  put_text("a", "1");
  const Object b = put_text("b", "2");
  const Object c = put_text("c", "3");
  remove({"note", "b"});
  erase({"note", "c"});

  harness_->reopen();
  const Object d = put_text("d", "4");

  EXPECT_GT(d.number, c.number);
  EXPECT_GT(c.number, b.number);
}

TEST_P(StoreConformance, GetManyKeepsTheOrderAndLeavesOutTheAbsent) {
  const auto a = put_text("a", "1").number;
  const auto b = put_text("b", "2").number;
  const auto c = put_text("c", "3").number;

  const auto objects = read()->get_many(engine(), {c, 999, a, -1, b, c});

  EXPECT_EQ(ids_of(*objects), (std::vector<std::string>{"c", "a", "b", "c"}));
}

TEST_P(StoreConformance, BodiesAreThoseOfTheObjectsByNumber) {
  std::vector<ObjectNumber> numbers = {-1, 999};
  for (int i = 0; i < 23; ++i) {
    numbers.push_back(put_text("n" + std::to_string(i), "text " + std::to_string(i)).number);
    numbers.push_back(numbers[numbers.size() / 2]);
  }
  for (const size_t count : {size_t{0}, size_t{1}, size_t{3}, numbers.size()}) {
    const std::vector<ObjectNumber> some(numbers.end() - static_cast<ptrdiff_t>(count),
                                         numbers.end());
    const auto txn = read();
    const auto objects = txn->get_many(engine(), some);
    const auto bodies = txn->get_bodies(engine(), some);

    ASSERT_EQ(bodies->size(), objects->size());
    for (size_t i = 0; i < bodies->size(); ++i) {
      EXPECT_EQ((*bodies)[i].number, (*objects)[i].number);
      EXPECT_EQ((*bodies)[i].kind, (*objects)[i].key.kind);
      EXPECT_EQ((*bodies)[i].body, (*objects)[i].body);
    }
  }
}

TEST_P(StoreConformance, CountersAddUpWithoutARevisionAndSurvivePuts) {
  put_text("n", "one");
  const auto access = engine();
  const auto add = [&](int64_t delta) {
    return *write_returning<int64_t>(store(), call(), [&](WriteTxn& txn) {
      return txn.count(access, {"note", "n"}, "uses", delta);
    });
  };

  EXPECT_EQ(add(2), 2);
  EXPECT_EQ(add(3), 5);
  EXPECT_EQ(get({"note", "n"})->revision, 1);
  put({.key = {"note", "n"}, .body = "two", .projection = {.facets = {Facet::of("tag", "x")}}});

  EXPECT_EQ(add(-1), 4);
  EXPECT_EQ(
      scan_ids({.kind = "note", .range = Scan::Range{.name = "uses", .from = 4, .to = 4}}).size(),
      1u);
  EXPECT_EQ(read()->facets(engine(), {"note", "n"})->size(), 2u);
  EXPECT_EQ(
      code_of(write_returning<int64_t>(store(), call(),
                                       [&](WriteTxn& txn) {
                                         return txn.count(access, {"note", "none"}, "uses", 1);
                                       })),
      ErrorCode::kNotFound);
}

TEST_P(StoreConformance, AProofForReadingDoesNotWrite) {
  const auto reader = as({}, access::Permission::kRead);

  const auto refused = write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put(reader, {.key = {"note", "n"}, .body = "b"}));
    return {};
  });

  EXPECT_EQ(code_of(refused), ErrorCode::kPermissionDenied);
}

TEST_P(StoreConformance, AnObjectNeedsAKindAndAnId) {
  const auto access = engine();
  for (const ObjectKey& key : {ObjectKey{"", "id"}, ObjectKey{"note", ""}}) {
    EXPECT_EQ(code_of(write_returning<Object>(
                  store(), call(), [&](WriteTxn& txn) { return txn.put(access, {.key = key}); })),
              ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace holdfast::storage
