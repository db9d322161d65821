// Decisions, outcomes and constraints as a model reads them. What it quotes must be in the item,
// and a decision must also be one by the rules: a model may word things better, it may not invent.
#pragma once

#include "embed/completer.h"
#include "service/recall/extract.h"

namespace holdfast::service::recall {

class ModelExtractor {
 public:
  // `model` empty: the completer's own.
  ModelExtractor(embed::Completer& completer, std::string model, std::chrono::milliseconds timeout)
      : completer_(completer), model_(std::move(model)), timeout_(timeout) {}

  // Waits for the network. kCorrupted for an answer that cannot be used; otherwise as
  // Completer::complete. Facts and notes come from the rules.
  Result<std::vector<Draft>> extract(const Item& item) const;

 private:
  embed::Completer& completer_;
  const std::string model_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace holdfast::service::recall
