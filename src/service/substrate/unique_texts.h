// Texts in the order of their arrival, each once. Short lists are searched, long ones hashed: what
// a caller sends may have any length.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace holdfast::service::substrate {

class UniqueTexts {
 public:
  // False if it was there already.
  bool add(std::string_view text) {
    if (list_.size() < kShort) {
      if (std::ranges::find(list_, text) != list_.end()) return false;
    } else {
      if (known_.empty()) known_.insert(list_.begin(), list_.end());
      if (!known_.emplace(text).second) return false;
    }
    list_.emplace_back(text);
    return true;
  }
  template <typename Range>
  void add_all(const Range& texts) {
    for (const auto& text : texts) add(text);
  }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  static constexpr size_t kShort = 24;

  std::vector<std::string> list_;
  std::unordered_set<std::string> known_;  // filled once the list is long
};

}  // namespace holdfast::service::substrate
