#include "http/pipeline.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "http/route_table.h"
#include "http/steps.h"

namespace holdfast::http {
namespace {

struct Greeting {
  std::string id;
  std::string name;
  int times = 1;
};
struct Greeted {
  std::string text;
};

const wire::Operation<Greeting, Greeted>& greet() {
  static const wire::Operation<Greeting, Greeted> operation{
      .name = "greet",
      .summary = "Greet somebody.",
      .request = wire::Schema<Greeting>()
                     .path("id", &Greeting::id)
                     .required("name", &Greeting::name, wire::length(1, 8))
                     .query("times", &Greeting::times, wire::range(1, 3)),
      .encode =
          [](const Greeted& greeted) {
            return Value::object({{"text", greeted.text}});
          },
      .success_status = 201,
      .headers = [](const Greeted&,
                    wire::Headers& headers) { headers.add("Location", "/greetings/1"); }};
  return operation;
}

class Greeter {
 public:
  Result<Greeted> greet(const CallContext& call, const Greeting& request) {
    last_call = call;
    if (request.name == "nobody") return not_found("person", request.name);
    return Greeted{.text = request.id + ":" + request.name + ":" + std::to_string(request.times)};
  }
  CallContext last_call;
};

// Knows one token.
class OneToken : public access::GrantSource {
 public:
  Result<std::optional<access::Grant>> find_grant(std::string_view hash) const override {
    if (hash != access::token_hash("good")) return std::optional<access::Grant>();
    access::Grant grant;
    grant.token.hash = std::string(hash);
    grant.token.purpose = "access";
    grant.token.space = SpaceId{"team"};
    grant.principal.id = PrincipalId{"ann"};
    return std::optional<access::Grant>(std::move(grant));
  }
};

class PipelineTest : public testing::Test {
 protected:
  void build(
      std::unique_ptr<access::Authenticator> authenticator = access::make_open_authenticator(),
      HostPolicySettings hosts = {}) {
    authenticator_ = std::move(authenticator);
    RouteTable routes(router_, mount_);
    routes.post("/greet/{id}", ::holdfast::http::greet(), greeter_, &Greeter::greet);
    routes.raw("GET", "/raw", [](const CallContext&, const Request&) {
      return text_reply(200, "text/plain", "raw");
    });
    routes.raw("GET", "/health", {.always_served = true, .auth = AuthNeed::kNone},
               [](const CallContext&, const Request&) { return Reply{}; });
    routes.raw("GET", "/maybe", {.auth = AuthNeed::kOptional},
               [](const CallContext& call, const Request&) {
                 return text_reply(200, "text/plain", call.principal.value);
               });
    routes.raw("GET", "/broken", [](const CallContext&, const Request&) -> Reply {
      throw std::runtime_error("boom");
    });
    pipeline_ = std::make_unique<Pipeline>(PipelineSettings{.router = router_,
                                                            .authenticator = *authenticator_,
                                                            .clock = clock_,
                                                            .metrics = metrics_,
                                                            .hosts = std::move(hosts),
                                                            .ready = [this] { return ready_; },
                                                            .access_log = AccessLog::kOff});
  }
  // As if it had come through a socket.
  Reply call(std::string method, std::string target, std::string body = {},
             wire::Headers headers = {}) {
    if (!headers.has("Host")) headers.add("Host", "localhost:7070");
    if (!body.empty() && !headers.has("Content-Type"))
      headers.add("Content-Type", "application/json");
    Request request =
        make_request(std::move(method), std::move(target), std::move(body), std::move(headers));
    request.local_process = false;
    return pipeline_->handle(std::move(request));
  }

  wire::PlainDialect dialect_;
  SurfaceMount mount_{.name = "test", .prefixes = {"/"}, .dialect = &dialect_, .body_limit = 100};
  Router router_{mount_};
  ManualClock clock_{from_micros(0)};
  Metrics metrics_;
  Greeter greeter_;
  bool ready_ = true;
  std::unique_ptr<access::Authenticator> authenticator_;
  std::unique_ptr<Pipeline> pipeline_;
};

TEST_F(PipelineTest, DecodesCallsAndEncodes) {
  build();

  const Reply reply =
      call("POST", "/greet/a%2Fb?times=2", R"({"name":"ann"})", {{"X-Holdfast-Space", "lab"}});

  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body, R"({"text":"a/b:ann:2"})");
  EXPECT_EQ(reply.headers.get("Location"), "/greetings/1");
  EXPECT_EQ(reply.headers.get("Content-Type"), "application/json; charset=utf-8");
  EXPECT_EQ(reply.headers.get("X-Holdfast-Space"), "lab");
  EXPECT_EQ(greeter_.last_call.surface, "test");
  EXPECT_TRUE(greeter_.last_call.local_owner);
  EXPECT_NE(greeter_.last_call.deadline, kNoDeadline);
}

TEST_F(PipelineTest, RefusesWithEveryIssue) {
  build();

  const Reply reply = call("POST", "/greet/1?times=9", R"({"nom":"ann"})");

  EXPECT_EQ(reply.status, 400);
  EXPECT_NE(reply.body.find(R"("path":"name","rule":"required")"), std::string::npos) << reply.body;
  EXPECT_NE(reply.body.find(R"("location":"query","path":"times","rule":"range_max")"),
            std::string::npos);
  EXPECT_NE(reply.body.find(R"("path":"nom","rule":"unknown")"), std::string::npos);
}

TEST_F(PipelineTest, ErrorsOfTheServiceAreWorded) {
  build();

  EXPECT_EQ(call("POST", "/greet/1", R"({"name":"nobody"})").status, 404);
}

TEST_F(PipelineTest, RequestIdsAreKeptIfTheyAreGoodAndMadeIfNot) {
  build();

  EXPECT_EQ(call("GET", "/raw", "", {{"X-Request-ID", "a.B_1:-"}}).headers.get("X-Request-ID"),
            "a.B_1:-");
  for (const std::string& bad :
       {std::string(), std::string("a b"), std::string(129, 'a'), std::string("é")}) {
    const Reply reply = call("GET", "/raw", "", {{"X-Request-ID", bad}});
    EXPECT_EQ(reply.headers.get("X-Request-ID").substr(0, 4), "req_") << bad;
    EXPECT_EQ(reply.headers.get("X-Request-ID").size(), 30U);
  }
  EXPECT_EQ(call("GET", "/none", "", {{"X-Request-ID", "r1"}}).body.find("\"request_id\":\"r1\"") ==
                std::string::npos,
            false);
}

TEST_F(PipelineTest, UnknownPathsAndMethodsAreTold) {
  build();

  EXPECT_EQ(call("GET", "/none").status, 404);
  const Reply wrong = call("DELETE", "/raw");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.headers.get("Allow"), "GET, HEAD, OPTIONS");
  const Reply options = call("OPTIONS", "/raw");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(options.headers.get("Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(call("HEAD", "/raw").status, 200);
}

TEST_F(PipelineTest, AnExceptionBecomesA500WithoutItsText) {
  build();

  const Reply reply = call("GET", "/broken");

  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body.find("boom"), std::string::npos);
}

TEST_F(PipelineTest, BodiesOverTheLimitAreRefused) {
  build();

  EXPECT_EQ(call("POST", "/greet/1", '"' + std::string(100, 'x') + '"').status, 413);
}

TEST_F(PipelineTest, JsonIsJudged) {
  build();

  EXPECT_EQ(call("POST", "/greet/1", "{").status, 400);
  EXPECT_NE(call("POST", "/greet/1", "{").body.find("json_syntax"), std::string::npos);
  EXPECT_NE(call("POST", "/greet/1", R"({"name":"a","name":"b"})").body.find("json_duplicate"),
            std::string::npos);
  EXPECT_EQ(call("POST", "/greet/1", R"({"name":"a"})", {{"Content-Type", "text/plain"}}).status,
            415);
  EXPECT_EQ(call("POST", "/greet/1", R"({"name":"a"})",
                 {{"Content-Type", "Application/JSON; charset=UTF-8"}})
                .status,
            201);
  EXPECT_EQ(call("POST", "/greet/1", R"({"name":"a"})",
                 {{"Content-Type", "application/json; charset=latin1"}})
                .status,
            415);
}

TEST_F(PipelineTest, TokensAreRequiredWhereTheRouteSaysSo) {
  OneToken grants;
  build(access::make_token_authenticator(grants, clock_));

  const Reply missing = call("GET", "/raw");
  EXPECT_EQ(missing.status, 401);
  EXPECT_EQ(missing.headers.get("WWW-Authenticate"), "Bearer");
  EXPECT_EQ(call("GET", "/raw", "", {{"Authorization", "Bearer bad"}}).status, 401);
  const Reply good = call("GET", "/raw", "", {{"Authorization", "Bearer good"}});
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.headers.get("X-Holdfast-Space"), "team");
  EXPECT_EQ(call("GET", "/health").status, 200);
  EXPECT_EQ(call("GET", "/maybe").body, "");
  EXPECT_EQ(call("GET", "/maybe", "", {{"Authorization", "Bearer good"}}).body, "ann");
  EXPECT_EQ(call("GET", "/maybe", "", {{"Authorization", "Bearer bad"}}).status, 401);
}

TEST_F(PipelineTest, CredentialsComeBeforeJsonUnlessTheSurfaceOrdersOtherwise) {
  OneToken grants;
  build(access::make_token_authenticator(grants, clock_));
  EXPECT_EQ(call("POST", "/greet/1", "{").status, 401);

  mount_.steps = {step::check_body_size, step::read_json, step::authenticate};

  EXPECT_EQ(call("POST", "/greet/1", "{").status, 400);
  EXPECT_EQ(call("POST", "/greet/1", R"({"name":"a"})").status, 401);
}

TEST_F(PipelineTest, AStrangeHostOrOriginIsRefused) {
  build();

  for (const char* host : {"localhost", "LOCALHOST:1", "127.0.0.1:7070", "[::1]:7070", "[::1]"}) {
    EXPECT_EQ(call("GET", "/raw", "", {{"Host", host}}).status, 200) << host;
  }
  for (const char* host :
       {"evil.example", "localhost.evil.example", "127.0.0.1.evil", "localhost:x", "", "[::1"}) {
    EXPECT_EQ(call("GET", "/raw", "", {{"Host", host}}).status, 403) << host;
  }
  for (const char* origin : {"http://localhost:3000", "https://127.0.0.1", "http://[::1]:5"}) {
    EXPECT_EQ(call("GET", "/raw", "", {{"Origin", origin}}).status, 200) << origin;
  }
  for (const char* origin :
       {"null", "http://evil.example", "file://localhost", "http://localhost.evil",
        "http://a@localhost", "http://localhost/x", ""}) {
    EXPECT_EQ(call("GET", "/none", "", {{"Origin", origin}}).status, 403) << origin;
  }
  EXPECT_EQ(call("GET", "/raw", "", {{"Host", "localhost"}, {"Host", "localhost"}}).status, 400);
}

TEST_F(PipelineTest, ListedOriginsGetCorsHeaders) {
  build(access::make_open_authenticator(), {.public_url = "https://memory.example/x",
                                            .allowed_hosts = {"box.lan"},
                                            .allowed_origins = {"https://app.example"}});

  const Reply reply =
      call("GET", "/raw", "", {{"Origin", "https://app.example"}, {"Host", "memory.example"}});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.headers.get("Access-Control-Allow-Origin"), "https://app.example");
  EXPECT_EQ(call("GET", "/raw", "", {{"Host", "box.lan:80"}}).status, 200);
  EXPECT_FALSE(call("GET", "/raw", "", {{"Origin", "http://localhost"}})
                   .headers.has("Access-Control-Allow-Origin"));
  const Reply preflight =
      call("OPTIONS", "/raw", "",
           {{"Origin", "https://app.example"}, {"Access-Control-Request-Method", "GET"}});
  EXPECT_EQ(preflight.headers.get("Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
}

TEST_F(PipelineTest, OnOtherAddressesLoopbackOriginsAreStrangers) {
  build(access::make_open_authenticator(), {.listen_host = "0.0.0.0"});

  EXPECT_EQ(call("GET", "/raw", "", {{"Host", "box.lan"}, {"Origin", "http://box.lan"}}).status,
            200);
  EXPECT_EQ(call("GET", "/raw", "", {{"Host", "box.lan"}, {"Origin", "http://localhost"}}).status,
            403);
}

TEST_F(PipelineTest, WhileOpeningOnlySomeRoutesAreServed) {
  build();
  ready_ = false;

  const Reply reply = call("GET", "/raw");

  EXPECT_EQ(reply.status, 503);
  EXPECT_EQ(reply.headers.get("Retry-After"), "1");
  EXPECT_EQ(call("GET", "/health").status, 200);
  EXPECT_EQ(call("GET", "/none").status, 404);
}

TEST_F(PipelineTest, TheRateLimitMayRefuseAndAddHeaders) {
  bool spent = false;
  mount_.rate_limit = [&spent](Exchange& exchange) -> std::optional<Error> {
    exchange.reply_headers.add("X-RateLimit-Limit", "60");
    if (!spent) return std::nullopt;
    return Error{.code = ErrorCode::kRateLimited, .message = "Slower.", .retry_after_seconds = 7};
  };
  build();

  EXPECT_EQ(call("GET", "/raw").headers.get("X-RateLimit-Limit"), "60");
  spent = true;
  const Reply refused = call("GET", "/raw");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.get("Retry-After"), "7");
  EXPECT_EQ(refused.headers.get("X-RateLimit-Limit"), "60");
}

TEST_F(PipelineTest, InProcessCallsNeedNoHost) {
  build();

  EXPECT_EQ(pipeline_->handle(make_request("GET", "/raw")).status, 200);
}

TEST_F(PipelineTest, EverythingIsCounted) {
  build();
  call("GET", "/raw");
  call("GET", "/raw");
  call("GET", "/none");
  metrics_.add_gauges("holdfast_things", "Things.", [] {
    return std::vector<Metrics::Sample>{{.labels = {{"kind", "a"}}, .value = 3}};
  });

  const std::string text = metrics_.text();

  EXPECT_NE(
      text.find(
          R"(holdfast_http_requests_total{method="GET",route="/raw",status="200",surface="test"} 2)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(route="none",status="404")"), std::string::npos);
  EXPECT_NE(text.find("holdfast_http_requests_in_flight 0"), std::string::npos);
  EXPECT_NE(text.find("holdfast_things{kind=\"a\"} 3"), std::string::npos);
}

TEST_F(PipelineTest, RoutesDescribeThemselves) {
  build();

  const auto routes = describe_routes(router_);

  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].path, "/greet/{id}");
  EXPECT_EQ(routes[0].surface, "test");
  EXPECT_TRUE(routes[0].needs_token);
}

}  // namespace
}  // namespace holdfast::http
