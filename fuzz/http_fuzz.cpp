// Raw bytes through framing, routing, the pipeline and a schema, without sockets. The first byte
// decides how they are cut into reads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/log.h"
#include "http/pipeline.h"
#include "http/reply_writer.h"
#include "http/request_reader.h"
#include "http/route_table.h"

using namespace holdfast;

namespace {

struct Thing {
  std::string id;
  std::string name;
  std::vector<std::string> tags;
};
struct Stored {
  std::string name;
};

class Things {
 public:
  Result<Stored> store(const CallContext&, const Thing& thing) {
    return Stored{.name = thing.name};
  }
};

const wire::Operation<Thing, Stored>& store() {
  static const wire::Operation<Thing, Stored> operation{
      .name = "store",
      .summary = "Store.",
      .request =
          wire::Schema<Thing>()
              .path("id", &Thing::id)
              .required("name", &Thing::name, wire::length(1, 9))
              .optional("tags", &Thing::tags, wire::items(0, 3), wire::each(wire::no_controls())),
      .encode = [](const Stored& stored) {
        return Value::object({{"name", stored.name}});
      }};
  return operation;
}

struct World {
  World() {
    log::configure(log::Format::kText, log::Level::kOff);
    http::RouteTable routes(router, mount);
    routes.post("/things/{id}", store(), things, &Things::store);
    routes.raw("GET", "/files/{rest...}", [](const CallContext&, const http::Request& request) {
      return http::text_reply(200, "text/plain", std::string(request.path_parameter("rest")));
    });
  }

  wire::PlainDialect dialect;
  http::SurfaceMount mount{
      .name = "fuzz", .prefixes = {"/"}, .dialect = &dialect, .body_limit = 4096};
  http::Router router{mount};
  Things things;
  SystemClock clock;
  http::Metrics metrics;
  std::unique_ptr<access::Authenticator> authenticator = access::make_open_authenticator();
};

void answer(const http::Pipeline& pipeline, http::Request& request, http::RouteMatch match) {
  const http::Reply reply = pipeline.handle(request, std::move(match));
  HOLDFAST_ASSERT(reply.status >= 200 && reply.status < 500);
  std::string text;
  http::append_head(text, reply, {});
  HOLDFAST_ASSERT(text.ends_with("\r\n\r\n") && text.find("\r\n\r\n") == text.size() - 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static World world;
  static const http::Pipeline pipeline({.router = world.router,
                                        .authenticator = *world.authenticator,
                                        .clock = world.clock,
                                        .metrics = world.metrics});
  if (size == 0) return 0;
  const size_t step = 1 + data[0];
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  http::RequestReader reader(1024);
  http::RouteMatch match;
  while (!bytes.empty()) {
    const auto space = reader.space();
    const size_t count = std::min({step, bytes.size(), space.size()});
    HOLDFAST_ASSERT(count > 0);
    std::copy_n(bytes.data(), count, space.data());
    reader.commit(count);
    bytes.remove_prefix(count);
    while (true) {
      const auto state = reader.advance();
      if (state == http::RequestReader::State::kMore) break;
      if (state == http::RequestReader::State::kHeadersDone) {
        match = pipeline.match(reader.request());
        reader.set_body_limit(4096);
        if (reader.declares_more_than(4096)) return 0;
      } else if (state == http::RequestReader::State::kDone) {
        answer(pipeline, reader.request(), std::exchange(match, {}));
        reader.next();
      } else {
        HOLDFAST_ASSERT(pipeline.refuse(reader.request(), reader.error()).status >= 400);
        return 0;
      }
    }
  }
  return 0;
}
