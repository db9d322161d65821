#include "service/substrate/outline.h"

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/substrate/document_text.h"

namespace holdfast::service::substrate {
namespace {

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
  const Haystacks found = haystacks_of(*outline);
  const Haystacks wanted = haystacks_of(view);
  EXPECT_EQ(found.title, wanted.title) << body;
  EXPECT_EQ(found.summary, wanted.summary) << body;
  EXPECT_EQ(found.metadata, wanted.metadata) << body;
  EXPECT_EQ(found.payload, wanted.payload) << body;
  EXPECT_EQ(found.segments, wanted.segments) << body;
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
      R"({"segments":[],"title":"none"})",
      R"({"other":{"deep":[{"x":"}"}]},"title":"after"})"};
  for (const std::string& body : bodies) EXPECT_TRUE(says_the_same(body)) << body;
  for (const ObjectType type : {ObjectType::kNode, ObjectType::kActivity, ObjectType::kWorkItem})
    EXPECT_TRUE(says_the_same(bodies[1], type));
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
        R"({"a":1"b":2})", R"({"a":[1 2]})", R"({"a":[})", "{\"a\":\"\xff\"}"})
    EXPECT_FALSE(Outline::of(ObjectType::kKnowledge, body)) << body;
}

}  // namespace
}  // namespace holdfast::service::substrate
