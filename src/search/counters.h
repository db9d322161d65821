// Numbers that change too often to be part of a document (how often an object was looked at), kept
// beside the index so that lists can be sorted by them. Whoever counts also keeps them in the store
// and brings them back at the start; an object without an entry counts 0. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "model/label.h"
#include "model/object.h"

namespace holdfast::search {

class Counters {
 public:
  using Column = std::unordered_map<ObjectNumber, int64_t>;

  // Returns the new value.
  int64_t add(const SpaceId& space, ObjectNumber number, std::string_view name, int64_t delta);
  void set(const SpaceId& space, ObjectNumber number, std::string_view name, int64_t value);
  int64_t value(const SpaceId& space, ObjectNumber number, std::string_view name) const;
  void forget(const SpaceId& space, ObjectNumber number);
  void drop(const SpaceId& space);

  // The counters of one space, standing still as long as this lives.
  class Reader {
   public:
    Reader(const Counters& counters, const SpaceId& space) HOLDFAST_NO_THREAD_SAFETY_ANALYSIS;
    // nullptr: nothing was counted by that name. Lives as long as the reader.
    const Column* column(std::string_view name) const;

   private:
    const Counters& counters_;
    const ReaderLock lock_;
    const std::map<std::string, Column, std::less<>>* columns_ = nullptr;
  };

 private:
  using Columns = std::map<std::string, Column, std::less<>>;

  Column& column(const SpaceId& space, std::string_view name) HOLDFAST_REQUIRES(mutex_);

  mutable SharedMutex mutex_;
  std::map<SpaceId, Columns> spaces_ HOLDFAST_GUARDED_BY(mutex_);
};

}  // namespace holdfast::search
