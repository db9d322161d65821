// A small endpoint of our own in place of a model's: what it answers is the test's to say.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "model/value.h"

namespace holdfast::testing {

// Serves one connection at a time on loopback until it goes.
class ModelEndpoint {
 public:
  struct Answer {
    int status = 200;
    Value body = {};
  };
  // Told the body of each POST. Called on the endpoint's own thread.
  using Handler = std::function<Answer(const Value& body)>;

  explicit ModelEndpoint(Handler handler);
  ~ModelEndpoint();
  ModelEndpoint(const ModelEndpoint&) = delete;
  ModelEndpoint& operator=(const ModelEndpoint&) = delete;

  std::string base_url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

 private:
  void serve();
  void answer(int connection);

  const Handler handler_;
  int listener_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace holdfast::testing
