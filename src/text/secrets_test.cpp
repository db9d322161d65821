#include "text/secrets.h"

#include <string>

#include <gtest/gtest.h>

namespace holdfast::text {
namespace {

TEST(Secrets, AreTakenOut) {
  const std::pair<const char*, const char*> cases[] = {
      {"password=hunter2secret and more", "password=[REDACTED] and more"},
      {"DB_PASSWORD: \"hunter two\", next", "DB_PASSWORD: \"[REDACTED]\", next"},
      {"api_key='abc123'", "api_key='[REDACTED]'"},
      {"Authorization: Basic dXNlcjpwYXNz\nX: y", "Authorization: [REDACTED]\nX: y"},
      {"sent Bearer abcdef1234567890 today", "sent Bearer [REDACTED] today"},
      {"postgres://app:s3cret@db:5432/x", "postgres://[REDACTED]@db:5432/x"},
      {"use ghp_abcdefghijklmnopqrst now", "use [REDACTED] now"},
      {"key AKIAABCDEFGHIJKLMNOP.", "key [REDACTED]."},
      {"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nend",
       "[REDACTED]\nend"},
      {"token: Bearer abcdef1234567890 today", "token: [REDACTED] today"},
      {"private_key: -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nend",
       "private_key: [REDACTED]\nend"},
      {"-----BEGIN PRIVATE KEY-----a-----END x----- and -----BEGIN PRIVATE KEY-----b",
       "[REDACTED] and [REDACTED]"},
      {"password=[REDACTED]hunter2", "password=[REDACTED]"},
      {"Cookie: [REDACTED]; id=1234", "Cookie: [REDACTED]"},
      {"pwd=a-----BEGIN PRIVATE KEY-----\nb\n-----END PRIVATE KEY-----c d", "pwd=[REDACTED] d"},
      {"pwd=pwd=\"hunter two\" and", "pwd=[REDACTED]\" and"},
      {"{\"Authorization\": \"Basic dXNlcjpwYXNz\", \"a\": 1}",
       "{\"Authorization\": \"[REDACTED]\", \"a\": 1}"},
      {R"({\"Cookie\": \"id=7\"})", R"({\"Cookie\": \"[REDACTED]\"})"},
      {R"({\"password\": \"hunter2\"})", R"({\"password\": \"[REDACTED]\"})"},
      {R"("password": "hun\"ter2", "a": 1)", R"("password": "[REDACTED]", "a": 1)"},
      {"AccountName=a;AccountKey=abc==;X=y", "AccountName=a;AccountKey=[REDACTED];X=y"},
      {"API key: abc123def", "API key: [REDACTED]"},
      {"secretKey=abc123 next", "secretKey=[REDACTED] next"},
      {"password := hunter2", "password := [REDACTED]"},
      {"password => 'hunter2'", "password => '[REDACTED]'"},
      {"user: bob\nPassword:\nhunter2\nthen", "user: bob\nPassword:\n[REDACTED]\nthen"},
      {"password:\r\n  \"hunter2\"\r\n", "password:\r\n  \"[REDACTED]\"\r\n"},
      {"slack xapp-1-A0123-4567 ends", "slack [REDACTED] ends"},
      {"session eyJ-eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl ends", "session [REDACTED] ends"},
  };
  for (const auto& [text, redacted] : cases) {
    EXPECT_EQ(redact_secrets(text), redacted);
    EXPECT_EQ(redact_secrets(redacted), redacted) << "twice is once";
  }
}

TEST(Secrets, PlainTextStays) {
  for (const char* text :
       {"Blocked: catalog API returned 401 because the service token expired.",
        "Refresh the catalog service token and rerun the sync.", "https://example.org/a:b@c",
        "The bearer of this letter", "task-force sk-8 is here", "My password is long",
        "About the token:\nit expires every hour.", "secret:\n  name:\n    x",
        "{\"cookie\": true, \"name\": \"bob\"}"}) {
    EXPECT_EQ(redact_secrets(text), text);
  }
}

// A square of these lengths would take minutes.
TEST(Secrets, CostGrowsWithTheTextOnly) {
  for (const std::string piece : {"eyJ-", "-----BEGIN ", "-----BEGIN PRIVATE KEY ",
                                  "pwd=", "pwd= ", "bearer ", "sk-", "cookie:", "://a:"}) {
    std::string text;
    while (text.size() < 500'000) text += piece;
    EXPECT_FALSE(redact_secrets(text).empty());
  }
}

}  // namespace
}  // namespace holdfast::text
