#include "storage/sqlite/object_row.h"

#include "model/json_text.h"

namespace holdfast::storage::sqlite {

Label read_label(const Row& row, int first_column) {
  return Label{.visibility = static_cast<Visibility>(row.number(first_column)),
               .sensitivity = static_cast<Sensitivity>(row.number(first_column + 1)),
               .container = row.text(first_column + 2),
               .owner = row.text(first_column + 3),
               .compartments = read_list(row.bytes(first_column + 4))};
}

Object read_object(const Row& row) {
  return Object{.key = {.kind = row.text(1), .id = row.text(2)},
                .number = row_counter(row.integer(0)),
                .revision = row.integer(3),
                .state = row.text(4),
                .body = row.text(13),
                .label = read_label(row, 5),
                .created_at = row.time(10),
                .updated_at = row.time(11),
                .position = row.integer(12)};
}

JournalEntry read_journal_entry(const Row& row, int first_column) {
  const int c = first_column;
  return JournalEntry{.position = row_counter(row.integer(c)),
                      .change = row.integer(c + 1),
                      .at = row.time(c + 2),
                      .principal = row.text(c + 3),
                      .surface = row.text(c + 4),
                      .action = row.text(c + 5),
                      .key = {.kind = row.text(c + 6), .id = row.text(c + 7)},
                      .revision = row.integer(c + 8),
                      .message = row.text(c + 9),
                      .request_id = row.text(c + 10),
                      .label = read_label(row, c + 11)};
}

std::string write_list(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  std::string json = "[";
  for (const auto& text : texts) {
    if (json.size() > 1) json += ',';
    append_json_string(json, text);
  }
  json += ']';
  return json;
}

std::vector<std::string> read_list(std::string_view json) {
  std::vector<std::string> texts;
  if (json.empty()) return texts;
  const auto value = parse_json(json);
  if (!value || value->if_array() == nullptr) return texts;
  for (const Value& element : *value->if_array()) {
    if (const auto* text = element.if_string()) texts.push_back(*text);
  }
  return texts;
}

}  // namespace holdfast::storage::sqlite
