// The text of a PDF file, by poppler's pdftotext in a process of its own: a file that breaks the
// reader breaks nothing else.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::service::substrate {

// UTF-8, trimmed; empty if the file has no text or cannot be read. kUnavailable if there is no
// pdftotext program, kTooLarge beyond `max_bytes`, kDeadlineExceeded.
Result<std::string> pdf_text(const std::string& bytes, size_t max_bytes);

}  // namespace holdfast::service::substrate
