// Lists, facets and edges.
#include "store_harness.h"

namespace holdfast::storage {
namespace {

using Ids = std::vector<std::string>;

// Follows the cursor to the end.
Ids all_pages(ReadTxn& txn, const access::SpaceAccess& access, Scan scan) {
  Ids ids;
  for (;;) {
    const auto page = txn.scan(access, scan);
    if (!page) return {"error"};
    EXPECT_LE(page->objects.size(), scan.limit);
    for (const Object& object : page->objects) ids.push_back(object.key.id);
    if (!page->next) return ids;
    EXPECT_EQ(page->objects.size(), scan.limit);
    scan.after = page->next;
  }
}

TEST_P(StoreConformance, ListsAreInTheOrderOfCreation) {
  put_text("b", "1");
  put({.key = {"task", "t"}});
  put_text("a", "2");
  put_text("c", "3");
  put_text("b", "changed");

  EXPECT_EQ(scan_ids({.kind = "note"}), (Ids{"b", "a", "c"}));
  EXPECT_EQ(scan_ids({.kind = "note", .descending = true}), (Ids{"c", "a", "b"}));
  EXPECT_EQ(scan_ids({}), (Ids{"b", "t", "a", "c"}));
  EXPECT_EQ(scan_ids({.descending = true}), (Ids{"c", "a", "t", "b"}));
  EXPECT_TRUE(scan_ids({.kind = "none"}).empty());
}

TEST_P(StoreConformance, PagesOfEverySizeGiveTheSameList) {
  for (int i = 0; i < 25; ++i) {
    put({.key = {"note", std::to_string(i)},
         .projection = {.facets = {Facet::of("tag", i % 2 == 0 ? "even" : "odd"),
                                   Facet::of("weight", int64_t{i % 7})}}});
  }
  const auto txn = read();

  for (const bool descending : {false, true}) {
    for (const Scan& scan :
         {Scan{}, Scan{.kind = "note"}, Scan{.kind = "note", .equal = Facet::of("tag", "even")},
          Scan{.kind = "note", .range = Scan::Range{.name = "weight"}}}) {
      Scan whole = scan;
      whole.descending = descending;
      const Ids expected = all_pages(*txn, engine(), whole);
      for (const size_t limit : {1U, 2U, 5U, 13U, 25U}) {
        whole.limit = limit;
        EXPECT_EQ(all_pages(*txn, engine(), whole), expected);
      }
    }
  }
}

TEST_P(StoreConformance, ListsByFacetMatchTextsAndNumbersExactly) {
  put({.key = {"note", "text"}, .projection = {.facets = {Facet::of("f", "5")}}});
  put({.key = {"note", "number"}, .projection = {.facets = {Facet::of("f", int64_t{5})}}});
  put({.key = {"note", "zero"}, .projection = {.facets = {Facet::of("f", int64_t{0})}}});
  put({.key = {"note", "empty"}, .projection = {.facets = {Facet::of("f", "")}}});
  put({.key = {"task", "other"}, .projection = {.facets = {Facet::of("f", "5")}}});

  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("f", "5")}), Ids{"text"});
  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("f", int64_t{5})}), Ids{"number"});
  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("f", int64_t{0})}), Ids{"zero"});
  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("f", "")}), Ids{"empty"});
}

TEST_P(StoreConformance, RangesAreInclusiveAndOrderedByValue) {
  const auto add = [&](const std::string& id, int64_t due) {
    put({.key = {"note", id}, .projection = {.facets = {Facet::of("due", due)}}});
  };
  add("ten", 10);
  add("minus", -5);
  add("three", 3);
  add("three_too", 3);
  add("least", INT64_MIN);
  add("most", INT64_MAX);
  put({.key = {"note", "text"}, .projection = {.facets = {Facet::of("due", "5")}}});
  const auto range = [&](int64_t from, int64_t to, bool descending = false) {
    return scan_ids({.kind = "note",
                     .range = Scan::Range{.name = "due", .from = from, .to = to},
                     .descending = descending});
  };

  EXPECT_EQ(range(-5, 3), (Ids{"minus", "three", "three_too"}));
  EXPECT_EQ(range(3, 10, true), (Ids{"ten", "three_too", "three"}));
  EXPECT_EQ(range(4, 9), Ids{});
  EXPECT_EQ(range(INT64_MIN, INT64_MAX),
            (Ids{"least", "minus", "three", "three_too", "ten", "most"}));
  EXPECT_EQ(range(INT64_MIN, INT64_MAX, true),
            (Ids{"most", "ten", "three_too", "three", "minus", "least"}));
}

TEST_P(StoreConformance, ACursorIsGoodWhileOthersWrite) {
  for (const char* id : {"a", "b", "c", "d"}) put_text(id, "x");
  const auto first = read()->scan(engine(), {.kind = "note", .limit = 2});
  remove({"note", "b"});
  put_text("e", "x");

  const auto second = read()->scan(engine(), {.kind = "note", .after = first->next, .limit = 10});

  EXPECT_EQ(ids_of(first->objects), (Ids{"a", "b"}));
  EXPECT_EQ(ids_of(second->objects), (Ids{"c", "d", "e"}));
  EXPECT_FALSE(second->next.has_value());
}

TEST_P(StoreConformance, AFullLastPageHasNoNext) {
  for (const char* id : {"a", "b"}) put_text(id, "x");

  EXPECT_FALSE(read()->scan(engine(), {.kind = "note", .limit = 2})->next.has_value());
}

TEST_P(StoreConformance, ImpossibleListsAreRefused) {
  const auto txn = read();
  const auto refused = [&](const Scan& scan) {
    return code_of(txn->scan(engine(), scan)) == ErrorCode::kInvalidArgument;
  };

  EXPECT_TRUE(refused({.limit = 0}));
  EXPECT_TRUE(refused({.limit = 1001}));
  EXPECT_TRUE(refused({.equal = Facet::of("f", "x")}));
  EXPECT_TRUE(refused({.range = Scan::Range{.name = "f"}}));
}

TEST_P(StoreConformance, FacetsFollowTheObject) {
  put({.key = {"note", "n"},
       .body = "1",
       .projection = {
           .facets = {Facet::of("tag", "a"), Facet::of("tag", "b"), Facet::of("tag", "a")}}});
  EXPECT_EQ(*read()->facets(engine(), {"note", "n"}),
            (std::vector<Facet>{Facet::of("tag", "a"), Facet::of("tag", "b")}));

  put({.key = {"note", "n"},
       .body = "2",
       .projection = {.facets = {Facet::of("tag", "b"), Facet::of("tag", "c")}}});

  EXPECT_TRUE(scan_ids({.kind = "note", .equal = Facet::of("tag", "a")}).empty());
  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("tag", "b")}), Ids{"n"});
  EXPECT_EQ(scan_ids({.kind = "note", .equal = Facet::of("tag", "c")}), Ids{"n"});
  EXPECT_EQ(code_of(read()->facets(engine(), {"note", "none"})), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, FacetsForTheIndexAloneAreNotKept) {
  put({.key = {"note", "n"},
       .body = "1",
       .projection = {.facets = {Facet::of("~type", "x"), Facet::of("tag", "a")}}});

  EXPECT_EQ(*read()->facets(engine(), {"note", "n"}), (std::vector<Facet>{Facet::of("tag", "a")}));
  EXPECT_TRUE(scan_ids({.kind = "note", .equal = Facet::of("~type", "x")}).empty());
}

TEST_P(StoreConformance, NeighboursAreOrderedByRelationThenTarget) {
  put({.key = {"note", "n"},
       .projection = {.links = {{"supports", {"note", "z"}, "declared"},
                                {"about", {"task", "b"}, "extractor"},
                                {"about", {"task", "a"}, "declared"}}}});
  put({.key = {"note", "m"}, .projection = {.links = {{"cites", {"note", "n"}, "declared"}}}});
  const auto txn = read();

  const auto edges = *txn->neighbours(engine(), {"note", "n"}, "", 10);

  ASSERT_EQ(edges.size(), 4u);
  EXPECT_EQ(edges[0].other, (ObjectKey{"task", "a"}));
  EXPECT_EQ(edges[1].other, (ObjectKey{"task", "b"}));
  EXPECT_EQ(edges[1].provenance, "extractor");
  EXPECT_EQ(edges[2].other, (ObjectKey{"note", "m"}));
  EXPECT_EQ(edges[2].relation, "cites");
  EXPECT_FALSE(edges[2].outgoing);
  EXPECT_EQ(edges[3].relation, "supports");
  EXPECT_TRUE(edges[3].outgoing);
  EXPECT_EQ(txn->neighbours(engine(), {"note", "n"}, "about", 10)->size(), 2u);
  EXPECT_EQ(txn->neighbours(engine(), {"note", "n"}, "cites", 10)->size(), 1u);
  EXPECT_EQ(txn->neighbours(engine(), {"note", "n"}, "", 3)->size(), 3u);
}

TEST_P(StoreConformance, WhatDoesNotExistYetCanBePointedAt) {
  put({.key = {"note", "n"}, .projection = {.links = {{"about", {"task", "later"}, ""}}}});

  const auto before = *read()->neighbours(engine(), {"task", "later"}, "", 10);
  put({.key = {"task", "later"}});
  const auto after = *read()->neighbours(engine(), {"task", "later"}, "", 10);

  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(before.front().other, (ObjectKey{"note", "n"}));
  EXPECT_EQ(after.size(), 1u);
}

}  // namespace
}  // namespace holdfast::storage
