#include "text/secret_scan.h"

#include <string>

#include <gtest/gtest.h>

namespace holdfast::text {
namespace {

// Secrets are put together here, so that no scanner of this repository takes them for real.
const std::string kLetters = "aZ3bY4cX5dW6eV7fU8gT9hS1iR2jQ3kP4lO5mN6nM7oL8";

std::string codes(const std::string& text) {
  std::string out;
  for (const SecretFinding& finding : find_secrets(text)) {
    out += (out.empty() ? "" : " ") + std::string(finding.code);
  }
  return out;
}

TEST(SecretScan, KnowsEachRule) {
  const std::pair<std::string, std::string> cases[] = {
      {std::string("AKIA") + "Q3ZX7M2N4K8P1R5T", "AWS_ACCESS_KEY"},
      {"sk-" + kLetters, "OPENAI_API_KEY"},
      {"sk-proj-" + kLetters.substr(0, 20) + "_-" + kLetters.substr(0, 20), "OPENAI_API_KEY"},
      {std::string("sk-") + "ant-" + kLetters, "ANTHROPIC_API_KEY"},
      {"ghp_" + kLetters.substr(0, 36), "GITHUB_TOKEN"},
      {"github_pat_" + std::string(30, 'A') + "_" + std::string(29, '7'), "GITHUB_TOKEN"},
      {std::string("sk_") + "live_" + kLetters.substr(0, 24), "STRIPE_LIVE_KEY"},
      {std::string("AI") + "za" + kLetters.substr(0, 35), "GOOGLE_API_KEY"},
      {std::string("xox") + "b-" + kLetters.substr(0, 24), "SLACK_TOKEN"},
      {std::string("ctx_") + "pat_abc123_" + kLetters.substr(0, 16), "CORTEX_KEY"},
      {std::string("whsec") + "_" + kLetters.substr(0, 16), "CORTEX_KEY"},
      {std::string("-----BEGIN ") + "OPENSSH PRIVATE KEY-----", "PRIVATE_KEY"},
      {std::string("-----BEGIN PGP ") + "PRIVATE KEY BLOCK-----", "PRIVATE_KEY"},
      {std::string("eyJ") + "hbGciOiJI.eyJ" + "zdWIiOiIx.", "JWT"},
      {std::string("id-eyJ-eyJ") + "hbGci.eyJ" + "zdWIiOiIx.", "JWT"},
      {"BEARER   " + kLetters.substr(0, 20), "BEARER_TOKEN"},
      {std::string("passwd = '") + "hunter2" + "hunter2'", "PASSWORD_ASSIGNMENT"},
      {"client_secret=" + kLetters.substr(0, 16), "GENERIC_API_KEY"},
      {std::string("passwd = 'Größenwahn") + "1'", "PASSWORD_ASSIGNMENT"},
      {std::string("https://u:") + "p@h.example/x", "URL_CREDENTIALS"},
      {std::string("-1.https://u:") + "p@h", "URL_CREDENTIALS"},
      {std::string(40, 'x') + "://u:" + "p@h", "URL_CREDENTIALS"},
      {std::string("123-45-") + "6789", "US_SSN"},
      {std::string("DE89 3704 0044 ") + "0532 0130 00", "IBAN"},
      {std::string("DE89370400440532") + "013000_a", "IBAN"},
      {std::string("4242 4242 ") + "4242 4242", "PAYMENT_CARD"},
      {std::string("3782822463") + "10005", "PAYMENT_CARD"},
      {"someone@mail.test", "EMAIL"},
  };
  for (const auto& [text, code] : cases) {
    EXPECT_EQ(codes(text), code) << text;
    EXPECT_EQ(codes("found " + text + " here"), code) << text;
  }
}

TEST(SecretScan, PlainTextHasNone) {
  for (const std::string& text : {
           std::string("AKIA") + "Q3ZX7M2N4K8P1R5",    // one short
           std::string("xAKIA") + "Q3ZX7M2N4K8P1R5T",  // no edge
           std::string("AKIA") + "IOSFODNN7EXAMPLE",   // says so
           std::string("4242 4242 ") + "4242 4241",    // check digit
           std::string("4242-4242 ") + "4242 4242",    // two kinds of separators
           std::string("v4242424242") + "424242",      // a letter touches it
           std::string("1.4242424242") + "424242",     // a fraction
           std::string("666-45-6789"),
           std::string("123-00-6789"),           // never given out
           std::string("password: secretword"),  // letters alone
           std::string("password: Größenwahn"),
           std::string("password: пароль7"),  // seven characters
           std::string("password: ********"),
           std::string("password = <your-password-1>"),
           std::string("api_key: ${API_KEY_VALUE_12345}"),
           std::string("pwd: [REDACTED]"),
           std::string("https://example.org/a:b@c"),
           std::string("build digest 4e1243bd22c66e76c2ba9eddc1f91394"),
       }) {
    EXPECT_EQ(codes(text), "") << text;
  }
}

TEST(SecretScan, OnlyAWholePlaceholderIsForgiven) {
  for (const char* value :
       {"!!!!!!!!", "????;;;;", "changeme!", "********!", "xxxxxxxx.", "<hunter2>!"})
    EXPECT_EQ(codes(std::string("password: ") + value), "PASSWORD_ASSIGNMENT") << value;
}

TEST(SecretScan, ContextMakesADigestASecret) {
  EXPECT_EQ(codes("secret digest 4e1243bd22c66e76c2ba9eddc1f91394"), "HEX_SECRET");
  EXPECT_EQ(codes("secret\n4e1243bd22c66e76c2ba9eddc1f91394"), "") << "another line";
}

TEST(SecretScan, TheShortestTokensAreFoundWhereverTheyBegin) {
  const std::string before = "it was in a note of mine that has no other long word, ";
  for (size_t i = 0; i < before.size(); ++i) {
    const std::string text = before.substr(i);
    EXPECT_EQ(codes(text + "bearer " + kLetters.substr(0, 20)), "BEARER_TOKEN") << text;
    EXPECT_EQ(codes(text + "bearer " + kLetters.substr(0, 19) + " a b c d"), "") << text;
    EXPECT_EQ(codes(text + "key " + std::string(32, 'a') + " a b c d"), "HEX_SECRET") << text;
    EXPECT_EQ(codes(text + "key " + std::string(31, 'a') + " a b c d"), "") << text;
  }
}

TEST(SecretScan, ATokenIsAsLongAsItIsWithoutInvisibleCharacters) {
  std::string token;
  for (const char c : kLetters.substr(0, 20)) token += std::string(1, c) + "\u200B";

  EXPECT_EQ(codes("bearer " + token), "BEARER_TOKEN");
}

TEST(SecretScan, InvisibleCharactersHideNothingAndPlacesAreCodePoints) {
  const std::string key = std::string("AKIA") + "Q3ZX\u200B7M2N\u00AD4K8P1R5T";

  const auto findings = find_secrets("é: " + key);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].position, 3U);
  EXPECT_EQ(findings[0].length, 20U);
  EXPECT_EQ(severity_name(findings[0].severity), "critical");
}

TEST(SecretScan, AnAssignmentGivesWayToAMoreExactRule) {
  EXPECT_EQ(codes("password: ghp_" + kLetters.substr(0, 36)), "GITHUB_TOKEN");
}

TEST(SecretScan, HostileRepetitionsAreCheap) {
  // Each of these would cost minutes if any rule were quadratic.
  for (const char* piece : {"eyJ", "eyJ-", "sk-", "AKIA", "4 ", "password=", "://", "a@",
                            "-----BEGIN ", "a", "1", "1a"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    find_secrets(text);
  }
}

}  // namespace
}  // namespace holdfast::text
