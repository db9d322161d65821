#include "service/continuity/described_object.h"

#include "model/json_text.h"
#include "service/continuity/document.h"
#include "service/continuity/repository_file.h"
#include "service/continuity/schedule_service.h"
#include "service/continuity/task_service.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {
namespace {

constexpr size_t kEnoughBytes = 1200;  // for the longest snippet

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && !out.ends_with(' ')) out += ' ';
  }
  return out;
}

// The first texts of a body, whatever noun it is of.
void collect_texts(const Value& value, std::string& out) {
  if (out.size() > kEnoughBytes) return;
  if (const std::string* text = value.if_string()) {
    out += *text;
    out += ' ';
  } else if (const auto* members = value.if_object()) {
    for (const auto& member : *members) collect_texts(member.value, out);
  } else if (const auto* elements = value.if_array()) {
    for (const Value& element : *elements) collect_texts(element, out);
  }
}

}  // namespace

DescribedObject describe(const Object& object) {
  const std::string& kind = object.key.kind;
  DescribedObject found{.path = "memory/" + kind + "/" + object.key.id, .type = kind};
  const Value body = parse_json(object.body).value_or(Value());
  const Value* inner = body.find("body");
  if (kind == file_noun().kind) {
    const auto file = storage::value_of(file_noun(), object);
    if (file) {
      const FrontMatter matter = front_matter(*file);
      found.path = file->path;
      found.type = matter.type;
      found.text = one_line(matter.rest);
      found.tags = Value::array_of(matter.tags);
      if (matter.importance) found.importance = *matter.importance;
    }
  } else if (kind == task_noun().kind && inner != nullptr) {
    found.path = task_path(*inner);
    found.type = "tasks";
    found.text = one_line(text_of(*inner, "title") + " " + text_of(*inner, "description"));
  } else if (kind == reminder_noun().kind && inner != nullptr) {
    found.path = "memory/schedule/" + object.key.id;
    found.guard = kSchedulePath;
    found.text = one_line(text_of(*inner, "title") + " " + text_of(*inner, "note"));
  } else {
    collect_texts(body, found.text);
    found.text = one_line(found.text);
  }
  if (found.guard.empty()) found.guard = found.path;
  return found;
}

}  // namespace holdfast::service::continuity
