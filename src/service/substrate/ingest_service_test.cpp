#include "service/substrate/ingest_service.h"

#include <gtest/gtest.h>

#include "model/json_text.h"
#include "service/substrate/ids.h"
#include "service/substrate/ingest_fixture.h"
#include "service/substrate/words.h"
#include "storage/sqlite/sqlite_store.h"

namespace holdfast::service::substrate {
namespace {

std::unique_ptr<storage::Store> open_store(const std::string& folder, const Clock& clock) {
  return std::move(*storage::open_sqlite_store({.path = folder + "/store.db", .clock = clock}));
}

class IngestServiceTest : public testing::Test {
 protected:
  DocumentIngestResponse file(const std::string& path, FileKind kind = FileKind::kFile) {
    auto response = fixture_.ingest.file(IngestFixture::owner(), {.kind = kind, .path = path});
    EXPECT_TRUE(response.has_value()) << (response ? "" : response.error().message);
    return response.value_or(DocumentIngestResponse());
  }
  std::string text(const Value& object, std::initializer_list<std::string_view> path) {
    const Value* at = &object;
    for (const auto name : path) {
      at = at->find(name);
      if (at == nullptr) return "(none)";
    }
    return at->if_string() != nullptr ? *at->if_string() : to_json(*at);
  }

  IngestFixture fixture_{open_store};
};

TEST_F(IngestServiceTest, AFileBecomesSourceNodeAndActivity) {
  const std::string path = fixture_.write("g.txt", "alpha beta\n\ngamma délta\n");

  const auto response = file(path);

  const std::string key = "source|file|" + path;
  EXPECT_EQ(response.source_id, stable_id("src", key));
  EXPECT_EQ(response.node_id, stable_id("node", "node|document|" + key));
  EXPECT_EQ(response.segment_count, 2);
  EXPECT_EQ(response.applied_operations, 3);
  EXPECT_EQ(response.projection_count, 8);
  const Value source = fixture_.stored(response.source_id);
  EXPECT_EQ(text(source, {"payload", "byte_count"}), "25");
  EXPECT_EQ(text(source, {"metadata", "adapter", "origin_classification"}), "local_file");
  EXPECT_EQ(text(fixture_.stored(response.node_id), {"summary"}),
            "Text document with 2 source segments.");
  EXPECT_EQ(text(fixture_.stored(response.activity_id), {"source_refs"}),
            "[\"" + response.source_id + "\"]");
}

TEST_F(IngestServiceTest, ReIngestUpdatesAndKeepsTheCreation) {
  const std::string path = fixture_.write("again.txt", "first\n");
  const auto first = file(path);
  const std::string created = text(fixture_.stored(first.source_id), {"created_at"});

  fixture_.write("again.txt", "second\n");
  const auto second = file(path);

  EXPECT_EQ(second.source_id, first.source_id);
  EXPECT_NE(second.patch_id, first.patch_id);
  EXPECT_NE(second.activity_id, first.activity_id);
  EXPECT_EQ(text(fixture_.stored(first.source_id), {"created_at"}), created);
  EXPECT_EQ(text(fixture_.stored(first.source_id), {"payload", "text"}), "second\n");
}

TEST_F(IngestServiceTest, ACallSentAgainUnderItsKeyWritesOnce) {
  const std::string path = fixture_.write("once.txt", "once\n");
  CallContext call = IngestFixture::owner();
  call.idempotency_key = "k";

  const auto first = fixture_.ingest.file(call, {.path = path});
  const auto second = fixture_.ingest.file(call, {.path = path});

  EXPECT_EQ(first->patch_id, second->patch_id);
  EXPECT_EQ(first->audit_event_ids, second->audit_event_ids);
  EXPECT_EQ(fixture_.events().size(), 3U);
}

TEST_F(IngestServiceTest, WhatCannotBeReadIsSaidAndWritesNothing) {
  const std::string bad = fixture_.write("bad.txt", "ok \xff bad");
  const std::string none = fixture_.files() + "/none.md";
  const auto refusal = [&](FileKind kind, const std::string& path) {
    return fixture_.ingest.file(IngestFixture::owner(), {.kind = kind, .path = path})
        .error()
        .message;
  };

  EXPECT_NE(refusal(FileKind::kFile, bad).find("UTF-8"), std::string::npos);
  EXPECT_EQ(refusal(FileKind::kMarkdown, none), "File path is not a file: " + none);
  EXPECT_EQ(refusal(FileKind::kPdf, none), "PDF path is not a file: " + none);
  EXPECT_EQ(refusal(FileKind::kFile, fixture_.files()),
            "File path is not a file: " + fixture_.files());
  EXPECT_EQ(refusal(FileKind::kFile, "/dev/zero"), "File path is not a file: /dev/zero");
  EXPECT_TRUE(fixture_.events().empty());
}

TEST_F(IngestServiceTest, ALinkIsTheFileItLeadsTo) {
  const std::string path = fixture_.write("real.md", "# G\n");
  std::filesystem::create_symlink(path, fixture_.files() + "/link.md");

  const auto response = file(fixture_.files() + "/link.md", FileKind::kMarkdown);

  EXPECT_EQ(response.source_id, stable_id("src", "source|markdown|" + path));
}

TEST_F(IngestServiceTest, ALinkToANameThatIsNoTextIsRefusedAndWritesNothing) {
  const std::string path = fixture_.write("na\xff", "alpha\n");
  const std::string link = fixture_.files() + "/link";
  std::filesystem::create_symlink(path, link);

  const auto response = fixture_.ingest.file(IngestFixture::owner(), {.path = link});

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message, "The path leads to a name that is not UTF-8 text.");
  EXPECT_TRUE(fixture_.events().empty());
}

TEST_F(IngestServiceTest, ABinaryPdfIsAStubAndAPlainOneIsText) {
  const auto stub = file(fixture_.write("b.pdf", "%PDF-1.4\n\xe2\xe3 junk"), FileKind::kPdf);
  const auto plain = file(fixture_.write("p.pdf", "\xff Plain.\n\nMore.\n"), FileKind::kPdf);

  EXPECT_EQ(stub.applied_operations, 1);
  EXPECT_TRUE(stub.node_id.empty());
  EXPECT_EQ(text(fixture_.stored(stub.source_id), {"content_type"}), "binary_stub");
  EXPECT_EQ(plain.segment_count, 2);
  EXPECT_EQ(text(fixture_.stored(plain.source_id), {"payload", "text"}), "Plain.\n\nMore.");
}

TEST_F(IngestServiceTest, AConversationIsRenderedMessageByMessage) {
  const auto response = fixture_.ingest.conversation(
      IngestFixture::owner(), {.title = "Memory design discussion",
                               .messages = {{"user", "Remember that project X uses Kuzu."}}});

  EXPECT_EQ(response->source_id, "src:1f5d4b2791b915aea9163de35a84fa48");
  EXPECT_EQ(text(fixture_.stored(response->activity_id), {"kind"}), "meeting");
}

TEST_F(IngestServiceTest, APageIsFetchedAndMadeText) {
  fixture_.web.pages["http://x.example/p"] = {.body = "<html><p>Hi</p>\xff</html>",
                                              .content_type = "text/html"};

  const auto response = fixture_.ingest.web(IngestFixture::owner(), {.url = "http://x.example/p"});

  EXPECT_EQ(text(fixture_.stored(response->source_id), {"payload", "text"}), "Hi\n\xEF\xBF\xBD");
  EXPECT_EQ(
      text(fixture_.stored(response->source_id), {"metadata", "adapter", "default_privacy_class"}),
      "remote_url");
  EXPECT_TRUE(fixture_.web.last.allow_private_addresses);
}

TEST_F(IngestServiceTest, AUrlWithAZeroByteIsNotFetched) {
  const std::string url("http://a.example/x\0y", 20);
  fixture_.web.pages[url] = {.body = "text"};

  const auto response = fixture_.ingest.web(IngestFixture::owner(), {.url = url});

  ASSERT_FALSE(response);
  EXPECT_TRUE(fixture_.web.last.url.empty());
}

TEST_F(IngestServiceTest, AGuestReadsNoFilesAndNoPrivateAddresses) {
  const std::string path = fixture_.write("g.txt", "text\n");
  fixture_.web.pages["http://x.example/p"] = {.body = "x"};

  const auto there = fixture_.ingest.file(IngestFixture::guest(), {.path = path});
  const auto absent = fixture_.ingest.file(IngestFixture::guest(), {.path = path + "-none"});
  const auto page = fixture_.ingest.web(IngestFixture::guest(), {.url = "http://x.example/p"});

  EXPECT_EQ(there.error().code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(there.error().message, absent.error().message);
  EXPECT_TRUE(page.has_value());
  EXPECT_FALSE(fixture_.web.last.allow_private_addresses);
}

TEST(IngestTurnsTest, SlowPagesLeaveThreadsToOthers) {
  using std::chrono::milliseconds;
  IngestFixture fixture(open_store,
                        {.limits = {.max_fetches = 1, .fetch_patience = milliseconds(0)}});
  fixture.web.pages["http://a.example/"] = {.body = "text"};
  Result<DocumentIngestResponse> second = Error{};
  fixture.web.during = [&] {
    second = fixture.ingest.web(IngestFixture::owner(), {.url = "http://a.example/"});
  };

  const auto first = fixture.ingest.web(IngestFixture::owner(), {.url = "http://a.example/"});

  EXPECT_TRUE(first);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(fixture.ingest.web(IngestFixture::owner(), {.url = "http://a.example/"}));
}

TEST(IngestRootsTest, AGuestReadsBelowTheRootsAndNotThroughLinksOutOfThem) {
  const auto outside = std::filesystem::temp_directory_path() / "holdfast-outside.txt";
  std::ofstream(outside) << "secret\n";
  IngestFixture first(open_store);
  const std::string root = first.files();
  IngestFixture fixture(open_store, {.roots = {root}});
  const std::string inside = first.write("in.txt", "fine\n");
  std::filesystem::create_symlink(outside, root + "/out.txt");

  EXPECT_TRUE(fixture.ingest.file(IngestFixture::guest(), {.path = inside}).has_value());
  EXPECT_EQ(fixture.ingest.file(IngestFixture::guest(), {.path = root + "/out.txt"}).error().reason,
            reason::kPathRefused);
  EXPECT_EQ(
      fixture.ingest.file(IngestFixture::guest(), {.path = root + "/../in.txt"}).error().reason,
      reason::kPathRefused);
  EXPECT_EQ(fixture.ingest.file(IngestFixture::guest(), {.path = root + "x"}).error().reason,
            reason::kPathRefused);
  std::filesystem::remove(outside);
}

TEST_F(IngestServiceTest, AConceptThatIsStoredIsNotSuggestedAgain) {
  const std::string path =
      fixture_.write("c.md", "# T\n\n## Context Pack\n\nA Context Pack groups.\n");
  EXPECT_EQ(file(path, FileKind::kMarkdown).suggestions.candidates.size(), 1U);
  Knowledge known{.id = random_id("know"), .kind = "concept", .title = "context pack"};
  const auto access =
      *fixture_.gatekeeper.require(IngestFixture::owner(), access::Permission::kWrite);
  ASSERT_TRUE(fixture_.store->write(IngestFixture::owner(), [&](storage::WriteTxn& txn) -> Status {
    HOLDFAST_TRY(const auto applied,
                 apply_patch(txn, access,
                             {.actor = system_actor("test"),
                              .operations = {create(ObjectType::kKnowledge, known)}}));
    return {};
  }));

  EXPECT_TRUE(file(path, FileKind::kMarkdown).suggestions.candidates.empty());
}

}  // namespace
}  // namespace holdfast::service::substrate
