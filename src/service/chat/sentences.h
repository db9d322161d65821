// An answer in the pieces in which it is streamed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/sentences.h"

namespace holdfast::service::chat {

inline std::vector<std::string> sentences_of(std::string_view text) {
  const auto views = text::split_sentences(text);
  return {views.begin(), views.end()};
}

}  // namespace holdfast::service::chat
