#include "mcp/session_table.h"

#include "base/digest.h"

namespace holdfast::mcp {
namespace {

constexpr size_t kIdBytes = 24;

void close_all(const std::vector<std::shared_ptr<Session>>& sessions) {
  for (const auto& session : sessions) session->close();
}

}  // namespace

std::shared_ptr<Session> SessionTable::create(const PrincipalId& principal) {
  auto session =
      std::make_shared<Session>(base64url_encode(random_bytes(kIdBytes)), principal, clock_);
  Found expired;
  {
    MutexLock lock(mutex_);
    expired = take_expired(1);
    by_id_[session->id()] = order_.insert(order_.end(), session);
    if (stopping_) session->stop_asking();
  }
  close_all(expired);
  return session;
}

std::shared_ptr<Session> SessionTable::find(const std::string& id, const PrincipalId& principal) {
  Found expired;
  std::shared_ptr<Session> session;
  {
    MutexLock lock(mutex_);
    expired = take_expired(0);
    const auto it = by_id_.find(id);
    const bool known = it != by_id_.end() && (*it->second)->principal() == principal;
    if (known && (*it->second)->is_expired()) {
      take_out(it->second, expired);
    } else if (known) {
      session = *it->second;
      session->touch();
      order_.splice(order_.end(), order_, it->second);
    }
  }
  close_all(expired);
  return session;
}

bool SessionTable::remove(const std::string& id, const PrincipalId& principal) {
  const auto session = find(id, principal);
  if (!session) return false;
  {
    MutexLock lock(mutex_);
    const auto it = by_id_.find(id);
    if (it == by_id_.end()) return false;
    order_.erase(it->second);
    by_id_.erase(it);
  }
  session->close();
  return true;
}

void SessionTable::stop_asking() {
  MutexLock lock(mutex_);
  stopping_ = true;
  for (const auto& session : order_) session->stop_asking();
}

size_t SessionTable::size() const {
  MutexLock lock(mutex_);
  return order_.size();
}

SessionTable::Order::iterator SessionTable::take_out(Order::iterator entry, Found& out) {
  out.push_back(*entry);
  by_id_.erase((*entry)->id());
  return order_.erase(entry);
}

SessionTable::Found SessionTable::take_expired(size_t room_for) {
  Found out;
  while (!order_.empty() && order_.front()->is_expired()) take_out(order_.begin(), out);
  auto entry = order_.begin();
  while (order_.size() + room_for > max_sessions_ && entry != order_.end()) {
    entry = (*entry)->is_busy() ? std::next(entry) : take_out(entry, out);
  }
  // All of them busy: the one used longest ago makes way all the same.
  while (order_.size() + room_for > max_sessions_ && !order_.empty()) take_out(order_.begin(), out);
  return out;
}

}  // namespace holdfast::mcp
