// JavaScript and TypeScript by a scan of lines. Declarations are found where they are usually
// written: at the beginning of a line, after words such as `export`.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/code/code_module.h"
#include "text/lines.h"

namespace holdfast::text {
namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view skip_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// Removes a word and the blanks after it from the beginning; false if it does not stand there.
bool eat_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  if (text.size() > word.size() && is_name_char(text[word.size()])) return false;
  text = skip_blanks(text.substr(word.size()));
  return true;
}

std::string eat_name(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() && is_name_char(text[length])) ++length;
  std::string name(text.substr(0, length));
  text = skip_blanks(text.substr(length));
  return name;
}

// The text in the quotes that the argument begins with, if they close.
std::optional<std::string> quoted(std::string_view text) {
  if (text.empty() || (text[0] != '"' && text[0] != '\'' && text[0] != '`')) return std::nullopt;
  const size_t end = text.find(text[0], 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(1, end - 1));
}

// Behind the bracket that closes the one at the beginning; empty if it does not close soon.
std::string_view behind_brackets(std::string_view text) {
  constexpr size_t kLookAhead = 2000;
  int open = 0;
  for (size_t at = 0; at < std::min(text.size(), kLookAhead); ++at) {
    if (text[at] == '(') ++open;
    if (text[at] == ')' && --open == 0) return text.substr(at + 1);
  }
  return {};
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  CodeModule scan() {
    const auto lines = split_lines(text_);
    out_.parser = "lexical";
    out_.line_end = static_cast<int64_t>(lines.size());
    for (const std::string_view line : lines) {
      ++line_;
      const std::string_view trimmed = trim_space(line);
      if (comment(trimmed)) continue;
      if (trimmed.starts_with("import ") || trimmed.starts_with("export ")) add_import(trimmed);
      declaration(trimmed);
      route(trimmed);
    }
    return std::move(out_);
  }

 private:
  // Lines that are, or lie in, a comment.
  bool comment(std::string_view line) {
    const bool was_open = in_comment_;
    const bool opens = !was_open && line.starts_with("/*");
    if (was_open || opens) in_comment_ = line.find("*/", opens ? 2 : 0) == std::string_view::npos;
    return was_open || opens || line.starts_with("//");
  }

  void add_import(std::string_view line) {
    out_.imports.emplace_back(line);
    const size_t from = line.rfind(" from ");
    std::string_view place = from == std::string_view::npos ? line : line.substr(from + 6);
    if (from == std::string_view::npos && !eat_word(place, "import")) return;
    if (auto module = quoted(skip_blanks(place))) {
      out_.import_details.push_back({.kind = "import",
                                     .module = std::move(*module),
                                     .line_start = 1,
                                     .raw = std::string(line)});
    }
  }

  void declaration(std::string_view rest) {
    for (const std::string_view word : {"export", "default", "declare", "abstract"})
      eat_word(rest, word);
    if (eat_word(rest, "class")) return add_class(rest);
    if (eat_word(rest, "interface")) return add_type("interface", rest);
    if (std::string_view type = rest; eat_word(type, "type") && type.find('=') != type.npos)
      return add_type("type", type);
    if (std::string_view constant = rest; eat_word(constant, "const")) return arrow(constant);
    eat_word(rest, "async");
    if (!rest.starts_with("function")) return;
    rest.remove_prefix(8);
    if (rest.starts_with('*')) rest.remove_prefix(1);
    rest = skip_blanks(rest);
    const std::string name = eat_name(rest);
    if (!name.empty() && (rest.starts_with('(') || rest.starts_with('<'))) add("function", name);
  }

  void add_class(std::string_view rest) {
    const std::string name = eat_name(rest);
    if (name.empty() || name == "extends") return;
    add("class", name);
    const size_t extends = rest.find("extends ");
    if (extends == std::string_view::npos) return;
    rest = skip_blanks(rest.substr(extends + 8));
    const size_t end = rest.find_first_of(" \t{<(,");
    const std::string base(rest.substr(0, end));
    if (!base.empty())
      out_.inheritance.push_back({.class_name = name, .base = base, .line_start = line_});
  }

  void add_type(const std::string& kind, std::string_view rest) {
    const std::string name = eat_name(rest);
    if (name.empty()) return;
    add(kind, name);
    out_.interfaces.push_back({.name = name,
                               .kind = kind,
                               .signature = kind + ' ' + name,
                               .line_start = line_,
                               .line_end = line_});
  }

  // const name[: type] = [async] (...) =>
  void arrow(std::string_view rest) {
    const std::string name = eat_name(rest);
    const size_t equals = rest.find('=');
    const bool typed = rest.starts_with(':');
    if (name.empty() || equals == std::string_view::npos || (!typed && equals != 0)) return;
    rest = skip_blanks(rest.substr(equals + 1));
    eat_word(rest, "async");
    if (!rest.starts_with('(')) return;
    // The parameters may run over several lines of the file.
    const auto at = static_cast<size_t>(rest.data() - text_.data());
    std::string_view after = behind_brackets(text_.substr(at));
    after = after.substr(0, after.find_first_of("\n;{"));
    if (after.find("=>") != std::string_view::npos) add("function", name);
  }

  void add(const std::string& kind, const std::string& name) {
    if (kind == "class") out_.classes.push_back(name);
    if (kind == "function") out_.functions.push_back(name);
    out_.symbols.push_back({.name = name, .kind = kind, .line_start = line_, .line_end = line_});
  }

  // app.get('/path', ...) and router.post("/path", ...)
  void route(std::string_view line) {
    constexpr std::array<std::string_view, 7> kVerbs = {"get",    "post",    "put", "patch",
                                                        "delete", "options", "head"};
    for (const std::string_view owner : {"app.", "router."}) {
      const size_t found = line.find(owner);
      if (found == std::string_view::npos || (found > 0 && is_name_char(line[found - 1]))) continue;
      std::string_view rest = line.substr(found + owner.size());
      const std::string verb = eat_name(rest);
      if (std::ranges::find(kVerbs, verb) == kVerbs.end() || !rest.starts_with('(')) continue;
      const auto path = quoted(skip_blanks(rest.substr(1)));
      if (!path) continue;
      FrameworkEntry entry{
          .framework = "express", .kind = "route", .route = *path, .line_start = line_};
      for (const char c : verb) entry.method += static_cast<char>(c - 32);
      out_.framework_entries.push_back(std::move(entry));
    }
  }

  std::string_view text_;
  int64_t line_ = 0;
  bool in_comment_ = false;
  CodeModule out_ = {};
};

}  // namespace

std::optional<CodeModule> parse_script(std::string_view text) {
  CodeModule module = Scanner(text).scan();
  if (module.empty()) return std::nullopt;
  return module;
}

}  // namespace holdfast::text
