#include "text/markdown_html.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <cmark-gfm.h>

#include "base/ascii.h"
#include "text/markdown_lines.h"
#include "text/markdown_source.h"

namespace holdfast::text {
namespace {

constexpr int kDeepest = 32;  // levels of lists and quotes; what is deeper is text
constexpr size_t kLongestLanguage = 30;

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
}

void append_link(std::string& out, std::string_view target) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : target) {
    if (is_ascii_alnum(c) || is_one_of(c, "-_.+!*(),%#@?=;:/$~&'")) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  append_escaped(out, encoded);
}

bool is_gap(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; }

// A link was judged without gaps; in its scheme they would hide from a reader what was judged.
std::string without_gaps_in_scheme(std::string target) {
  const size_t end = target.find_first_of(":/?#");
  if (end == std::string::npos || target[end] != ':') return target;
  const auto scheme_end = target.begin() + static_cast<std::ptrdiff_t>(end);
  target.erase(std::remove_if(target.begin(), scheme_end, is_gap), scheme_end);
  return target;
}

bool is_container(cmark_node_type type) {
  return type == CMARK_NODE_BLOCK_QUOTE || type == CMARK_NODE_LIST;
}

class Renderer {
 public:
  explicit Renderer(const MarkdownSource& source) : source_(source) {}

  std::string run(cmark_node* document) {
    cmark_iter* iter = cmark_iter_new(document);
    for (auto event = cmark_iter_next(iter); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iter)) {
      cmark_node* node = cmark_iter_get_node(iter);
      if (depth_ == kDeepest && event == CMARK_EVENT_ENTER &&
          is_container(cmark_node_get_type(node))) {
        deep_text(node);
        cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
      } else {
        visit(node, event == CMARK_EVENT_ENTER);
      }
    }
    cmark_iter_free(iter);
    return std::move(out_);
  }

 private:
  void visit(cmark_node* node, bool enter) {
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_IMAGE) {
      images_ += enter ? 1 : -1;
    } else if (is_container(type) || type == CMARK_NODE_ITEM) {
      visit_container(node, type, enter);
    } else if (type == CMARK_NODE_PARAGRAPH) {
      visit_paragraph(node, enter);
    } else if (type == CMARK_NODE_HEADING) {
      const int level = cmark_node_get_heading_level(node);
      out_ += (enter ? "<h" : "</h") + std::to_string(level) + (enter ? ">" : ">\n");
    } else if (type == CMARK_NODE_CODE_BLOCK) {
      code_block(node);
    } else if (type == CMARK_NODE_LINK) {
      visit_link(node, enter);
    } else if (type == CMARK_NODE_EMPH || type == CMARK_NODE_STRONG) {
      const std::string name = type == CMARK_NODE_EMPH ? "em>" : "strong>";
      if (images_ == 0) out_ += (enter ? "<" : "</") + name;
    } else if (enter) {
      visit_leaf(node, type);
    }
  }

  void visit_leaf(cmark_node* node, cmark_node_type type) {
    if (type == CMARK_NODE_SOFTBREAK || (type == CMARK_NODE_LINEBREAK && images_ > 0)) {
      out_ += '\n';
    } else if (type == CMARK_NODE_LINEBREAK) {
      out_ += "<br />\n";
    } else if (type == CMARK_NODE_CODE) {
      if (images_ == 0) out_ += "<code>";
      append_escaped(out_, literal(node));
      if (images_ == 0) out_ += "</code>";
    } else if (type == CMARK_NODE_HTML_BLOCK) {
      out_ += "<p>";
      append_escaped(out_, literal(node));
      out_ += "</p>\n";
    } else if (type == CMARK_NODE_TEXT || type == CMARK_NODE_HTML_INLINE) {
      append_escaped(out_, literal(node));
    }
  }

  // A quote or list that is too deep, as it was written. Blank lines part its text as any other.
  void deep_text(cmark_node* node) {
    if (!lines_) lines_.emplace(source_.text());
    lines_->measure(around_);
    bool open = false;
    const int end = cmark_node_get_end_line(node);
    for (int line = cmark_node_get_start_line(node); line <= end; ++line) {
      const std::string_view text = lines_->within(around_, line);
      if (text.empty()) {
        if (open) out_ += "</p>\n";
      } else {
        out_ += open ? "\n" : "<p>";
        append_escaped(out_, source_.restored(text));
      }
      open = !text.empty();
    }
    if (open) out_ += "</p>\n";
  }

  void visit_container(cmark_node* node, cmark_node_type type, bool enter) {
    if (is_container(type)) depth_ += enter ? 1 : -1;
    if (type != CMARK_NODE_LIST) {
      if (enter)
        around_.push_back({.is_quote = type == CMARK_NODE_BLOCK_QUOTE,
                           .first_line = cmark_node_get_start_line(node)});
      else
        around_.pop_back();
    }
    const bool ordered =
        type == CMARK_NODE_LIST && cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
    const std::string_view name = type == CMARK_NODE_ITEM          ? "li"
                                  : type == CMARK_NODE_BLOCK_QUOTE ? "blockquote"
                                  : ordered                        ? "ol"
                                                                   : "ul";
    if (enter && type != CMARK_NODE_ITEM && !out_.empty() && out_.back() != '\n') out_ += '\n';
    out_ += enter ? "<" : "</";
    out_ += name;
    out_ += enter && type == CMARK_NODE_ITEM ? ">" : ">\n";
  }

  void visit_paragraph(cmark_node* node, bool enter) {
    cmark_node* item = cmark_node_parent(node);
    cmark_node* list = item != nullptr ? cmark_node_parent(item) : nullptr;
    const bool tight = list != nullptr && cmark_node_get_type(list) == CMARK_NODE_LIST &&
                       cmark_node_get_list_tight(list) != 0;
    if (!tight) out_ += enter ? "<p>" : "</p>\n";
  }

  void visit_link(cmark_node* node, bool enter) {
    const std::string target = source_.restored(cmark_node_get_url(node));
    if (images_ > 0 || !is_safe_link(target)) return;
    if (!enter) {
      out_ += "</a>";
      return;
    }
    out_ += "<a href=\"";
    append_link(out_, without_gaps_in_scheme(target));
    const std::string title = source_.restored(cmark_node_get_title(node));
    if (!title.empty()) {
      out_ += "\" title=\"";
      append_escaped(out_, title);
    }
    out_ += "\">";
  }

  void code_block(cmark_node* node) {
    const std::string info = source_.restored(cmark_node_get_fence_info(node));
    const std::string_view language = std::string_view(info).substr(0, info.find_first_of(" \t\n"));
    const bool named = !language.empty() && language.size() <= kLongestLanguage &&
                       std::ranges::all_of(language, [](char c) {
                         return is_ascii_alnum(c) || is_one_of(c, "_+-");
                       });
    out_ += "<pre><code";
    if (named) {
      out_ += " class=\"language-";
      out_ += language;
      out_ += '"';
    }
    out_ += '>';
    append_escaped(out_, literal(node));
    out_ += "</code></pre>\n";
  }

  std::string literal(cmark_node* node) const {
    return source_.restored(cmark_node_get_literal(node));
  }

  const MarkdownSource& source_;
  std::string out_;
  std::optional<MarkdownLines> lines_;     // where something is too deep
  std::vector<MarkdownContainer> around_;  // the quotes and items that are open
  int depth_ = 0;
  int images_ = 0;
};

}  // namespace

std::string markdown_to_html(std::string_view markdown) {
  const MarkdownSource source(markdown);
  const std::unique_ptr<cmark_node, void (*)(cmark_node*)> document(
      cmark_parse_document(source.text().data(), source.text().size(), CMARK_OPT_DEFAULT),
      cmark_node_free);
  return Renderer(source).run(document.get());
}

bool is_safe_link(std::string_view target) {
  std::string bare;
  for (const char c : target) {
    if (!is_gap(c)) bare += c;
  }
  if (bare.starts_with("//") || bare.find('\\') != std::string::npos) return false;
  const size_t end = bare.find_first_of(":/?#");
  if (end == std::string::npos || bare[end] != ':') return true;
  std::string scheme = bare.substr(0, end);
  std::ranges::transform(scheme, scheme.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (scheme != "http" && scheme != "https") return false;
  const std::string_view rest = std::string_view(bare).substr(end + 1);
  const size_t host = rest.find_first_not_of('/');
  if (host == std::string_view::npos) return true;
  const std::string_view authority = rest.substr(host, rest.find_first_of("/?#", host) - host);
  return authority.find('@') == std::string_view::npos;
}

}  // namespace holdfast::text
