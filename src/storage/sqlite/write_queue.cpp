#include "storage/sqlite/write_queue.h"

#include <algorithm>

namespace holdfast::storage::sqlite {

const std::shared_ptr<WriteBatch>& WriteQueue::open_batch() {
  if (batches_.empty() || batches_.back()->requests.size() >= most_) {
    batches_.push_back(std::make_shared<WriteBatch>());
  }
  return batches_.back();
}

std::shared_ptr<WriteBatch> WriteQueue::take_first() {
  std::shared_ptr<WriteBatch> batch = std::move(batches_.front());
  batches_.pop_front();
  waiting_ -= batch->requests.size();
  return batch;
}

Status WriteQueue::submit(const CallContext& call, const WriteClosure& closure) {
  std::shared_ptr<WriteBatch> batch;
  WriteRequest* request = nullptr;
  size_t place = 0;  // in the batch
  bool enough = false;
  bool alone = false;
  {
    MutexLock lock(mutex_);
    if (closed_) return unavailable("The store is shutting down.");
    if (waiting_ >= limit_) {
      return unavailable("Too many writes are waiting; try again in a moment.");
    }
    batch = open_batch();
    place = batch->requests.size();
    request = &batch->requests.emplace_back(call, closure);
    ++waiting_;
    alone = writing_ == Who::kNobody && !crowded_ && !untidy_ && waiting_ == 1;
    if (alone) {
      writing_ = Who::kCaller;
      take_first();
    }
    enough = writing_ != Who::kCaller && waiting_ == wanted_;
  }
  if (alone) return write_alone(*batch);
  if (enough) filled_.notify_one();  // not under the lock, which the writer needs to wake up
  if (!batch->answered.wait_until(place, call.deadline) && request->give_up()) {
    return Error{.code = ErrorCode::kDeadlineExceeded,
                 .message = "The write waited longer than the call allows; nothing was changed."};
  }
  static_cast<void>(batch->answered.wait_until(place, kNoDeadline));
  return std::move(request->result);
}

Status WriteQueue::write_alone(WriteBatch& batch) noexcept {
  const bool untidy = write_here_(batch);
  bool wake = false;
  {
    MutexLock lock(mutex_);
    writing_ = Who::kNobody;
    untidy_ = untidy;
    wake = has_work();
  }
  if (wake) filled_.notify_one();
  return std::move(batch.requests.front().result);
}

bool WriteQueue::wait(MutexLock& lock, Deadline until) {
  if (until != kNoDeadline) return filled_.wait_until(lock, until);
  filled_.wait(lock);
  return true;
}

std::shared_ptr<WriteBatch> WriteQueue::next(Deadline until, const Gathering& gathering) {
  MutexLock lock(mutex_);
  writing_ = Who::kNobody;
  crowded_ = gathering.callers > 1;
  most_ = gathering.writes;
  // Whoever is writing is waited for, also when the time has come.
  bool due = false;
  while (writing_ == Who::kCaller || !(has_work() || due)) {
    due = !wait(lock, writing_ == Who::kCaller ? kNoDeadline : until) || due;
  }
  writing_ = Who::kThread;
  untidy_ = false;
  if (waiting_ == 0) return nullptr;
  const auto enough = std::chrono::steady_clock::now() + gathering.at_most;
  wanted_ = std::min(gathering.callers, gathering.writes);
  while (waiting_ < wanted_ && !closed_) {
    if (!filled_.wait_until(lock, enough)) break;
  }
  wanted_ = 1;
  return take_first();
}

size_t WriteQueue::waiting() const {
  MutexLock lock(mutex_);
  return waiting_;
}

void WriteQueue::close() {
  MutexLock lock(mutex_);
  closed_ = true;
  filled_.notify_all();
}

bool WriteQueue::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

}  // namespace holdfast::storage::sqlite
