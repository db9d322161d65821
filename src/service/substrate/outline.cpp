#include "service/substrate/outline.h"

#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "model/json_text.h"

namespace holdfast::service::substrate {
namespace {

constexpr std::string_view kEvidenceMember = "evidence_refs";
constexpr size_t kEvidenceNumber = outline_names::Name("evidence_refs").number;
constexpr size_t kSegmentsNumber = outline_names::Name("segments").number;

}  // namespace

std::optional<Outline> Outline::of(ObjectType type, std::string_view body) {
  std::optional<Outline> outline;
  read_into(outline, type, body);
  return outline;
}

bool Outline::read_into(std::optional<Outline>& outline, ObjectType type, std::string_view body) {
  outline.reset();
  if (type == ObjectType::kSource || !body.starts_with('{')) return false;
  outline.emplace(Outline(type, body));
  outline->is_ascii_ = holdfast::is_ascii(body);
  if ((!outline->is_ascii_ && !is_valid_utf8(body)) || !outline->read()) outline.reset();
  return outline.has_value();
}

bool Outline::read() {
  return json_pieces::each_member(
      body_, [&](std::string_view name, std::string_view value, bool has_escaped_text) {
        const size_t number = Name(name).number;
        return number == outline_names::kUnknown || add(number, value, has_escaped_text);
      });
}

bool Outline::add(size_t number, std::string_view value, bool has_escaped_text) {
  if (number == kSegmentsNumber) return value == "[]" || value == "null";
  if (has_escaped_text) {
    const auto plain = parse_json(value);
    if (!plain || !plain->is_string()) return false;
    value = made_.emplace_front("\"" + *plain->if_string() + "\"");
    is_ascii_ = is_ascii_ && holdfast::is_ascii(value);
    is_as_written_ = false;
  }
  if (value.starts_with('[') && value != "[]" && !add_list(number, value)) return false;
  if (values_[number].empty()) values_[number] = value;
  return true;
}

// Lists of texts are used as they are written.
bool Outline::add_list(size_t number, std::string_view list) {
  const bool has_escapes = list.find('\\') != std::string_view::npos;
  is_as_written_ = is_as_written_ && !has_escapes;
  if (number == kEvidenceNumber) return true;
  return !has_escapes && json_pieces::each_piece(list, [&](size_t at) {
    is_as_written_ = is_as_written_ && list[at] == '"';
    return json_pieces::value_piece(list, at).end;
  });
}

std::vector<DocumentView::Evidence> Outline::evidence() const {
  const std::string_view value = json("evidence_refs");
  if (!value.starts_with('[') || value == "[]") return {};
  auto refs = parse_json(value);
  if (!refs) return {};
  const Value json = Value::object({{kEvidenceMember, std::move(*refs)}});
  return DocumentView(type_, json).evidence();
}

std::string_view Outline::payload() const {
  const std::string_view value = json("payload");
  return value.starts_with('{') && value != "{}" ? value : std::string_view();
}

}  // namespace holdfast::service::substrate
