#include "service/substrate/outline.h"

#include <random>

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/substrate/document_text.h"
#include "service/substrate/scoring.h"

namespace holdfast::service::substrate {
namespace {

// Everything that can be looked for in the document: pieces of what a search looks through.
std::vector<std::string> terms_for(const Haystacks& haystacks) {
  std::vector<std::string> terms = {"tea", "knowledge", "x", "absent", "é", "[", "\"", ",", ":1"};
  for (const std::string* text : {&haystacks.title, &haystacks.summary, &haystacks.metadata,
                                  &haystacks.payload, &haystacks.segments}) {
    if (!text->empty() && text->find('\n') == std::string::npos) terms.push_back(*text);
    for (size_t at = 0; at < text->size(); ++at) {
      for (const size_t size : {1U, 2U, 3U, 5U, 9U}) {
        const std::string piece = text->substr(at, size);
        if (piece.find('\n') == std::string::npos) terms.push_back(piece);
      }
    }
  }
  return terms;
}

// The same as DocumentView makes of the whole, or nothing.
bool says_the_same(const std::string& body, ObjectType type = ObjectType::kKnowledge) {
  const auto outline = Outline::of(type, body);
  if (!outline) return false;
  const Value json = *parse_json(body);
  const DocumentView view(type, json);
  const Card mine = card_of(*outline);
  const Card card = card_of(view);
  EXPECT_EQ(std::tie(mine.object_type, mine.id, mine.kind, mine.title, mine.status, mine.summary),
            std::tie(card.object_type, card.id, card.kind, card.title, card.status, card.summary))
      << body;
  const Haystacks haystacks = haystacks_of(view);
  EXPECT_EQ(payload_of(*outline), haystacks.payload);
  for (const std::string& term : terms_for(haystacks)) {
    const LexicalScore found = lexical_score(*outline, {term});
    const LexicalScore wanted = lexical_score(haystacks, {term});
    EXPECT_EQ(found.score, wanted.score) << term << " in " << body;
    EXPECT_EQ(found.matched, wanted.matched) << term << " in " << body;
  }
  return true;
}

TEST(OutlineTest, SaysWhatDocumentsSay) {
  const std::vector<std::string> bodies = {
      "{}",
      R"({"id":"know:1","kind":"fact","title":"Tea","summary":"Green TEA","status":"active"})",
      R"({"id":"know:1","name":"By Name","lifecycle_state":"draft","status":null,"summary":7})",
      R"({"id":"know:1","title":"","aliases":["A","b",3,["c"],{"d":"e"},null,"F"]})",
      R"({"id":"know:1","scope_refs":"One"})",
      R"({"id":"know:1","subject_refs":[],"depends_on":["x:1","y:2"],"parent_ref":"node:P"})",
      R"({"evidence_refs":[{"source_id":"src:A","segment_id":"s\"1"},{"source_id":""}]})",
      R"({"title":"A \"quoted\\\" title\n","summary":"\u00dcber caf\u00e9 \ud83d\ude00"})",
      R"({"id":"know:1","title":"ÜBER","summary":"中文"})",
      R"({"payload":{}})",
      R"({"payload":null})",
      R"({"payload":[1,2]})",
      R"({"payload":{"b":1,"a":{"d":[true,false,null],"c":"X, \"y\": {"}}})",
      R"({"payload":{"b":[],"a":{},"n":[-1,0,-0,1.5,1e3,12345678901234567890,1E-7,100]}})",
      R"({"payload":{"b":"]}[{","a":"plain","B":"Upper","":"empty"}})",
      R"({"payload":{"a\u0062":1,"aa":2}})",
      R"({"title":"TEA","kind":["no","text"],"status":{"no":"text"},"aliases":[["x"],"[y]",7]})",
      R"({"title":"a,b","aliases":["c,d","e"],"scope_refs":["scope:1","Scope:2"]})",
      R"({"evidence_refs":[{"source_id":"src:A1","segment_id":"seg-B2","locator":{"path":"p"}}]})",
      R"({"payload":{"z":"first","a":["tea",{"y":"TEA"}],"n":1.50,"m":1e2},"summary":"tea"})",
      R"({"segments":[],"title":"none"})",
      R"({"other":{"deep":[{"x":"}"}]},"title":"after"})"};
  for (const std::string& body : bodies) EXPECT_TRUE(says_the_same(body)) << body;
  for (const ObjectType type : {ObjectType::kNode, ObjectType::kActivity, ObjectType::kWorkItem})
    EXPECT_TRUE(says_the_same(bodies[1], type));
}

TEST(OutlineTest, SaysWhatAnyDocumentSays) {
  const std::vector<std::string> texts = {
      "Tea", "green tea", "scope:1", "", "É", "a\"b", "a\\b", "{x}", "[1,2]", "1.5", "two\nlines"};
  const std::vector<std::string> names = {"id",      "title",      "name",          "summary",
                                          "kind",    "status",     "identity_key",  "aliases",
                                          "payload", "parent_ref", "evidence_refs", "scope_refs",
                                          "other",   "confidence", "depends_on",    "subject_refs"};
  std::mt19937 random(7);
  const auto pick = [&](size_t count) { return static_cast<size_t>(random() % count); };
  const auto text = [&] { return Value(texts[pick(texts.size())]); };
  const auto value = [&](const auto& self, size_t depth) -> Value {
    switch (pick(depth < 3 ? 8 : 5)) {
      case 0: return Value(static_cast<int64_t>(pick(2000)) - 1000);
      case 1: return Value(static_cast<double>(pick(100)) / 8);
      case 2: return pick(2) == 0 ? Value() : Value(true);
      case 3:
      case 4: return text();
      case 5: return Value::object({{"source_id", text()}, {"segment_id", text()}});
      case 6: {
        Value list = Value::array();
        for (size_t i = pick(4); i > 0; --i) list.push(self(self, depth + 1));
        return list;
      }
      default: {
        Value object = Value::object();
        for (size_t i = pick(4); i > 0; --i)
          object.set(texts[pick(texts.size())], self(self, depth + 1));
        return object;
      }
    }
  };
  size_t read = 0;
  for (int round = 0; round < 1000; ++round) {
    Value document = Value::object();
    for (size_t i = pick(10); i > 0; --i) document.set(names[pick(names.size())], value(value, 0));
    read += says_the_same(to_json(document)) ? 1 : 0;
  }
  EXPECT_GT(read, 500);
}

TEST(OutlineTest, LeavesWhatTakesMoreToOthers) {
  EXPECT_FALSE(says_the_same(R"({"segments":[{"excerpt":"text"}]})"));
  EXPECT_FALSE(says_the_same(R"({"id":"src:1","kind":"repo"})", ObjectType::kSource));
  EXPECT_FALSE(says_the_same(R"({"aliases":["a \"b\""]})"));
  EXPECT_FALSE(says_the_same(R"({"id": "know:1"})"
                             "\n"));
}

TEST(OutlineTest, ReadsNothingOfADamagedText) {
  const std::string whole = R"({"id":"know:1","title":"Tea","aliases":["a"],"payload":{"x":"y"}})";
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(Outline::of(ObjectType::kKnowledge, whole.substr(0, size))) << size;
  for (const char* body :
       {"[]", "\"text\"", R"({"a"})", R"({"a":})", R"({"a":1,})", R"({"a":1}})", "{,}",
        R"({"a":1"b":2})", R"({"aliases":[1 2]})", R"({"a":[})", "{\"a\":\"\xff\"}"})
    EXPECT_FALSE(Outline::of(ObjectType::kKnowledge, body)) << body;
}

}  // namespace
}  // namespace holdfast::service::substrate
