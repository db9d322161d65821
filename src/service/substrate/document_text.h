// The words of a document: for the index, and for the score table to look through.
#pragma once

#include <string>

#include "model/search_text.h"
#include "service/substrate/document.h"
#include "service/substrate/outline.h"

namespace holdfast::service::substrate {

SearchText search_text_of(const DocumentView& view);

// What a search looks through, in lower case.
struct Haystacks {
  std::string title = {};
  std::string summary = {};
  std::string metadata = {};
  std::string payload = {};
  std::string segments = {};
};
Haystacks haystacks_of(const DocumentView& view);
Haystacks haystacks_of(const Outline& outline);

}  // namespace holdfast::service::substrate
