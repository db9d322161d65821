#include "search/segment_builder.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "search/memtable.h"
#include "search/segment.h"

namespace holdfast::search {
namespace {

// What a part says about a document, in texts instead of numbers of the part.
std::string shown(const Part& part, uint32_t doc) {
  const Columns& columns = part.columns();
  std::string out = std::to_string(columns.number[doc]) + " at " + std::to_string(columns.at[doc]) +
                    " " + part.kind_names()[columns.kind[doc]] + " " +
                    part.label_values()[columns.label[doc]].container + " " +
                    std::string(part.conversation_text(columns.conversation[doc])) + " " +
                    std::string(part.speaker_text(columns.speaker[doc])) + " " +
                    std::to_string(columns.length[doc]) + " " + std::to_string(columns.hash[doc]) +
                    " " + std::to_string(columns.key[doc]);
  const BlobReader blob = part.blob(doc);
  out += " valid " + std::to_string(blob.valid_from().value_or(0)) + "-" +
         std::to_string(blob.valid_until().value_or(0));
  std::vector<std::string> facets;
  blob.for_each_facet([&](uint32_t facet) { facets.emplace_back(part.facet_text(facet)); });
  std::ranges::sort(facets);
  for (const std::string& facet : facets) out += "\n  facet " + facet;
  blob.for_each_number([&](uint32_t name, int64_t value) {
    out.append("\n  ").append(part.name_text(name)).append("=").append(std::to_string(value));
  });
  blob.for_each_token([&](size_t field, uint32_t code) {
    out += "\n  " + std::to_string(field) + " ";
    if (code == kBoundaryToken) return;
    const uint32_t form = token_form(code);
    out.append(part.form_text(form)).append(token_is_overlay(code) ? "+" : "");
    out.append(" ").append(part.stem_text(columns.form_stem[form]));
  });
  return out;
}

std::vector<std::string> shown_documents(const Part& part) {
  std::vector<std::string> out;
  for (uint32_t doc = 0; doc < part.columns().count; ++doc) {
    if (part.alive(doc)) out.push_back(shown(part, doc));
  }
  return out;
}

void add_list(const Part& part, const PostingList& list, std::string& out) {
  PostingBlock block;
  for (uint32_t i = 0; i < list.block_count(); ++i) {
    block.load(list, i);
    for (uint32_t at = 0; at < block.size(); ++at) {
      if (!part.alive(block.doc(at))) continue;
      out += " " + std::to_string(part.columns().number[block.doc(at)]) + "x" +
             std::to_string(block.tf(at));
    }
  }
}

// The lists of all stems and facets that a living document has.
std::map<std::string, std::string> shown_lists(const Part& part) {
  std::map<std::string, std::string> lists;
  for (uint32_t stem = 0; stem < part.stem_count(); ++stem)
    add_list(part, part.stem_postings(stem), lists["stem " + std::string(part.stem_text(stem))]);
  for (uint32_t facet = 0; facet < part.facet_count(); ++facet)
    add_list(part, part.facet_postings(facet),
             lists["facet " + std::string(part.facet_text(facet))]);
  std::erase_if(lists, [](const auto& list) { return list.second.empty(); });
  return lists;
}

class SegmentBuilderTest : public ::testing::Test {
 protected:
  Document document(ObjectNumber number) {
    const auto words = [&](size_t most) {
      std::string text;
      for (size_t left = random_() % (most + 1); left > 0; --left)
        text += (left % 5 == 0 ? "Deploys-" : "word") + std::to_string(random_() % 300) + " ";
      return text;
    };
    Object& object = objects_.emplace_back();
    object = {.key = {random_() % 3 == 0 ? "note" : "task", std::to_string(number)},
              .number = number};
    object.label.container = "c" + std::to_string(random_() % 4);
    Projection& projection = projections_.emplace_back();
    projection.text = {
        .title = words(6),
        .ids = {"PROJ-" + std::to_string(number), words(2)},
        .tags = {words(1), words(1)},
        .summary = words(5),
        .body = words(200),
        .conversation = random_() % 2 == 0 ? "" : "talk" + std::to_string(random_() % 5),
        .speaker = random_() % 2 == 0 ? "" : "ann",
        .at = from_micros(static_cast<int64_t>(random_() % 1'000'000))};
    if (random_() % 4 == 0) projection.text.valid_from = from_micros(7);
    if (random_() % 4 == 0) projection.text.valid_until = from_micros(static_cast<int64_t>(number));
    projection.facets = {
        {.name = "tag", .text = "t" + std::to_string(random_() % 50)},
        {.name = "one", .text = std::to_string(number)},
        {.name = "size", .number = static_cast<int64_t>(random_() % 100) - 50, .is_number = true}};
    return maker_.make(object, projection);
  }

  std::unique_ptr<Segment> written(const std::shared_ptr<Memtable>& memtable) {
    const std::vector<BuildInput> inputs = {{memtable, memtable->live_bits()}};
    auto segment = Segment::open(own_bytes(build_segment(inputs, never_).bytes()), tables_);
    EXPECT_TRUE(segment.has_value());
    return std::move(*segment);
  }

  std::vector<BuildInput> written_each(const std::vector<std::shared_ptr<Memtable>>& memtables) {
    std::vector<BuildInput> segments;
    for (const auto& memtable : memtables) {
      const std::shared_ptr<const Part> segment = written(memtable);
      segments.push_back({segment, segment->live_bits()});
    }
    return segments;
  }

  std::mt19937_64 random_{5};
  // What the documents point into.
  std::deque<Object> objects_;
  std::deque<Projection> projections_;
  DocumentMaker maker_;
  Tables tables_;
  const std::atomic<bool> never_ = false;
};

TEST_F(SegmentBuilderTest, HasWhatTheMemtableHas) {
  const auto memtable = std::make_shared<Memtable>();
  for (ObjectNumber number = 1; number <= 700; ++number) memtable->add(document(number), tables_);
  const auto segment = written(memtable);
  EXPECT_EQ(shown_documents(*segment), shown_documents(*memtable));
  EXPECT_EQ(shown_lists(*segment), shown_lists(*memtable));
  for (const uint32_t stem : segment->stems_with_prefix("word1"))
    EXPECT_TRUE(memtable->find_stem(segment->stem_text(stem)).has_value());
  EXPECT_EQ(segment->stems_with_prefix("word1").size(),
            memtable->stems_with_prefix("word1").size());
}

TEST_F(SegmentBuilderTest, FindsEveryStemAndNoOther) {
  const auto memtable = std::make_shared<Memtable>();
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    // Some differ in their first bytes, some far behind them.
    text += "b" + std::to_string(i * 7919 % 3000) + "x samebeginning" + std::to_string(i) + "z ";
  }
  Projection projection;
  projection.text.body = text;
  const Object object{.key = {"note", "1"}, .number = 1};
  memtable->add(maker_.make(object, projection), tables_);

  const auto segment = written(memtable);

  ASSERT_EQ(segment->stem_count(), 6000U);
  for (uint32_t stem = 0; stem < segment->stem_count(); ++stem) {
    const std::string known(segment->stem_text(stem));
    EXPECT_EQ(segment->find_stem(known), stem);
    EXPECT_FALSE(segment->find_stem(known + "q").has_value());
    EXPECT_FALSE(segment->find_stem(known.substr(0, known.size() - 1)).has_value());
  }
  for (const char* unknown : {"", "a", "b", "samebeginning", "samebeginnings", "z"})
    EXPECT_FALSE(segment->find_stem(unknown).has_value()) << unknown;
}

// Documents that died, or came out of the order of their numbers, are left out or moved: then
// everything is numbered anew.
TEST_F(SegmentBuilderTest, HasTheLivingOfAMemtableInTheOrderOfTheirNumbers) {
  const auto memtable = std::make_shared<Memtable>();
  for (ObjectNumber number = 300; number >= 1; number -= 2)
    memtable->add(document(number), tables_);
  for (ObjectNumber number = 1; number <= 301; number += 2)
    memtable->add(document(number), tables_);
  for (uint32_t doc = 0; doc < memtable->columns().count; doc += 7) memtable->kill(doc);
  const auto segment = written(memtable);
  auto expected = shown_documents(*memtable);
  auto have = shown_documents(*segment);
  EXPECT_TRUE(std::is_sorted(segment->columns().number,
                             segment->columns().number + segment->columns().count));
  std::ranges::sort(expected);
  std::ranges::sort(have);
  EXPECT_EQ(have, expected);
  EXPECT_EQ(segment->columns().count, memtable->live_count());
  // Not a word of the dead is left.
  EXPECT_EQ(shown_lists(*segment).size(), size_t{segment->stem_count()} + segment->facet_count());
}

TEST_F(SegmentBuilderTest, AMemtableWithoutDeadDocumentsIsWrittenAloneAsAmongOthers) {
  const auto first = std::make_shared<Memtable>();
  const auto second = std::make_shared<Memtable>();
  for (ObjectNumber number = 1; number <= 200; ++number)
    (number <= 120 ? first : second)->add(document(number), tables_);
  const std::vector<BuildInput> memtables = {{first, first->live_bits()},
                                             {second, second->live_bits()}};
  const std::vector<BuildInput> segments = written_each({first, second});
  EXPECT_EQ(build_segment(memtables, never_).bytes(), build_segment(segments, never_).bytes());
}

// Lists of more than one block, and of terms that only some of the segments have.
TEST_F(SegmentBuilderTest, SegmentsInTheOrderOfTheirNumbersAreJoinedAsInAnyOther) {
  std::vector<std::shared_ptr<Memtable>> memtables;
  for (ObjectNumber number = 1; number <= 900; ++number) {
    if (number % 300 == 1) memtables.push_back(std::make_shared<Memtable>());
    memtables.back()->add(document(number), tables_);
  }
  const std::vector<BuildInput> segments = written_each(memtables);
  ASSERT_TRUE(are_joined(segments));
  const std::vector<BuildInput> reversed(segments.rbegin(), segments.rend());
  ASSERT_FALSE(are_joined(reversed));

  const BuiltSegment joined = build_segment(segments, never_);

  EXPECT_EQ(joined.bytes(), build_segment(reversed, never_).bytes());
}

TEST_F(SegmentBuilderTest, SegmentsWithADeadDocumentAreNotJoined) {
  const auto memtable = std::make_shared<Memtable>();
  for (ObjectNumber number = 1; number <= 10; ++number) memtable->add(document(number), tables_);
  std::vector<BuildInput> segments = written_each({memtable});
  ASSERT_TRUE(are_joined(segments));
  ASSERT_TRUE(segments[0].part->find_stem("proj-3").has_value());

  segments[0].live[0] ^= 4;

  EXPECT_FALSE(are_joined(segments));
  const auto without = Segment::open(own_bytes(build_segment(segments, never_).bytes()), tables_);
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ((*without)->columns().count, 9U);
  EXPECT_FALSE((*without)->find_stem("proj-3").has_value());
}

}  // namespace
}  // namespace holdfast::search
