#include "service/observation/listed.h"

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

Observation full() {
  Observation one{.id = "obs_1",
                  .workspace_id = "workspace_1",
                  .type = ObservationType::kDecision,
                  .title = "A \"quoted\" \\ title,\"id\":\"obs_2\"",
                  .summary_md = "Lines\nand }]{[ brackets \u00e9",
                  .sensitivity = Sensitivity::kSensitive,
                  .tags = {"a", "b"},
                  .created_by = "principal_\"x"};
  one.created_at = from_micros(1'736'937'000'123'000);
  one.updated_at = from_micros(1'736'937'000'124'000);
  one.source.commit_id = "c1";
  one.thread_id = "thread_1";
  one.attachments = {{.id = "attach_1", .filename = "a.csv", .content_type = "text/csv"}};
  one.metadata = Value::object({{"id", "obs_3"}, {"title", Value::object({{"tags", 1}})}});
  return one;
}

const Codec<Observation>& codec() { return observation_noun().codec; }

TEST(Listed, HasThePiecesThatTheBodyHas) {
  std::string body = codec().encode_text(full());
  const Value read = *parse_json(body);

  const auto listed = read_listed(body);

  ASSERT_TRUE(listed.has_value());
  const auto check = [&](std::string_view name, std::string_view piece) {
    const auto value = parse_json(piece);
    ASSERT_TRUE(value.has_value()) << name << ' ' << piece;
    EXPECT_EQ(*value, *read.find(name)) << name;
  };
  check("id", listed->id);
  check("workspace_id", listed->workspace_id);
  check("type", listed->type);
  check("title", listed->title);
  check("summary_md", listed->summary_md);
  check("sensitivity", listed->sensitivity);
  check("tags", listed->tags);
  check("created_by", listed->created_by);
  check("created_at", listed->created_at);
  check("updated_at", listed->updated_at);
  check("source", listed->source);
  check("thread_id", listed->thread_id);
  check("attachments", listed->attachments);
  EXPECT_TRUE(listed->task_id.empty());
  EXPECT_TRUE(listed->subcortex_id.empty());
  EXPECT_EQ(text_of_piece(listed->created_by), "principal_\"x");
  EXPECT_EQ(text_of_piece("[1]"), "");
}

// An import may bring bodies that others wrote: with spaces, in another order, without members.
TEST(Listed, ReadsWhateverTheCodecReads) {
  const std::string as_ours = codec().encode_text(full());
  const Value read = *parse_json(as_ours);
  Value turned_round = Value::object();
  for (auto it = read.if_object()->rbegin(); it != read.if_object()->rend(); ++it)
    turned_round.set(it->name, it->value);
  for (std::string body : {to_pretty_json(read), to_json(turned_round)}) {
    const auto listed = read_listed(body);
    ASSERT_TRUE(listed.has_value()) << body;
    EXPECT_EQ(text_of_piece(listed->title), full().title);
    EXPECT_EQ(listed->thread_id, "\"thread_1\"");
    EXPECT_EQ(listed->source, R"({"type":"api","session_id":"","commit_id":"c1"})");
  }
  std::string little = R"({"id":"obs_9","created_at":"2025-01-15"})";
  const auto listed = read_listed(little);
  ASSERT_TRUE(listed.has_value());
  EXPECT_EQ(listed->created_at, "\"2025-01-15T00:00:00.000000Z\"");
  EXPECT_EQ(listed->tags, "[]");
}

TEST(Listed, RefusesWhatIsNoObservation) {
  for (std::string body : {"", "{", "[]", "17", R"({"id":)", R"({"id":1})", R"({"id":"a)"})
    EXPECT_FALSE(read_listed(body).has_value()) << body;
}

}  // namespace
}  // namespace holdfast::service::observation
