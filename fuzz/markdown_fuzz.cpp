// Markdown from anybody becomes HTML for anybody: only the listed elements and attributes, closed
// in the order in which they were opened, and links that lead nowhere unsafe.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/utf8.h"
#include "text/markdown_html.h"

using namespace holdfast;

namespace {

constexpr std::array<std::string_view, 16> kElements = {
    "p",  "strong",     "em", "code", "pre", "ul", "ol", "li",
    "h1", "blockquote", "a",  "h2",   "h3",  "h4", "h5", "h6"};

constexpr int kDeepest = 32;  // lists and quotes within each other

bool is_nesting(std::string_view element) {
  return element == "ul" || element == "ol" || element == "blockquote";
}

std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kEntities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}};
  std::string out;
  while (!text.empty()) {
    const auto* entity = std::ranges::find_if(
        kEntities, [&](const auto& known) { return text.starts_with(known.first); });
    const bool known = entity != kEntities.end();
    HOLDFAST_ASSERT(known || text.front() != '&');
    out += known ? entity->second : text.front();
    text.remove_prefix(known ? entity->first.size() : 1);
  }
  return out;
}

// Takes ` name="value"` from the front of `rest`.
std::string take_attribute(std::string_view& rest, std::string_view name) {
  const std::string begin = " " + std::string(name) + "=\"";
  if (!rest.starts_with(begin)) return {};
  rest.remove_prefix(begin.size());
  const size_t end = rest.find('"');
  HOLDFAST_ASSERT(end != std::string_view::npos);
  std::string value = unescaped(rest.substr(0, end));
  rest.remove_prefix(end + 1);
  return value;
}

// As a browser sees it: a scheme is a letter and what may follow one, up to the colon.
bool leads_to_the_web(std::string_view link) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto in_scheme = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  if (link.starts_with("//") || link.find('\\') != std::string_view::npos) return false;
  std::string scheme(link.substr(0, link.find(':')));
  const bool absolute = scheme.size() < link.size() && !scheme.empty() &&
                        is_letter(scheme.front()) && std::ranges::all_of(scheme, in_scheme);
  for (char& c : scheme) c = static_cast<char>(c | 0x20);
  return !absolute || scheme == "http" || scheme == "https";
}

// What stands behind the name of an opening tag.
void check_attributes(std::string_view element, std::string_view rest) {
  if (element == "a") {
    HOLDFAST_ASSERT(rest.starts_with(" href=\""));
    HOLDFAST_ASSERT(leads_to_the_web(take_attribute(rest, "href")));
    take_attribute(rest, "title");
  } else if (element == "code" && !rest.empty()) {
    HOLDFAST_ASSERT(take_attribute(rest, "class").starts_with("language-"));
  }
  HOLDFAST_ASSERT(rest.empty());
}

void check_html(std::string_view html) {
  std::vector<std::string_view> open;
  for (size_t at = html.find_first_of("<>"); at != std::string_view::npos;
       at = html.find_first_of("<>", at)) {
    HOLDFAST_ASSERT(html[at] == '<');
    const size_t end = html.find('>', at);
    HOLDFAST_ASSERT(end != std::string_view::npos);
    const std::string_view tag = html.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag == "br /") continue;
    if (tag.starts_with('/')) {
      HOLDFAST_ASSERT(!open.empty() && open.back() == tag.substr(1));
      open.pop_back();
      continue;
    }
    const std::string_view element = tag.substr(0, tag.find(' '));
    HOLDFAST_ASSERT(std::ranges::find(kElements, element) != kElements.end());
    check_attributes(element, tag.substr(element.size()));
    open.push_back(element);
    HOLDFAST_ASSERT(std::ranges::count_if(open, is_nesting) <= kDeepest);
  }
  HOLDFAST_ASSERT(open.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view markdown(reinterpret_cast<const char*>(data), size);
  const std::string html = text::markdown_to_html(markdown);
  check_html(html);
  HOLDFAST_ASSERT(!is_valid_utf8(markdown) || is_valid_utf8(html));
  HOLDFAST_ASSERT(text::markdown_to_html(markdown) == html);
  return 0;
}
