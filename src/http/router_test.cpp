#include "http/router.h"

#include <gtest/gtest.h>

#include "http/exchange.h"

namespace holdfast::http {
namespace {

class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    router_.mount(api_);
    router_.mount(deep_);
    for (const auto& [method, path] :
         std::vector<std::pair<std::string, std::string>>{{"GET", "/things"},
                                                          {"POST", "/things"},
                                                          {"POST", "/things/batch"},
                                                          {"GET", "/things/{id}"},
                                                          {"DELETE", "/things/{id}"},
                                                          {"GET", "/things/{id}/parts/{part}"},
                                                          {"GET", "/things/batch/parts/x"},
                                                          {"GET", "/files/{rest...}"},
                                                          {"GET", "/"}}) {
      router_.add({.method = method, .path = path, .mount = &api_, .handler = [](Exchange&) {
                     return Reply{};
                   }});
    }
  }
  // The template that is found, with its parameters; "404", or "405 Allow".
  std::string found(std::string_view method, std::string_view path) const {
    const RouteMatch match = router_.match(method, path);
    if (match.route == nullptr) return match.allow.empty() ? "404" : "405 " + match.allow;
    std::string text = match.route->method + ' ' + match.route->path;
    for (const auto& parameter : match.parameters)
      text += ' ' + parameter.name + '=' + parameter.value;
    return text;
  }

  wire::PlainDialect dialect_;
  SurfaceMount fallback_{.name = "none", .dialect = &dialect_};
  SurfaceMount api_{.name = "api", .prefixes = {"/things", "/api"}, .dialect = &dialect_};
  SurfaceMount deep_{.name = "deep", .prefixes = {"/api/v2"}, .dialect = &dialect_};
  Router router_{fallback_};
};

TEST_F(RouterTest, LiteralsBeatParameters) {
  EXPECT_EQ(found("GET", "/things"), "GET /things");
  EXPECT_EQ(found("GET", "/things/7"), "GET /things/{id} id=7");
  EXPECT_EQ(found("POST", "/things/batch"), "POST /things/batch");
  EXPECT_EQ(found("GET", "/"), "GET /");
}

TEST_F(RouterTest, ALiteralThatLeadsNowhereGivesWayToAParameter) {
  EXPECT_EQ(found("GET", "/things/batch/parts/x"), "GET /things/batch/parts/x");
  EXPECT_EQ(found("GET", "/things/batch/parts/y"), "GET /things/{id}/parts/{part} id=batch part=y");
}

TEST_F(RouterTest, AKnownPathWithAnotherMethodIsAllowed) {
  EXPECT_EQ(found("GET", "/things/batch"), "405 POST, OPTIONS");
  EXPECT_EQ(found("PUT", "/things/7"), "405 GET, HEAD, DELETE, OPTIONS");
  EXPECT_EQ(found("OPTIONS", "/things"), "405 GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(found("get", "/things"), "405 GET, HEAD, POST, OPTIONS");
}

TEST_F(RouterTest, HeadFindsGet) { EXPECT_EQ(found("HEAD", "/things/7"), "GET /things/{id} id=7"); }

TEST_F(RouterTest, UnknownPathsAreUnknown) {
  for (const char* path :
       {"/things/", "/things//parts/x", "/thing", "/things/7/parts", "", "things", "*", "//"}) {
    EXPECT_EQ(found("GET", path), "404") << path;
  }
}

TEST_F(RouterTest, ParametersArePercentDecodedAfterSplitting) {
  EXPECT_EQ(found("GET", "/things/a%2Fb%20c+d"), "GET /things/{id} id=a/b c+d");
  EXPECT_EQ(found("GET", "/th%69ngs"), "GET /things");
  EXPECT_EQ(found("GET", "/things/%C3%A9"), "GET /things/{id} id=é");
}

TEST_F(RouterTest, WhatCannotBeDecodedNamesNothing) {
  EXPECT_EQ(found("GET", "/things/%zz"), "404");
  EXPECT_EQ(found("GET", "/things/%f"), "404");
  EXPECT_EQ(found("GET", "/things/%ff"), "404");
}

TEST_F(RouterTest, ARestTakesEverything) {
  EXPECT_EQ(found("GET", "/files/a/b%2Fc/d"), "GET /files/{rest...} rest=a/b/c/d");
  EXPECT_EQ(found("GET", "/files/"), "GET /files/{rest...} rest=");
  EXPECT_EQ(found("GET", "/files"), "404");
}

TEST_F(RouterTest, TheLongestPrefixWordsUnknownPaths) {
  EXPECT_EQ(router_.match("GET", "/nothing").mount, &fallback_);
  EXPECT_EQ(router_.match("GET", "/api/v3").mount, &api_);
  EXPECT_EQ(router_.match("GET", "/api/v2/x").mount, &deep_);
  EXPECT_EQ(router_.match("GET", "/api/v22").mount, &api_);
  EXPECT_EQ(router_.match("GET", "/apiary").mount, &fallback_);
}

}  // namespace
}  // namespace holdfast::http
