#include "text/analyzer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "text/characters.h"

namespace holdfast::text {
namespace {

// An identifier is broken in two beyond these, so that `a.b.c.…` of a megabyte costs what its parts
// cost.
constexpr size_t kMaxParts = 24;
constexpr size_t kMaxCompoundBytes = 240;

constexpr std::array<std::string_view, 6> kContractions = {"t", "re", "ve", "ll", "m", "d"};

uint32_t u32(size_t n) { return static_cast<uint32_t>(n); }

// The longest prefix that fits a token and does not cut a code point.
size_t cut_size(std::string_view text) {
  if (text.size() <= kMaxTokenBytes) return text.size();
  size_t size = kMaxTokenBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  return size;
}

// One pass over a text. A compound is a stretch of parts joined by joiners or by CamelCase; it is
// emitted when it ends. Its folded bytes, joiners included, lie in one piece in the output, so
// every token is a view of them.
class Pass {
 public:
  Pass(std::string_view source, TokenList& out) : source_(source), out_(out) {}

  void run() {
    while (at_ < source_.size()) {
      if (take_plain_word() || take_plain_run()) continue;
      const auto byte = static_cast<unsigned char>(source_[at_]);
      if (byte < 0x80) {
        const bool upper = byte >= 'A' && byte <= 'Z';
        take(upper ? byte + 32 : byte, upper, at_ + 1);
        at_ = std::max(at_ + 1, skip_to_);
        continue;
      }
      const FoldedChars folded = fold_char_at(source_, at_);
      const size_t next = at_ + static_cast<size_t>(folded.source_bytes);
      for (int i = 0; i < folded.count; ++i) {
        take(folded.points[static_cast<size_t>(i)], folded.upper_case, next);
      }
      at_ = std::max(next, skip_to_);
    }
    end_compound();
    end_ideographs();
  }

 private:
  struct Part {
    uint32_t begin = 0;
    uint32_t size = 0;
    uint32_t source_begin = 0;
    uint32_t source_end = 0;
    char joiner = 0;  // before it; 0 for the first and for CamelCase
  };
  struct Ideograph {
    uint32_t begin = 0;
    uint32_t source_begin = 0;
    uint32_t source_end = 0;
  };

  // Most words are a run of small ASCII letters, the first of them perhaps a capital, with a blank
  // behind it: those are a token as they stand, and nothing of a compound.
  bool take_plain_word() {
    if (!parts_.empty() || !ideographs_.empty()) return false;
    const size_t last = std::min(source_.size(), at_ + kMaxTokenBytes);
    size_t end = at_;
    const bool capital = source_[at_] >= 'A' && source_[at_] <= 'Z';
    if (capital) ++end;
    end = std::min(end_of_small(end, last), last);
    if (end == at_) return false;
    if (end < source_.size() && source_[end] != ' ' && source_[end] != '\n') return false;
    const uint32_t begin = u32(out_.folded.size());
    out_.folded.append(source_, at_, end - at_);
    if (capital) out_.folded[begin] = static_cast<char>(out_.folded[begin] + ('a' - 'A'));
    // Filled where it stays: one that is made to be copied is read while it is being written.
    Token& token = out_.tokens.emplace_back();
    token.begin = begin;
    token.size = u32(end - at_);
    token.position = out_.next_position++;
    token.source_begin = u32(at_);
    token.source_end = u32(end);
    at_ = std::min(end + 1, source_.size());
    return true;
  }

  // Small letters inside any word need none of the questions that take() asks.
  bool take_plain_run() {
    if (!in_part_ || !digit_or_lower_before_) return false;
    Part& part = parts_.back();
    const size_t room = plain_room(part);
    size_t end = at_;
    // No further than it may go: a run of a megabyte would be looked at again for each letter.
    while (end < source_.size() && end - at_ <= room && is_small(source_[end])) ++end;
    const size_t count = end - at_;
    if (count == 0 || count > room) return false;  // near a limit, go the long way
    out_.folded.append(source_, at_, count);
    part.size += u32(count);
    part.source_end = u32(end);
    last_begin_ = u32(out_.folded.size() - 1);
    last_source_ = u32(end - 1);
    at_ = end;
    return true;
  }

  // How many bytes fit before a limit is met.
  size_t plain_room(const Part& part) const {
    const size_t compound = out_.folded.size() - compound_begin_;
    if (part.size >= kMaxTokenBytes || compound >= kMaxCompoundBytes) return 0;
    return std::min(kMaxTokenBytes - part.size, kMaxCompoundBytes - compound);
  }

  // Where the small letters and digits from `at` on end, or a place beyond `last`. Sixteen at a
  // time: where a word ends is not foreseeable, so that a step for each letter costs more.
  size_t end_of_small(size_t at, size_t last) const {
#if defined(__SSE2__)
    for (; at < last && at + sizeof(__m128i) <= source_.size(); at += sizeof(__m128i)) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source_.data() + at));
      const __m128i fit = _mm_or_si128(are_within<'a', 'z'>(bytes), are_within<'0', '9'>(bytes));
      const auto others = ~static_cast<uint32_t>(_mm_movemask_epi8(fit));
      const auto count = static_cast<size_t>(std::countr_zero(others));
      if (count < sizeof(__m128i)) return at + count;
    }
#endif
    while (at < last && is_small(source_[at])) ++at;
    return at;
  }

#if defined(__SSE2__)
  template <char kFirst, char kLast>
  static __m128i are_within(__m128i bytes) {
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(kFirst));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(kLast - kFirst)), above);
  }
#endif

  static bool is_small(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

  void take(int32_t point, bool upper, size_t next) {
    switch (class_of(point)) {
      case CharClass::kLetter:
        end_ideographs();
        take_letter(point, upper, next);
        return;
      case CharClass::kIdeograph:
        end_compound();
        ideographs_.push_back({u32(out_.folded.size()), u32(at_), u32(next)});
        append_utf8(out_.folded, point);
        if (ideographs_.size() >= 256) end_ideographs();
        return;
      case CharClass::kJoiner:
        end_ideographs();
        take_joiner(static_cast<char>(point), next);
        return;
      case CharClass::kApostrophe:
        end_ideographs();
        take_apostrophe(next);
        return;
      case CharClass::kOther:
        end_compound();
        end_ideographs();
        return;
    }
  }

  void take_letter(int32_t point, bool upper, size_t next) {
    if (in_part_ && !digit_or_lower_before_ && upper_before_ && !upper && upper_run_ > 1 &&
        is_cased(point)) {
      split_before_last();  // HTTPServer: the S belongs to the second part
    } else if (in_part_ && upper && digit_or_lower_before_) {
      start_part(0);
    }
    if (!in_part_) start_part(pending_joiner_);
    if (parts_.size() > kMaxParts || out_.folded.size() - compound_begin_ > kMaxCompoundBytes) {
      break_compound();
    }
    Part& part = parts_.back();
    last_begin_ = u32(out_.folded.size());
    last_source_ = u32(at_);
    if (part.size < kMaxTokenBytes) append_utf8(out_.folded, point);
    part.size = u32(out_.folded.size()) - part.begin;
    part.source_end = u32(next);
    upper_run_ = upper ? upper_run_ + 1 : 0;
    upper_before_ = upper;
    digit_or_lower_before_ = !upper;
  }

  // Digits after capitals do not begin a word: the 8 of UTF8.
  static bool is_cased(int32_t point) { return point < '0' || point > '9'; }

  void start_part(char joiner) {
    if (parts_.empty()) compound_begin_ = out_.folded.size();
    parts_.push_back({u32(out_.folded.size()), 0, u32(at_), u32(at_), joiner});
    pending_joiner_ = 0;
    in_part_ = true;
    upper_run_ = 0;
    upper_before_ = false;
    digit_or_lower_before_ = false;
  }

  void split_before_last() {
    Part& before = parts_.back();
    if (before.size >= kMaxTokenBytes) return;
    before.size = last_begin_ - before.begin;
    before.source_end = last_source_;
    parts_.push_back(
        {last_begin_, u32(out_.folded.size()) - last_begin_, last_source_, u32(at_), 0});
  }

  // Goes on with the part that just began as the first one of a new compound.
  void break_compound() {
    const char joiner = 0;
    parts_.back().joiner = joiner;
    const Part last = parts_.back();
    parts_.pop_back();
    emit();
    parts_ = {last};
    compound_begin_ = last.begin;
    in_part_ = true;
  }

  void take_joiner(char joiner, size_t next) {
    if (!in_part_) {
      // std::vector is one identifier; two joiners otherwise end it.
      if (pending_joiner_ == ':' && joiner == ':') {
        out_.folded.push_back(joiner);
        return;
      }
      end_compound();
      return;
    }
    if (take_suffix(joiner, next)) return;
    in_part_ = false;
    pending_joiner_ = joiner;
    joiner_begin_ = out_.folded.size();
    out_.folded.push_back(joiner);
  }

  // C++, C#, F#: a short part with its sign is a name of its own.
  bool take_suffix(char sign, size_t next) {
    if (parts_.size() != 1 || parts_[0].size > 2) return false;
    const bool plus = sign == '+' && next < source_.size() && source_[next] == '+';
    const bool sharp = sign == '#' && (next >= source_.size() || !is_word_byte(source_[next]));
    if (!plus && !sharp) return false;
    const Part part = parts_[0];
    end_compound();
    const uint32_t begin = u32(out_.folded.size());
    out_.folded.append(std::string(out_.folded, part.begin, part.size)).append(plus ? "++" : "#");
    skip_to_ = plus ? next + 1 : next;
    out_.tokens.push_back({begin, u32(out_.folded.size()) - begin, out_.next_position - 1,
                           part.source_begin, u32(skip_to_), true, false});
    return true;
  }

  static bool is_word_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || class_of(byte) == CharClass::kLetter;
  }

  // Caroline's is Caroline; don't is one word; O'Brien is an identifier of two parts.
  void take_apostrophe(size_t next) {
    if (!in_part_) {
      end_compound();
      return;
    }
    std::string suffix;
    size_t end = next;
    while (end < source_.size() && suffix.size() < 4 && is_ascii_letter(source_[end])) {
      suffix.push_back(static_cast<char>(source_[end] | 0x20));
      ++end;
    }
    const bool ends_word = end >= source_.size() || !is_word_byte(source_[end]);
    if (ends_word && suffix == "s") {
      end_compound();
      skip_to_ = end;
    } else if (ends_word && std::ranges::find(kContractions, suffix) != kContractions.end()) {
      Part& part = parts_.back();
      out_.folded.append("'").append(suffix);
      part.size = u32(out_.folded.size()) - part.begin;
      part.source_end = u32(end);
      skip_to_ = end;
    } else if (suffix.empty()) {
      end_compound();
    } else {
      in_part_ = false;
      pending_joiner_ = '\'';
      joiner_begin_ = out_.folded.size();
      out_.folded.push_back('\'');
    }
  }

  static bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  void end_compound() {
    if (parts_.empty()) return;
    if (!in_part_) out_.folded.resize(joiner_begin_);  // a joiner at the end joined nothing
    emit();
  }

  void emit() {
    const uint32_t first_position = out_.next_position;
    for (const Part& part : parts_) {
      push(part.begin, part.size, out_.next_position++, part.source_begin, part.source_end, false);
    }
    if (parts_.size() > 1) emit_wholes(first_position);
    parts_.clear();
    in_part_ = false;
    pending_joiner_ = 0;
  }

  // Names inside a compound, from small to large: the CamelCase word, the step of a path, the
  // whole.
  void emit_wholes(uint32_t first_position) {
    const size_t count = parts_.size();
    size_t word = 0;
    size_t step = 0;
    for (size_t i = 1; i <= count; ++i) {
      const bool end = i == count;
      const bool path_end = end || parts_[i].joiner == '/' || parts_[i].joiner == '\\';
      if (end || parts_[i].joiner != 0) {
        if (i - word > 1 && !(word == step && path_end)) push_whole(word, i, first_position);
        word = i;
      }
      if (path_end) {
        if (i - step > 1 && !(step == 0 && end)) push_whole(step, i, first_position);
        step = i;
      }
    }
    push_whole(0, count, first_position);
  }

  void push_whole(size_t from, size_t to, uint32_t first_position) {
    const Part& first = parts_[from];
    const Part& last = parts_[to - 1];
    push(first.begin, last.begin + last.size - first.begin, first_position + u32(from),
         first.source_begin, last.source_end, true);
  }

  void push(uint32_t begin, uint32_t size, uint32_t position, uint32_t source_begin,
            uint32_t source_end, bool overlay) {
    const auto fits = u32(cut_size(std::string_view(out_.folded).substr(begin, size)));
    out_.tokens.push_back({begin, fits, position, source_begin, source_end, overlay, false});
  }

  void end_ideographs() {
    const size_t count = ideographs_.size();
    if (count == 0) return;
    const uint32_t end = u32(out_.folded.size());
    for (size_t i = 0; i < count; ++i) {
      const Ideograph& one = ideographs_[i];
      const uint32_t one_end = i + 1 < count ? ideographs_[i + 1].begin : end;
      const bool has_bigram = i + 1 < count;
      if (has_bigram) {
        const uint32_t two_end = i + 2 < count ? ideographs_[i + 2].begin : end;
        out_.tokens.push_back({one.begin, two_end - one.begin, out_.next_position, one.source_begin,
                               ideographs_[i + 1].source_end, false, false});
      }
      const bool alone = count == 1;
      out_.tokens.push_back({one.begin, one_end - one.begin, out_.next_position, one.source_begin,
                             one.source_end, !alone, !alone});
      ++out_.next_position;
    }
    ideographs_.clear();
  }

  std::string_view source_;
  TokenList& out_;
  size_t at_ = 0;
  size_t skip_to_ = 0;

  std::vector<Part> parts_;
  size_t compound_begin_ = 0;
  size_t joiner_begin_ = 0;
  char pending_joiner_ = 0;
  bool in_part_ = false;
  // Of the part under way, for CamelCase.
  bool upper_before_ = false;
  bool digit_or_lower_before_ = false;
  int upper_run_ = 0;
  uint32_t last_begin_ = 0;
  uint32_t last_source_ = 0;

  std::vector<Ideograph> ideographs_;
};

}  // namespace

void analyze(std::string_view source, TokenList& out) {
  constexpr size_t kMaxBytes = std::numeric_limits<uint32_t>::max() / 4;
  Pass(source.substr(0, kMaxBytes), out).run();
}

}  // namespace holdfast::text
