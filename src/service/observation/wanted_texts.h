// The texts that a query asks for: each must occur in title or summary, in any case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/filter.h"

namespace holdfast::service::observation {

class WantedTexts {
 public:
  explicit WantedTexts(const std::vector<std::string>& terms);

  // What the index knows of them: whatever has them all passes, and perhaps more.
  void narrow(search::Filter& filter) const;
  // Whether of plain texts (kPlainText) exactly those with all of them pass.
  bool index_is_sure() const { return index_is_sure_; }
  // Whether the stored text of an observation has them all. What may be a secret is not looked
  // into.
  bool occur_in(std::string_view body) const;
  // The same for the same texts in the same order.
  const std::string& name() const { return name_; }

 private:
  bool all_in(std::string_view title, std::string_view summary) const;

  std::vector<std::string> terms_;  // folded
  std::vector<std::string> words_;
  bool index_is_sure_ = true;
  std::string name_;
};

}  // namespace holdfast::service::observation
