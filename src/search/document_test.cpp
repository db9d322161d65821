#include "search/document.h"

#include <gtest/gtest.h>

#include "search/string_pool.h"

namespace holdfast::search {
namespace {

struct Made {
  Object object = {};
  Projection projection = {};
};

Made everything() {
  Made made;
  made.object = {.key = {"observation", "obs_1"}, .number = 300, .created_at = from_micros(5)};
  made.object.label = {.visibility = Visibility::kPrivate,
                       .sensitivity = Sensitivity::kSensitive,
                       .container = "workspace",
                       .owner = "ann",
                       .compartments = {"red", "blue"}};
  made.projection.text = {.title = "A title",
                          .ids = {"PROJ-1", "src/a.h"},
                          .tags = {"tea"},
                          .summary = "About tea",
                          .body = std::string(5000, 'x'),
                          .conversation = "talk",
                          .speaker = "bob",
                          .at = from_micros(-7),
                          .valid_until = from_micros(1000)};
  made.projection.facets = {Facet::of("~tag", "tea"),       Facet::of("size", -3),
                            Facet::of("tag", "apple"),      Facet::of("tag", "tea"),
                            Facet::of("conversation", "a"), Facet::of("conversations", "b")};
  return made;
}

std::vector<std::string> facet_texts(const Document& document) {
  std::vector<std::string> texts;
  for (const Document::TextFacet& facet : document.facets) {
    EXPECT_EQ(facet.hash, StringPool::hash_of(facet.text));
    std::string text(facet.text);
    text[text.find('\0')] = '=';
    texts.push_back(text);
  }
  return texts;
}

// Segments and verify() compare them: whoever changes one makes every saved index another.
TEST(DocumentTest, HashesAreThoseOfSavedSegments) {
  const Made full = everything();
  const Made empty;
  DocumentMaker maker;

  const Document document = maker.make(full.object, full.projection);

  EXPECT_EQ(document.hash, 0xbd228230c9bf1a12U);
  EXPECT_EQ(document.key, 0xe4e241bd5b8144c2U);
  EXPECT_EQ(maker.make(empty.object, empty.projection).hash, 0xc2915ca0df7ad4c1U);
  EXPECT_EQ(projection_hash(full.object, full.projection), document.hash);
  EXPECT_EQ(key_hash(full.object.key), document.key);
}

TEST(DocumentTest, HasEachFacetOnceAndInOrder) {
  const Made made = everything();
  DocumentMaker maker;

  const Document document = maker.make(made.object, made.projection);

  EXPECT_EQ(facet_texts(document),
            (std::vector<std::string>{"\x01turn=", "\x01valid=", "conversation=a",
                                      "conversations=b", "tag=apple", "tag=tea"}));
  ASSERT_EQ(document.numbers.size(), 1U);
  EXPECT_EQ(document.numbers[0].name, "size");
  EXPECT_EQ(document.numbers[0].number, -3);
}

TEST(DocumentTest, StaysAsItIsWhenOthersAreMade) {
  const Made first = everything();
  Made second = everything();
  second.projection.facets = {Facet::of("other", std::string(3000, 'y'))};
  DocumentMaker maker;

  const Document document = maker.make(first.object, first.projection);
  const auto texts = facet_texts(document);
  for (int i = 0; i < 100; ++i) maker.make(second.object, second.projection);

  EXPECT_EQ(facet_texts(document), texts);
}

TEST(DocumentTest, TakesTheWordsThatWereMadeAhead) {
  Made made = everything();
  DocumentMaker maker;

  const Document without = maker.make(made.object, made.projection);
  made.projection.words = words_of(made.projection.text);
  const Document with = maker.make(made.object, made.projection);

  EXPECT_EQ(with.words, made.projection.words.get());
  EXPECT_EQ(without.words, without.made_words.get());
  EXPECT_EQ(without.words->texts, with.words->texts);
}

}  // namespace
}  // namespace holdfast::search
