// The sections of a documentation string in the style
//
//   Says what it does.
//
//   Args:
//       path: where to look
//   Returns:
//       what was found
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace holdfast::text::python {

struct DocSections {
  std::string text = {};  // without the sections below
  std::map<std::string, std::string> parameters = {};
  std::string returns = {};
};

// `doc` is dedented (clean_doc). Sections are Args, Arguments, Parameters and Returns, Return.
DocSections split_doc(std::string_view doc);

}  // namespace holdfast::text::python
