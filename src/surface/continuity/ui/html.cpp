#include "surface/continuity/ui/html.h"

#include "wire/query_string.h"

namespace holdfast::surface::continuity::ui {
namespace {

// Control characters have no place in a page: they become the replacement character.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '\n':
      case '\t': out += c; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += "\xEF\xBF\xBD";
        } else {
          out += c;
        }
    }
  }
}

std::string opening(const char* tag, const std::vector<Attribute>& with) {
  std::string out = "<";
  out += tag;
  for (const Attribute& attribute : with) {
    out += ' ';
    out += attribute.name;
    out += "=\"";
    append_escaped(out, attribute.value);
    out += '"';
  }
  return out += '>';
}

}  // namespace

// The only one who makes HTML of a text as it is.
struct HtmlMaker {
  static Html of(std::string source) {
    Html out;
    out.source_ = std::move(source);
    return out;
  }
};

Html::Html(std::string_view text) { append_escaped(source_, text); }
Html::Html(const std::string& text) : Html(std::string_view(text)) {}
Html::Html(const char* text) : Html(std::string_view(text)) {}

Html element(const char* tag, const Html& inner, const std::vector<Attribute>& with) {
  return HtmlMaker::of(opening(tag, with) + inner.source() + "</" + tag + ">");
}

Html lone(const char* tag, const std::vector<Attribute>& with) {
  return HtmlMaker::of(opening(tag, with));
}

std::string document(const Html& head, const Html& body) {
  return "<!doctype html>" +
         element("html", element("head", head) + element("body", body), {{"lang", "en"}}).source();
}

std::string address(std::initializer_list<std::string_view> steps) {
  std::string out = "/ui";
  for (const std::string_view step : steps) {
    out += '/';
    out += wire::percent_encode(step);
  }
  return out;
}

}  // namespace holdfast::surface::continuity::ui
