// The Client of a request that is under way, in either era.
#pragma once

#include <memory>
#include <string>

#include "mcp/cancellation.h"
#include "mcp/client.h"
#include "mcp/outlet.h"
#include "mcp/progress_gate.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"
#include "mcp/session.h"

namespace holdfast::mcp {

// What the era knows about the client.
struct ClientTerms {
  Revision revision = kModern;
  std::shared_ptr<Session> session = {};    // nothing in the modern era
  Value capabilities = {};                  // modern: as declared in the request
  std::optional<LogLevel> log_level = {};   // nothing: no log messages
};

class ActiveClient : public Client {
 public:
  ActiveClient(const Message& request, ClientTerms terms, Outlet& outlet,
               std::shared_ptr<Cancellation> cancellation);

  bool cancelled() const override;
  bool pause(std::chrono::milliseconds time) override;
  void progress(const Progress& report) override;
  void log(LogLevel level, Value data) override;
  bool can(std::string_view capability) const override;
  bool is_modern() const override { return terms_.revision >= kModern; }
  Result<Value> ask(std::string_view method, Value params) override;
  const Value* input(std::string_view key) const override { return inputs_.find(key); }
  const Value& state() const override { return state_; }

  Revision revision() const { return terms_.revision; }
  // What the client sent with a further round.
  void set_round(Value inputs, Value state);
  // Sends what was held back; to be called before the answer.
  void finish();

 private:
  void send_progress(const Progress& report);

  const ClientTerms terms_;
  Outlet& outlet_;
  const std::shared_ptr<Cancellation> cancellation_;
  Value progress_token_;  // null: not asked for
  ProgressGate gate_;
  Value inputs_;
  Value state_;
};

// The capability that a server's request needs of a client: "elicitation" for elicitation/create.
std::string_view capability_of(std::string_view method);

}  // namespace holdfast::mcp
