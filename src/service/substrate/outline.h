// A document as far as a search looks at it: its members as pieces of the stored text, with no
// Value in between (docs/decisions/0002). Says the same as DocumentView of what it has.
#pragma once

#include <array>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/json_pieces.h"
#include "service/substrate/document.h"
#include "service/substrate/outline_names.h"

namespace holdfast::service::substrate {

// The text is the caller's and must outlive this. What is wrong inside of members that nobody asks
// for is not noticed.
class Outline {
 public:
  using Name = outline_names::Name;

  // Nothing if the text is no document as they are written, or has members that take more than
  // this: excerpts, the facts of a repository. DocumentView reads those, or says what is wrong.
  static std::optional<Outline> of(ObjectType type, std::string_view body);
  // The same where it is wanted: an outline is long. False if it is nothing.
  static bool read_into(std::optional<Outline>& outline, ObjectType type, std::string_view body);

  ObjectType type() const { return type_; }
  std::string_view text(Name member) const;
  std::string_view id() const { return text("id"); }
  std::string_view title() const { return title_of(*this); }
  std::string_view kind() const { return kind_of(*this); }
  std::string_view status() const { return status_of(*this); }
  std::string_view summary() const { return text("summary"); }
  // Calls use(text) for each text of a list, or for the one.
  template <typename Use>
  void each_text(Name member, Use&& use) const {
    each_text_in(json(member), use);
  }
  template <typename Use>
  void each_reference(Use&& use) const {
    for (size_t i = 0; i < kReferenceFields.size(); ++i)
      each_text_in(values_[outline_names::kFirstReference + i], use);
  }
  std::vector<DocumentView::Evidence> evidence() const;
  // As JSON; empty if there is none or it has no members.
  std::string_view payload() const;

  // Whether there is nothing but ASCII in it.
  bool is_ascii() const { return is_ascii_; }
  // Whether all texts above are pieces of body(), and all lists have texts only.
  bool is_as_written() const { return is_as_written_; }
  std::string_view body() const { return body_; }
  // The member as it is written; empty if there is none.
  std::string_view json(Name member) const;

 private:
  Outline(ObjectType type, std::string_view body) : type_(type), body_(body) {}
  bool read();
  bool add(size_t number, std::string_view value, bool has_escaped_text);
  bool add_list(size_t number, std::string_view list);
  template <typename Use>
  static void each_text_in(std::string_view value, Use&& use);

  ObjectType type_;
  bool is_ascii_ = true;
  bool is_as_written_ = true;
  std::string_view body_;  // of the caller
  std::array<std::string_view, outline_names::kCount> values_ = {};
  std::forward_list<std::string> made_;  // values whose text has escapes, without them
};

inline std::string_view Outline::json(Name member) const {
  return member.number < values_.size() ? values_[member.number] : std::string_view();
}

inline std::string_view Outline::text(Name member) const {
  const std::string_view value = json(member);
  return value.starts_with('"') ? value.substr(1, value.size() - 2) : std::string_view();
}

template <typename Use>
void Outline::each_text_in(std::string_view value, Use&& use) {
  if (value.starts_with('"')) return use(value.substr(1, value.size() - 2));
  if (!value.starts_with('[')) return;
  json_pieces::each_piece(value, [&](size_t at) {
    const size_t end = json_pieces::value_piece(value, at).end;
    if (value[at] == '"') use(value.substr(at + 1, end - at - 2));
    return end;
  });
}

}  // namespace holdfast::service::substrate
