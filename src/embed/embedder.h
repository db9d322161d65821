// Texts as vectors. Optional everywhere: without a provider, search is lexical and complete.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::embed {

using Vector = std::vector<float>;

// Thread-safe.
class Embedder {
 public:
  virtual ~Embedder() = default;
  // The length of every vector.
  virtual size_t dimensions() const = 0;
  // Names what made a vector: vectors of different models are never compared.
  virtual std::string model() const = 0;
  // One vector a text, in order. kUnavailable (try later), kDeadlineExceeded, kInvalidArgument
  // (refused for good), kCorrupted (an answer that cannot be right). Waits for the network: never
  // call it inside a write.
  virtual Result<std::vector<Vector>> embed(const std::vector<std::string>& texts,
                                            Deadline deadline) = 0;
};

}  // namespace holdfast::embed
