// Markdown to HTML that can be shown to anybody: CommonMark with raw HTML switched off, links that
// lead nowhere but to the web, and a short list of elements.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

// Elements: p br strong em code pre ul ol li blockquote a h1 to h6; attributes: href and title of
// a, class of code. The same text always gives the same bytes. Any bytes are allowed.
// Lists and quotes are elements up to 32 within each other; what is deeper is shown as it was
// written.
std::string markdown_to_html(std::string_view markdown);

// Whether a link may be kept: relative, http or https, without user names, tricks with backslashes
// or another host by `//`.
bool is_safe_link(std::string_view target);

}  // namespace holdfast::text
