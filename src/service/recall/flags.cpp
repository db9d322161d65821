#include "service/recall/flags.h"

#include <algorithm>
#include <set>

namespace holdfast::service::recall {
namespace {

constexpr auto kFlagWindow = std::chrono::hours(24 * 30);
constexpr int64_t kEnoughSources = 2;
constexpr size_t kMostFlags = 1000;

bool is_same(const Flag& a, const Flag& b) {
  return a.source_ref == b.source_ref && a.reason == b.reason && a.immediate == b.immediate;
}

// The oldest of which the source has a newer one, else the oldest of all.
std::vector<Flag>::iterator least_of(std::vector<Flag>& flags) {
  std::set<std::string_view> newer;
  auto least = flags.begin();
  for (auto it = flags.end(); it != flags.begin();) {
    --it;
    if (!newer.insert(it->source_ref).second) least = it;
  }
  return least;
}

}  // namespace

bool add_flag(Memory& memory, Flag flag) {
  std::vector<Flag>& flags = memory.flags;
  if (std::ranges::any_of(flags, [&](const Flag& one) { return is_same(one, flag); })) return false;
  if (flags.size() >= kMostFlags) {
    flags.erase(least_of(flags));
    ++memory.flags_dropped;
  }
  flags.push_back(std::move(flag));
  return true;
}

int64_t flag_count(const Memory& memory) {
  return memory.flags_dropped + static_cast<int64_t>(memory.flags.size());
}

int64_t flag_sources(const Memory& memory, Timestamp now) {
  std::set<std::string_view> sources;
  for (const Flag& flag : memory.flags) {
    if (flag.at + kFlagWindow > now) sources.insert(flag.source_ref);
  }
  return static_cast<int64_t>(sources.size());
}

bool is_refuted(const Memory& memory, const Flag& newest, Timestamp now) {
  return newest.immediate || flag_sources(memory, now) >= kEnoughSources;
}

}  // namespace holdfast::service::recall
