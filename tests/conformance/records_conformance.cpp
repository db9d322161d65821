// Stored answers, blobs, principals and tokens, settings, backup and check.
#include <filesystem>

#include "base/digest.h"
#include "store_harness.h"

namespace holdfast::storage {
namespace {

using std::chrono::seconds;

TEST_P(StoreConformance, AStoredAnswerReadsBackAndCanBeReplaced) {
  const auto access = engine();
  const IdempotencyKey key{"ada", "POST /notes", "k"};
  const IdempotencyRecord record{.key = key,
                                 .fingerprint = "f",
                                 .state = "in_flight",
                                 .status = 202,
                                 .body = "b",
                                 .extra = "{}",
                                 .created_at = kStart,
                                 .expires_at = kStart + seconds(60),
                                 .about = {{"note", "n"}}};
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.put_idempotency(access, record); }));

  const auto found = **read()->find_idempotency(access, key);

  EXPECT_EQ(found.fingerprint, "f");
  EXPECT_EQ(found.state, "in_flight");
  EXPECT_EQ(found.status, 202);
  EXPECT_EQ(found.extra, "{}");
  EXPECT_EQ(found.created_at, kStart);
  EXPECT_EQ(found.expires_at, kStart + seconds(60));
  EXPECT_EQ(found.about, record.about);

  IdempotencyRecord done = record;
  done.state = "done";
  done.about = {};
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.put_idempotency(access, done); }));
  put_text("n", "x");
  erase({"note", "n"});
  EXPECT_EQ((**read()->find_idempotency(access, key)).state, "done")
      << "no longer about that object";
}

TEST_P(StoreConformance, AnswersBelongToTheirSpaceCallerOperationAndKey) {
  const auto access = engine();
  ASSERT_TRUE(write([&](WriteTxn& txn) {
    return txn.put_idempotency(access, {.key = {"a", "b", "c"}});
  }));
  const auto txn = read();

  EXPECT_TRUE(txn->find_idempotency(access, {"a", "b", "c"})->has_value());
  EXPECT_FALSE(txn->find_idempotency(access, {"x", "b", "c"})->has_value());
  EXPECT_FALSE(txn->find_idempotency(access, {"a", "x", "c"})->has_value());
  EXPECT_FALSE(txn->find_idempotency(access, {"a", "b", "x"})->has_value());
  EXPECT_FALSE(txn->find_idempotency(engine("other"), {"a", "b", "c"})->has_value());
}

TEST_P(StoreConformance, ExpiredAnswersAreAbsentAndSwept) {
  const auto access = engine();
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    for (int i = 0; i < 5; ++i) {
      HOLDFAST_CHECK_OK(txn.put_idempotency(
          access,
          {.key = {"a", "b", std::to_string(i)}, .expires_at = kStart + seconds(10 * (i + 1))}));
    }
    return txn.put_idempotency(access, {.key = {"a", "b", "ever"}});
  }));

  clock_.advance(seconds(35));

  EXPECT_FALSE(read()->find_idempotency(access, {"a", "b", "0"})->has_value());
  EXPECT_TRUE(read()->find_idempotency(access, {"a", "b", "4"})->has_value());
  const auto scope = admin();
  const auto sweep = [&](size_t limit) {
    return *write_returning<size_t>(store(), call(), [&](WriteTxn& txn) {
      return txn.sweep_idempotency(scope, clock_.now(), limit);
    });
  };
  EXPECT_EQ(sweep(2), 2u);
  EXPECT_EQ(sweep(9), 1u);
  EXPECT_EQ(sweep(9), 0u);
  EXPECT_TRUE(read()->find_idempotency(access, {"a", "b", "ever"})->has_value());
  ASSERT_TRUE(write([&](WriteTxn& txn) {
    return txn.remove_idempotency(access, {"a", "b", "ever"});
  }));
  EXPECT_FALSE(read()->find_idempotency(access, {"a", "b", "ever"})->has_value());
}

TEST_P(StoreConformance, ABlobIsWrittenInChunksAndFinished) {
  put_text("n", "x");
  const auto access = engine();
  const std::string first(kBlobChunkBytes, '\0');
  const std::string second = "the end";
  BlobInfo blob{.id = "b", .owner = {"note", "n"}, .created_at = kStart};
  blob.size = static_cast<int64_t>(first.size() + second.size());
  blob.sha256 = sha256(first + second);
  const auto chunk = [&](int64_t index, std::string_view bytes) {
    return write([&](WriteTxn& txn) { return txn.put_blob_chunk(access, blob, index, bytes); });
  };
  const auto finish = [&] {
    return write([&](WriteTxn& txn) { return txn.finish_blob(access, blob); });
  };

  EXPECT_EQ(code_of(finish()), ErrorCode::kNotFound);
  ASSERT_TRUE(chunk(1, second));
  EXPECT_EQ(code_of(finish()), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(read()->blob(access, "b")->finished);
  EXPECT_TRUE(read()->blobs(access, "", 10)->empty());
  ASSERT_TRUE(chunk(0, first));
  EXPECT_EQ(code_of(chunk(2, std::string(kBlobChunkBytes + 1, 'x'))), ErrorCode::kTooLarge);
  ASSERT_TRUE(finish());

  EXPECT_EQ(code_of(chunk(2, "more")), ErrorCode::kConflict);
  ASSERT_EQ(read()->blobs(access, "a", 10)->size(), 1U);
  EXPECT_EQ(read()->blobs(access, "a", 10)->front().sha256, blob.sha256);
  EXPECT_TRUE(read()->blobs(access, "b", 10)->empty());
  const auto found = *read()->blob(access, "b");
  EXPECT_TRUE(found.finished);
  EXPECT_EQ(found.size, blob.size);
  EXPECT_EQ(found.sha256, blob.sha256);
  EXPECT_EQ(found.owner, blob.owner);
  EXPECT_EQ(*read()->blob_chunk(access, "b", 0), first);
  EXPECT_EQ(*read()->blob_chunk(access, "b", 1), second);
  EXPECT_EQ(code_of(read()->blob_chunk(access, "b", 2)), ErrorCode::kNotFound);
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.remove_blob(access, "b"); }));
  EXPECT_EQ(code_of(read()->blob(access, "b")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(write([&](WriteTxn& txn) { return txn.remove_blob(access, "b"); })),
            ErrorCode::kNotFound);
}

Token token_of(const std::string& id, const std::string& parent = "") {
  return Token{.id = id,
               .hash = sha256(id),
               .name = "laptop",
               .principal = PrincipalId{"p1"},
               .space = SpaceId{"default"},
               .scopes = {"read", "write:notes"},
               .trust_tier = 2,
               .clearance = Sensitivity::kSensitive,
               .compartments = std::vector<std::string>{"legal"},
               .user_id = "ada",
               .peer_id = "peer",
               .read_namespaces = {"a"},
               .write_namespaces = {"b", "c"},
               .purpose = "access",
               .parent = parent,
               .created_at = kStart,
               .expires_at = kStart + seconds(60)};
}

TEST_P(StoreConformance, GrantsAreFoundAsSoonAsTheirWriteIsAnswered) {
  const Principal principal{.id = PrincipalId{"p1"},
                            .handle = "ada",
                            .display_name = "Ada",
                            .kind = PrincipalKind::kAgent,
                            .trust_tier = 3,
                            .clearance = Sensitivity::kSensitive,
                            .owner = PrincipalId{"p0"},
                            .created_at = kStart};
  const auto access = admin();
  EXPECT_FALSE(store().find_grant(sha256("t1"))->has_value());

  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put_principal(access, principal));
    return txn.put_token(access, token_of("t1"));
  }));

  for (int opened = 0; opened < 2; ++opened) {
    const auto grant = *store().find_grant(sha256("t1"));
    ASSERT_TRUE(grant.has_value());
    EXPECT_EQ(grant->token, token_of("t1"));
    EXPECT_EQ(grant->principal, principal);
    EXPECT_EQ(*read()->principal(admin(), PrincipalId{"p1"}), principal);
    EXPECT_EQ(*read()->tokens(admin()), std::vector<Token>{token_of("t1")});
    harness_->reopen();
  }
  Principal suspended = principal;
  suspended.status = PrincipalStatus::kSuspended;
  const auto scope = admin();
  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.put_principal(scope, suspended); }));
  EXPECT_EQ((*store().find_grant(sha256("t1")))->principal.status, PrincipalStatus::kSuspended);
  EXPECT_EQ(code_of(read()->principal(admin(), PrincipalId{"nobody"})), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, HandlesAreUnique) {
  const auto access = admin();
  const auto add = [&](const std::string& id) {
    return write([&](WriteTxn& txn) {
      return txn.put_principal(access, {.id = PrincipalId{id}, .handle = "ada"});
    });
  };

  ASSERT_TRUE(add("p1"));
  EXPECT_TRUE(add("p1"));
  EXPECT_EQ(code_of(add("p2")), ErrorCode::kAlreadyExists);
  EXPECT_EQ(read()->principals(admin())->size(), 1u);
}

TEST_P(StoreConformance, RevokingATokenRevokesWhatWasMintedFromIt) {
  const auto access = admin();
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put_principal(access, {.id = PrincipalId{"p1"}, .handle = "ada"}));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("root")));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("child", "root")));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("grandchild", "child")));
    return txn.put_token(access, token_of("stranger"));
  }));

  ASSERT_TRUE(write([&](WriteTxn& txn) { return txn.revoke_token(access, "root"); }));

  for (const char* id : {"root", "child", "grandchild"}) {
    EXPECT_TRUE((*store().find_grant(sha256(id)))->token.revoked_at.has_value()) << id;
  }
  EXPECT_FALSE((*store().find_grant(sha256("stranger")))->token.revoked_at.has_value());
  EXPECT_EQ(code_of(write([&](WriteTxn& txn) { return txn.revoke_token(access, "none"); })),
            ErrorCode::kNotFound);
}

TEST_P(StoreConformance, MintedTokensThatExpiredLongAgoAreSwept) {
  const auto access = admin();
  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.put_principal(access, {.id = PrincipalId{"p1"}, .handle = "ada"}));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("root")));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("old1", "root")));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("old2", "root")));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("parent", "root")));
    HOLDFAST_CHECK_OK(txn.put_token(access, token_of("grandchild", "parent")));
    Token fresh = token_of("fresh", "root");
    fresh.expires_at = kStart + seconds(120);
    return txn.put_token(access, fresh);
  }));
  const auto sweep = [&](size_t limit) {
    return write([&](WriteTxn& txn) {
      return txn.sweep_minted_tokens(access, "root", kStart + seconds(61), limit);
    });
  };

  ASSERT_TRUE(sweep(1));
  EXPECT_EQ(read()->tokens(admin())->size(), 5U);
  ASSERT_TRUE(sweep(10));

  for (int opened = 0; opened < 2; ++opened) {
    for (const char* gone : {"old1", "old2"})
      EXPECT_FALSE(store().find_grant(sha256(gone))->has_value()) << gone;
    for (const char* kept : {"root", "parent", "grandchild", "fresh"})
      EXPECT_TRUE(store().find_grant(sha256(kept))->has_value()) << kept;
    harness_->reopen();
  }
}

TEST_P(StoreConformance, SettingsAreKept) {
  EXPECT_FALSE(read()->meta("secret")->has_value());
  const auto access = admin();

  ASSERT_TRUE(write([&](WriteTxn& txn) -> Status {
    HOLDFAST_CHECK_OK(txn.set_meta(access, "secret", "one"));
    return txn.set_meta(access, "secret", std::string("t\0wo", 4));
  }));

  harness_->reopen();
  EXPECT_EQ(**read()->meta("secret"), std::string("t\0wo", 4));
}

TEST_P(StoreConformance, SpacesAreMadeOnceAndNeedAGoodName) {
  const auto access = admin();
  const auto make = [&](const std::string& name) {
    return write([&](WriteTxn& txn) { return txn.create_space(access, SpaceId{name}); });
  };

  EXPECT_TRUE(make("team"));
  EXPECT_TRUE(make("team"));
  EXPECT_EQ(code_of(make("No Good")), ErrorCode::kInvalidArgument);
  const auto spaces = *read()->spaces(admin());
  ASSERT_EQ(spaces.size(), 2u);
  EXPECT_EQ(spaces[0].id, kDefaultSpace);
  EXPECT_EQ(spaces[1].id, SpaceId{"team"});
  EXPECT_GE(spaces[1].created_at, kStart);
}

TEST_P(StoreConformance, ABackupIsCompleteAndRefusesToOverwrite) {
  put_text("n", "in the copy");
  const std::string path = harness_->scratch_path("copy.db");
  double last = 0;

  ASSERT_TRUE(store().backup(path, [&](double share) { last = share; }));

  EXPECT_DOUBLE_EQ(last, 1.0);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  EXPECT_EQ(code_of(store().backup(path, nullptr)), ErrorCode::kAlreadyExists);
}

TEST_P(StoreConformance, ASoundStoreHasNoFindingsAndKnowsItsSize) {
  for (int i = 0; i < 50; ++i) {
    put({.key = {"note", std::to_string(i % 20)},
         .body = std::to_string(i),
         .projection = {.facets = {Facet::of("tag", std::to_string(i)), Facet::of("n", int64_t{i})},
                        .links = {{"about", {"note", std::to_string(i % 7)}, "d"}}}});
  }
  remove({"note", "3"});
  put_text("3", "again");
  erase({"note", "4"});

  EXPECT_EQ(*store().check(), std::vector<std::string>{});
  EXPECT_GT(store().sizes().file_bytes, 0);
}

// Whatever a surface lets in: a finding would make restore refuse a good backup.
TEST_P(StoreConformance, OddCharactersInFacetsAndNamesAreNoFindings) {
  for (const std::string& odd :
       {std::string("a\0b", 3), std::string(1, '\0'), std::string("\\u0000"), std::string("'\"\n"),
        std::string("\x7f\x01"), std::string("\xf0\x9f\x98\x80"), std::string("1e400")}) {
    put({.key = {"note", odd},
         .body = "{}",
         .projection = {.facets = {Facet::of("tag", odd)},
                        .links = {{"about", {"note", odd}, odd}}}});
  }

  EXPECT_EQ(*store().check(), std::vector<std::string>{});
}

}  // namespace
}  // namespace holdfast::storage
