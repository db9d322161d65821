// Any object of the memory as a document of a context.
#pragma once

#include <string>

#include "model/object.h"
#include "model/value.h"

namespace holdfast::service::continuity {

// An object as a document: where it is and how it begins.
struct DescribedObject {
  std::string path = {};
  std::string guard = {};  // the path that namespaces are compared with
  std::string type = {};
  std::string text = {};
  Value tags = Value::array();
  Value importance = {};
};
DescribedObject describe(const Object& object);

}  // namespace holdfast::service::continuity
