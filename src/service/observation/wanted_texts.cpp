#include "service/observation/wanted_texts.h"

#include <algorithm>

#include "model/json_pieces.h"
#include "model/json_text.h"
#include "service/observation/observation.h"
#include "text/analyzer.h"
#include "text/simple_fold.h"

namespace holdfast::service::observation {
namespace {

bool is_plain_word(std::string_view term) {
  return term.size() > 1 && std::ranges::all_of(term, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
         });
}

// A text as it is, where it has no escapes; otherwise `room` has it then.
std::string_view text_of(std::string_view json, bool has_escapes, std::string& room) {
  if (!has_escapes) return json.substr(1, json.size() - 2);
  auto read = parse_json(json);
  if (!read || !read->is_string()) return {};
  room = *read->if_string();
  return room;
}

}  // namespace

WantedTexts::WantedTexts(const std::vector<std::string>& terms) {
  for (const std::string& term : terms) {
    terms_.push_back(text::simple_fold(term));
    index_is_sure_ = index_is_sure_ && is_plain_word(terms_.back());
    text::TokenList tokens;
    // Folded, so that capitals do not take it apart: the index knows the words whole.
    text::analyze(terms_.back(), tokens);
    for (const text::Token& token : tokens.tokens) {
      // One letter may be all that is left of a word of which the index keeps less.
      if (!token.overlay && token.size > 1) words_.emplace_back(tokens.text(token));
    }
    name_.append(terms_.back()).append(1, '\0');  // no text has one
  }
}

void WantedTexts::narrow(search::Filter& filter) const {
  filter.inside_words = words_;
  filter.inside_words_unless = Facet::of(std::string(facet::kText), std::string(kLongText));
}

// Read as far as is needed: whoever asks for a piece of text has many observations looked through.
bool WantedTexts::occur_in(std::string_view body) const {
  std::string_view title;
  std::string_view summary;
  std::string title_room;
  std::string summary_room;
  bool quarantined = false;
  const bool read = !body.empty() &&
                    json_pieces::each_member(
                        body, [&](std::string_view name, std::string_view value, bool has_escapes) {
                          if (name == "title") title = text_of(value, has_escapes, title_room);
                          if (name == "summary_md")
                            summary = text_of(value, has_escapes, summary_room);
                          if (name == "quarantined") quarantined = value == "true";
                          return true;
                        });
  if (!read || quarantined) return false;
  // Folding leaves what is folded already as it is, and most texts are.
  return all_in(title, summary) || all_in(text::simple_fold(title), text::simple_fold(summary));
}

bool WantedTexts::all_in(std::string_view title, std::string_view summary) const {
  return std::ranges::all_of(terms_, [&](const std::string& term) {
    return title.find(term) != std::string_view::npos ||
           summary.find(term) != std::string_view::npos;
  });
}

}  // namespace holdfast::service::observation
