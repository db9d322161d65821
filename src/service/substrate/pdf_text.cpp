#include "service/substrate/pdf_text.h"

#include "base/child_process.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace holdfast::service::substrate {

Result<std::string> pdf_text(const std::string& bytes, size_t max_bytes) {
  auto outcome = run_child({.command = {"pdftotext", "-q", "-nopgbrk", "-enc", "UTF-8", "-", "-"},
                            .input = bytes,
                            .timeout = std::chrono::seconds(20),
                            .max_output_bytes = max_bytes,
                            .max_memory_bytes = size_t{1} << 30});
  if (!outcome && outcome.error().code == ErrorCode::kNotFound) {
    return unavailable(
        "Reading PDF files needs the program pdftotext (package poppler-utils) on the server.");
  }
  if (!outcome) return std::move(outcome).error();
  if (outcome->exit_code != 0) return std::string();
  const std::string text = text::decode_utf8(outcome->output, text::BadBytes::kReplace);
  return std::string(trim_space(text));
}

}  // namespace holdfast::service::substrate
