// What counts as a term in a text, and which terms are noise. Pure functions over UTF-8 text, in
// time linear to its length.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::substrate {

// Every term of a text, once for each rule that finds it: text in single backticks, runs of 2 to 6
// capitalised words, memory_<word> with a following word, commands of known tools, xx-xx markers,
// and CJK runs around certain nouns. Not yet cleaned.
std::vector<std::string> extract_terms(std::string_view text);

// Without marks and blanks at its ends, blanks squeezed, leading articles dropped.
std::string clean_term(std::string_view term);

// The key under which spellings of a term are one: cleaned, lower case, letters and digits only.
// Empty for a text without any.
std::string concept_key(std::string_view term);

// Why a cleaned term is noise (generic_term, document_artifact, ...; a literal), or empty.
std::string_view skip_reason(std::string_view cleaned);

// Words are runs of ASCII letters, digits and underscores, in lower case.
std::vector<std::string> words_of(std::string_view text);

bool has_ideograph(std::string_view text);

// True if it begins with a command of a known tool and a subcommand.
bool is_tool_command(std::string_view cleaned);

}  // namespace holdfast::service::substrate
