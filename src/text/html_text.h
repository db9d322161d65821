// The readable part of an HTML page, by the plain rule that the memory-substrate interface
// publishes: no tree is built, and entities stay as they are written.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::text {

// True if the media type says so or an <html tag appears.
bool looks_like_html(std::string_view content_type, std::string_view body);

// script and style elements with their content become a space, every other tag a line end; three
// or more line ends become two; trimmed. A tag that never ends is text. Linear time.
std::string html_to_text(std::string_view html);

}  // namespace holdfast::text
