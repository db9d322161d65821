// A document as far as a search looks at it: its members as pieces of the stored text, with no
// Value in between (docs/decisions/0002). Says the same as DocumentView of what it has.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/substrate/document.h"

namespace holdfast::service::substrate {

// The text is the caller's and must outlive this. What is wrong inside of members that nobody asks
// for is not noticed.
class Outline {
 public:
  // Nothing if the text is no document as they are written, or has members that take more than
  // this: excerpts, the facts of a repository. DocumentView reads those, or says what is wrong.
  static std::optional<Outline> of(ObjectType type, std::string_view body);

  ObjectType type() const { return type_; }
  std::string_view text(std::string_view member) const;
  std::string_view id() const { return text("id"); }
  std::string_view title() const { return title_of(*this); }
  std::string_view kind() const { return kind_of(*this); }
  std::string_view status() const { return status_of(*this); }
  std::string summary() const { return std::string(text("summary")); }
  // Calls use(text) for each text of a list, or for the one.
  template <typename Use>
  void each_text(std::string_view member, Use&& use) const;
  std::vector<DocumentView::Evidence> evidence() const;
  // As sorted_json; empty if there is none or it has no members.
  std::string payload() const;

 private:
  struct Member {
    std::string_view name;
    std::string_view value;  // as JSON
  };

  explicit Outline(ObjectType type) : type_(type) {}
  bool read(std::string_view body);
  bool add(std::string_view name, std::string_view value);
  static uint64_t bit_of(std::string_view name);
  std::string_view find(std::string_view name) const;  // empty if there is none

  const ObjectType type_;
  std::vector<Member> members_;
  uint64_t names_ = 0;            // a quick look whether there may be one of that name
  std::deque<std::string> made_;  // values whose text has escapes, without them
};

namespace outline_detail {
// Where the value ends that begins at `at`; npos if it does not.
size_t end_of_value(std::string_view text, size_t at);
}  // namespace outline_detail

template <typename Use>
void Outline::each_text(std::string_view member, Use&& use) const {
  const std::string_view value = find(member);
  if (value.starts_with('"')) return use(value.substr(1, value.size() - 2));
  if (!value.starts_with('[')) return;
  for (size_t at = 1; value[at] != ']';) {
    const size_t end = outline_detail::end_of_value(value, at);
    if (value[at] == '"') use(value.substr(at + 1, end - at - 2));
    at = value[end] == ',' ? end + 1 : end;
  }
}

}  // namespace holdfast::service::substrate
