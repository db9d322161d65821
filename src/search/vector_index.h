// Vectors of one space's objects and the graph (HNSW) that finds near ones. Off unless somebody
// adds vectors.
//
// The vectors themselves are kept in one file of fixed records: they cost money to make again. The
// graph is derived: it is saved by close(), used once by the next open() and made anew from the
// vectors otherwise. A vector that was removed is overwritten in both before remove() returns.
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "model/object.h"

namespace holdfast::search {

struct VectorOptions {
  std::string folder = {};  // empty: nothing is kept on disk
  size_t dimensions = 0;
  std::string model = {};  // vectors of another model in the folder are discarded
};

struct NearVector {
  ObjectNumber number = 0;
  double similarity = 0;  // cosine
};

class VectorIndex {
 public:
  explicit VectorIndex(VectorOptions options);
  ~VectorIndex();

  // Reads what the folder has. Records that are damaged are dropped (their objects need a new
  // vector), with a line in the log. kInternal if the folder cannot be used.
  Status open();
  // Makes everything durable and saves the graph.
  Status close();

  // Adds or replaces. `content` is a hash of what the vector was made of. kInvalidArgument for
  // another length, or numbers that are not finite or all zero.
  Status add(ObjectNumber number, uint64_t content, std::span<const float> vector);
  // Durable when it returns. Fine if there is none.
  Status remove(ObjectNumber number);
  bool has(ObjectNumber number) const;
  // Removes the vectors of objects whose content `keep` does not know.
  Status prune(const std::function<bool(ObjectNumber, uint64_t content)>& keep);
  size_t size() const;
  size_t dimensions() const { return options_.dimensions; }

  // The k nearest of those that `allowed` lets pass, nearest first. The filter is asked inside the
  // walk, so hidden objects neither come back nor take places.
  std::vector<NearVector> search(std::span<const float> vector, size_t k,
                                 const std::function<bool(ObjectNumber)>& allowed) const;

 private:
  class Graph;

  Status read_vectors() HOLDFAST_REQUIRES(mutex_);
  Status write_record(size_t slot, ObjectNumber number, uint64_t content,
                      std::span<const float> vector) HOLDFAST_REQUIRES(mutex_);
  size_t record_bytes() const;
  std::string header() const;

  const VectorOptions options_;
  mutable SharedMutex mutex_;
  std::unique_ptr<Graph> graph_ HOLDFAST_GUARDED_BY(mutex_);
  struct Slot {
    size_t place = 0;
    uint64_t content = 0;
  };
  std::unordered_map<ObjectNumber, Slot> slots_ HOLDFAST_GUARDED_BY(mutex_);
  std::vector<size_t> free_slots_ HOLDFAST_GUARDED_BY(mutex_);
  size_t slot_count_ HOLDFAST_GUARDED_BY(mutex_) = 0;
  int file_ HOLDFAST_GUARDED_BY(mutex_) = -1;
};

}  // namespace holdfast::search
