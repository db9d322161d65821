// Keeps a vector for every searchable object, in the background. Vectors are derived like the index
// itself: what a crash or an unreachable endpoint left without one is found and made up for at the
// next start. Off by default.
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "embed/embedder.h"
#include "search/index.h"
#include "search/source.h"
#include "storage/change.h"

namespace holdfast::service {

// Thread-safe. Everything given outlives it.
class EmbeddingService : public storage::CommitListener {
 public:
  EmbeddingService(embed::Embedder& embedder, search::Index& index, search::DocumentSource& source)
      : embedder_(embedder), index_(index), source_(source) {}
  ~EmbeddingService() override { stop(); }

  // Starts the worker, which first looks for objects without a vector. After Index::open.
  void start();
  void stop();

  // Queues what changed. Never waits: beyond kMaxWaiting texts the worker looks through the store
  // again instead.
  void on_commit(const std::vector<storage::Change>& changes) override;

  // The query as a vector; errors are the provider's, and mean: search without.
  Result<embed::Vector> embed_query(const std::string& text, Deadline deadline) const;

  // False while objects wait for their vectors.
  bool caught_up() const;
  // False from a failed call of the provider to the next one that succeeds.
  bool provider_ok() const { return provider_ok_; }

  static constexpr size_t kMaxWaiting = 10'000;
  static constexpr size_t kBatch = 32;

 private:
  struct Waiting {
    SpaceId space = {};
    ObjectNumber number = 0;
    std::string text = {};
  };

  void work();
  // False when stopping.
  bool embed(const std::vector<Waiting>& batch);
  bool pause(std::chrono::milliseconds time);
  Status look_for_missing();
  Status look_through(const SpaceId& space);

  embed::Embedder& embedder_;
  search::Index& index_;
  search::DocumentSource& source_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Waiting> waiting_ HOLDFAST_GUARDED_BY(mutex_);
  bool look_again_ HOLDFAST_GUARDED_BY(mutex_) = true;
  bool busy_ HOLDFAST_GUARDED_BY(mutex_) = false;
  bool stopping_ HOLDFAST_GUARDED_BY(mutex_) = false;
  mutable std::atomic<bool> provider_ok_ = true;
  std::thread worker_;
};

}  // namespace holdfast::service
