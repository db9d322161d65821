// Texts that may hold secrets: findings lie inside the text and are in order, invisible characters
// hide nothing, and what was redacted stays as it is. The first byte says how often the text stands
// there, so that a rule whose cost grows faster than its text shows as a slow input.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/secret_scan.h"
#include "text/secrets.h"

using namespace holdfast;

namespace {

constexpr size_t kLongest = size_t{4} * 1024;

std::string repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times && out.size() + text.size() <= kLongest; ++i) out += text;
  return out;
}

void check_findings(const std::vector<text::SecretFinding>& findings, std::string_view text) {
  const size_t points = count_code_points(text);
  size_t last = 0;
  for (const text::SecretFinding& finding : findings) {
    HOLDFAST_ASSERT(!finding.code.empty() && !text::severity_name(finding.severity).empty());
    HOLDFAST_ASSERT(finding.length > 0 && finding.position >= last);
    HOLDFAST_ASSERT(finding.position + finding.length <= points);
    last = finding.position;
  }
}

// The text with a zero-width space behind every third code point.
std::string riddled(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view piece = prefix_code_points(text, 3);
    out += piece;
    out += "\xE2\x80\x8B";
    text.remove_prefix(piece.size());
  }
  return out;
}

bool same(const text::SecretFinding& a, const text::SecretFinding& b) {
  return a.code == b.code && a.severity == b.severity && a.position == b.position &&
         a.length == b.length;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string piece = text::decode_utf8(bytes, text::BadBytes::kReplace);
  const std::string text = repeated(piece, 1 + data[0] / 8);
  const auto findings = text::find_secrets(text);
  check_findings(findings, text);
  HOLDFAST_ASSERT(std::ranges::equal(findings, text::find_secrets(riddled(text)), same));
  const std::string redacted = text::redact_secrets(text);
  HOLDFAST_ASSERT(is_valid_utf8(redacted));
  HOLDFAST_ASSERT(text::redact_secrets(redacted) == redacted);
  return 0;
}
