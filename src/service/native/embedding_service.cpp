#include "service/native/embedding_service.h"

#include <algorithm>

#include "base/log.h"
#include "base/utf8.h"

namespace holdfast::service {
namespace {

constexpr size_t kMaxTextPoints = 8000;
constexpr size_t kSourcePage = 200;
constexpr std::chrono::milliseconds kFirstPause{500};
constexpr std::chrono::milliseconds kLongestPause{60'000};
constexpr std::chrono::seconds kBatchLimit{120};

std::string text_of(const SearchText& text) {
  std::string out = text.title;
  for (const std::string* part : {&text.summary, &text.body}) {
    if (!part->empty()) out += (out.empty() ? "" : "\n") + *part;
  }
  return std::string(prefix_code_points(out, kMaxTextPoints));
}

}  // namespace

void EmbeddingService::start() {
  worker_ = std::thread([this] { work(); });
}

void EmbeddingService::stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

void EmbeddingService::on_commit(const std::vector<storage::Change>& changes) {
  MutexLock lock(mutex_);
  for (const auto& change : changes) {
    if (change.what != storage::Change::What::kPut) continue;
    std::string text = text_of(change.projection.text);
    if (text.empty()) continue;
    if (waiting_.size() >= kMaxWaiting) {
      look_again_ = true;
      break;
    }
    waiting_.push_back(
        {.space = change.space, .number = change.object.number, .text = std::move(text)});
  }
  changed_.notify_all();
}

Result<embed::Vector> EmbeddingService::embed_query(const std::string& text,
                                                    Deadline deadline) const {
  auto vectors = embedder_.embed({std::string(prefix_code_points(text, kMaxTextPoints))}, deadline);
  provider_ok_ = vectors.has_value();
  if (!vectors) return std::move(vectors).error();
  return std::move(vectors->front());
}

bool EmbeddingService::caught_up() const {
  MutexLock lock(mutex_);
  return !look_again_ && !busy_ && waiting_.empty();
}

void EmbeddingService::work() {
  for (;;) {
    std::vector<Waiting> batch;
    bool look = false;
    {
      MutexLock lock(mutex_);
      busy_ = false;
      while (!stopping_ && !look_again_ && waiting_.empty()) changed_.wait(lock);
      if (stopping_) return;
      busy_ = true;
      look = std::exchange(look_again_, false);
      while (!look && !waiting_.empty() && batch.size() < kBatch) {
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
    }
    if (look) {
      if (const Status looked = look_for_missing(); !looked) {
        log::warn("embedding_catch_up_failed", {{"error", looked.error().message}});
      }
    } else if (!embed(batch)) {
      return;
    }
  }
}

bool EmbeddingService::embed(const std::vector<Waiting>& batch) {
  std::vector<std::string> texts;
  texts.reserve(batch.size());
  for (const Waiting& item : batch) texts.push_back(item.text);
  for (auto wait = kFirstPause;; wait = std::min(wait * 2, kLongestPause)) {
    const auto vectors = embedder_.embed(texts, std::chrono::steady_clock::now() + kBatchLimit);
    provider_ok_ = vectors.has_value();
    if (vectors) {
      for (size_t i = 0; i < batch.size(); ++i) {
        const Status added = index_.add_vector(batch[i].space, batch[i].number, (*vectors)[i]);
        // Not found: the object went meanwhile.
        if (!added && added.error().code != ErrorCode::kNotFound) {
          log::warn("embedding_not_added", {{"error", added.error().message}});
        }
      }
      return true;
    }
    log::warn("embedding_failed", {{"error", vectors.error().message}, {"texts", batch.size()}});
    if (vectors.error().code == ErrorCode::kInvalidArgument)
      return true;  // refused for good; the next may be fine
    if (!pause(wait)) return false;
  }
}

bool EmbeddingService::pause(std::chrono::milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  MutexLock lock(mutex_);
  while (!stopping_ && changed_.wait_until(lock, until)) {
  }
  return !stopping_;
}

Status EmbeddingService::look_for_missing() {
  HOLDFAST_TRY(const auto spaces, source_.spaces());
  for (const SpaceId& space : spaces) HOLDFAST_CHECK_OK(look_through(space));
  return {};
}

Status EmbeddingService::look_through(const SpaceId& space) {
  for (ObjectNumber after = 0;;) {
    HOLDFAST_TRY(const auto page, source_.objects_after(space, after, kSourcePage));
    if (page.empty()) return {};
    std::vector<Waiting> batch;
    for (const auto& item : page) {
      after = item.object.number;
      std::string text = text_of(item.projection.text);
      if (text.empty() || index_.has_vector(space, after)) continue;
      batch.push_back({.space = space, .number = after, .text = std::move(text)});
      if (batch.size() < kBatch) continue;
      if (!embed(batch)) return {};
      batch.clear();
    }
    if (!batch.empty() && !embed(batch)) return {};
  }
}

}  // namespace holdfast::service
