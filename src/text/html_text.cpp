#include "text/html_text.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace holdfast::text {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// `word` is in lower case.
bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, char b) { return a == lower(b); });
}

size_t find_ignoring_case(std::string_view text, std::string_view word, size_t from) {
  const auto found =
      std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), word.begin(),
                  word.end(), [](char a, char b) { return lower(a) == b; });
  return found == text.end() ? std::string_view::npos : static_cast<size_t>(found - text.begin());
}

bool is_name_char(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// An element whose content is no text of the page.
struct Hidden {
  std::string_view open;
  std::string_view close;
  bool never_closes = false;  // no closing tag further on: do not look again
};

class Reader {
 public:
  explicit Reader(std::string_view html) : html_(html) {}

  std::string read() {
    while (at_ < html_.size()) {
      if (html_[at_] != '<' || !(skip_hidden() || skip_tag())) out_ += html_[at_++];
    }
    return squeeze();
  }

 private:
  // <script ...> ... </script> and the like become a space.
  bool skip_hidden() {
    if (no_more_tags_) return false;
    for (Hidden& element : hidden_) {
      const std::string_view rest = html_.substr(at_);
      if (element.never_closes || !starts_with_word(rest, element.open)) continue;
      if (rest.size() > element.open.size() && is_name_char(rest[element.open.size()])) continue;
      const size_t open_end = html_.find('>', at_);
      if (open_end == std::string_view::npos) return false;
      const size_t close = find_ignoring_case(html_, element.close, open_end + 1);
      const size_t end = close == std::string_view::npos ? close : html_.find('>', close);
      if (end == std::string_view::npos) {
        element.never_closes = true;
        return false;
      }
      out_ += ' ';
      at_ = end + 1;
      return true;
    }
    return false;
  }

  bool skip_tag() {
    if (no_more_tags_ || at_ + 1 >= html_.size() || html_[at_ + 1] == '>') return false;
    const size_t end = html_.find('>', at_);
    if (end == std::string_view::npos) {
      no_more_tags_ = true;
      return false;
    }
    out_ += '\n';
    at_ = end + 1;
    return true;
  }

  std::string squeeze() const {
    std::string squeezed;
    squeezed.reserve(out_.size());
    size_t run = 0;
    for (const char c : out_) {
      run = c == '\n' ? run + 1 : 0;
      if (run <= 2) squeezed += c;
    }
    return std::string(trim_space(squeezed));
  }

  std::string_view html_;
  size_t at_ = 0;
  bool no_more_tags_ = false;
  std::array<Hidden, 2> hidden_ = {Hidden{.open = "<script", .close = "</script"},
                                   Hidden{.open = "<style", .close = "</style"}};
  std::string out_ = {};
};

}  // namespace

bool looks_like_html(std::string_view content_type, std::string_view body) {
  return find_ignoring_case(content_type, "html", 0) != std::string_view::npos ||
         find_ignoring_case(body, "<html", 0) != std::string_view::npos;
}

std::string html_to_text(std::string_view html) { return Reader(html).read(); }

}  // namespace holdfast::text
