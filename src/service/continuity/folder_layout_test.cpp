// The folder layout and its parts, without folders.
#include "service/continuity/folder_layout.h"

#include <gtest/gtest.h>

#include "service/continuity/capsule_fixture.h"
#include "service/continuity/cold_stub.h"
#include "service/continuity/gzip.h"
#include "service/continuity/repository_file.h"
#include "service/continuity/work_nouns.h"

namespace holdfast::service::continuity {
namespace {

TEST(GzipTest, ComesBackAndKnowsWhatIsNone) {
  const std::string text(100'000, 'x');
  const std::string packed = gzip(text);
  EXPECT_LT(packed.size(), 1000U);
  EXPECT_EQ(*gunzip(packed, text.size()), text);
  EXPECT_EQ(gunzip(packed, 1000).error().code, ErrorCode::kTooLarge);
  EXPECT_FALSE(gunzip(packed.substr(0, 20), text.size()));
  EXPECT_FALSE(gunzip("not packed", 100));
}

TEST(FolderLayoutTest, StubsSayWhatTheyStandFor) {
  StoredCapsule stored{.subject_kind = "thread",
                       .subject_id = "a\nb",
                       .stem = "thread-a",
                       .archive_stem = "thread-a-20260201T000000Z",
                       .archived_at = "2026-02-01T00:00:00Z",
                       .cold_stored_at = "2026-02-02T00:00:00Z",
                       .cold_phase = "stale_soft",
                       .capsule = capsule("a", "2026-01-01T00:00:00Z")};
  const std::string stub = cold_stub(stored);
  EXPECT_TRUE(stub.starts_with("---\ntype: continuity_cold_stub\nschema_version: \"1.1\"\n"));
  EXPECT_NE(stub.find("subject_id: a b\n"), std::string::npos);
  EXPECT_NE(stub.find("## active_concerns\n\n## open_loops\n- l\n"), std::string::npos) << stub;
  EXPECT_TRUE(stub.ends_with("\n") && !stub.ends_with("\n\n"));
  const auto read = read_cold_stub(stub);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cold_stored_at, stored.cold_stored_at);
  EXPECT_EQ(read->phase, "stale_soft");
  std::string swapped = stub;
  swapped.replace(swapped.find("phase:"), 6, "other:");
  EXPECT_FALSE(read_cold_stub(swapped));
}

TEST(FolderLayoutTest, FrontMatterIsRead) {
  const RepositoryFile file{
      .path = "memory/a.md",
      .text = "---\ntype: note\ntags: [x, \"y\"]\nimportance: 0.25\n---\nBody"};
  const FrontMatter matter = front_matter(file);
  EXPECT_EQ(matter.type, "note");
  EXPECT_EQ(matter.tags, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(matter.importance, 0.25);
  EXPECT_EQ(matter.rest, "Body");
  EXPECT_EQ(front_matter({.path = "journal/b.txt", .text = "---\ntype: x\n---\n"}).type, "journal");
}

TEST(FolderLayoutTest, LongIdsHaveNamesThatFileSystemsTake) {
  const auto path_of = [](const std::string& id) {
    const Document task{.body = Value::object({{"task_id", id}, {"status", "open"}})};
    return files_of({.key = {.kind = task_noun().kind, .id = id},
                     .body = task_noun().codec.encode_text(task)})
        .at(0)
        .path;
  };
  std::string id;
  for (int i = 0; i < 100; ++i) id += "\u65e5";
  const std::string folder = "tasks/open/";
  EXPECT_LE(path_of(id).size(), folder.size() + 255);
  EXPECT_LE(path_of(std::string(5000, 'x')).size(), folder.size() + 255);
  EXPECT_NE(path_of(id + "a"), path_of(id + "b"));
  EXPECT_EQ(path_of("a/b"), "tasks/open/a%2Fb.json");
}

TEST(FolderLayoutTest, FilesThatLeadElsewhereAreNotTaken) {
  FolderReader reader;
  EXPECT_FALSE(reader.add({.path = "../etc/passwd", .bytes = "x"}, {}));
  EXPECT_FALSE(reader.add({.path = "docs/a.md", .bytes = "x"}, {}));
  EXPECT_FALSE(reader.add({.path = "memory/continuity/user-a.json", .bytes = "[]"}, {}));
  EXPECT_FALSE(reader.add({.path = "memory/note.md", .bytes = "\xff\xfe"}, {}));
  EXPECT_TRUE(reader.add({.path = "memory/note.md", .bytes = "x"}, {}));
  EXPECT_EQ(reader.take().size(), 1U);
}

}  // namespace
}  // namespace holdfast::service::continuity
