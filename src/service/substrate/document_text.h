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
// The same of a graph's record: its metadata is type, kind, status and evidence, and it has no
// segments.
Haystacks record_haystacks_of(const DocumentView& view);

// The payload of a document as Haystacks have it.
std::string payload_of(const Outline& outline);
// The same as it is written, if it differs in the order of its pieces at most. Empty otherwise.
std::string_view plain_payload_of(const Outline& outline);

// Ids, names and other words about a document, evidence excepted. Some may come twice.
template <typename View, typename Use>
void each_named_word(const View& view, Use&& use) {
  const auto use_given = [&](std::string_view word) {
    if (!word.empty()) use(word);
  };
  use(view.id());
  use(type_name(view.type()));
  use_given(view.text("kind"));
  use_given(view.text("status"));
  use_given(view.text("lifecycle_state"));
  use_given(view.text("identity_key"));
  view.each_text("aliases", use);
  view.each_reference(use);
  view.each_text("scope_refs", use);
  view.each_text("artifact_refs", use);
}
template <typename View, typename Use>
void each_evidence_word(const View& view, Use&& use) {
  for (const auto& ref : view.evidence()) {
    use(ref.source_id);
    use(ref.segment_id);
  }
}

}  // namespace holdfast::service::substrate
