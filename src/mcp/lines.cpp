#include "mcp/lines.h"

#include <cerrno>

#include <unistd.h>

namespace holdfast::mcp {

void LineReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    keep(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    end_line();
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::finish() {
  if (!line_.empty() || skipping_) end_line();
}

void LineReader::keep(std::string_view part) {
  if (skipping_) return;
  if (line_.size() + part.size() <= max_bytes_) {
    line_ += part;
    return;
  }
  skipping_ = true;
  line_ = {};
  events_.too_long();
}

void LineReader::end_line() {
  if (!skipping_) {
    std::string_view line = line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    events_.line(line);
  }
  skipping_ = false;
  if (line_.capacity() > size_t{64} * 1024) line_ = {};
  line_.clear();
}

bool LineWriter::write(std::string line) {
  line += '\n';
  MutexLock lock(mutex_);
  std::string_view rest = line;
  while (!rest.empty() && !broken_) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<size_t>(count));
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
  return !broken_;
}

}  // namespace holdfast::mcp
