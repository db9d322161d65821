#include "service/continuity/capsule.h"
#include "service/continuity/document.h"
#include "service/continuity/rules.h"
#include "surface/continuity/help.h"

namespace holdfast::surface::continuity {
namespace {

using namespace service::continuity;  // NOLINT(google-build-using-namespace): all of it is theirs

class Limits {
 public:
  std::vector<Value> run() {
    walk(capsule_shape(), "");
    for (const TextLimit& limit : text_limits()) add_text(limit);
    return std::move(rows_);
  }

 private:
  Value& row(const std::string& path) {
    for (Value& one : rows_) {
      if (text_of(one, "field_path") == path) return one;
    }
    return rows_.emplace_back(Value::object({{"field_path", path}}));
  }

  void bound(const Shape& shape, const std::string& path, const char* low, const char* high) {
    if (shape.min > 0) row(path).set(low, shape.min);
    if (shape.max != INT64_MAX) row(path).set(high, shape.max);
  }

  void walk(const Shape& shape, const std::string& path) {
    switch (shape.type) {
      case Shape::Type::kText:
        if (!shape.words.empty()) row(path).set("enum", Value::array_of(shape.words));
        bound(shape, path, "min_length", "max_length");
        break;
      case Shape::Type::kInteger:
      case Shape::Type::kNumber: bound(shape, path, "minimum", "maximum"); break;
      case Shape::Type::kList:
        bound(shape, path, "min_items", "max_items");
        walk(shape.element.front(), path + "[]");
        break;
      case Shape::Type::kObject:
        for (const Member& member : shape.members)
          walk(member, path.empty() ? member.name : path + "." + member.name);
        break;
      default: break;
    }
  }

  // Rules name lists; what they limit is their elements.
  void add_text(const TextLimit& limit) {
    std::string path(limit.path);
    const std::string_view list = "continuity.negative_decisions.";
    if (path.starts_with(list)) path.insert(list.size() - 1, "[]");
    if (path.find("[]") == std::string::npos || path.ends_with("alternatives_considered") ||
        path.ends_with("depends_on"))
      path += "[]";
    if (limit.min > 0) row(path).set("min_length", limit.min);
    row(path).set("max_length", limit.max);
  }

  std::vector<Value> rows_ = {};
};

}  // namespace

std::vector<Value> capsule_limits() { return Limits().run(); }

}  // namespace holdfast::surface::continuity
