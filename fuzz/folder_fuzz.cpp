// Files of an imported folder: whatever they hold, they are taken or refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "service/continuity/folder_layout.h"
#include "service/continuity/paths.h"

using namespace holdfast;

// The first line is the file's path, the rest its bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t line = text.find('\n');
  if (line == std::string_view::npos) return 0;
  service::continuity::FolderReader reader;
  (void)reader.add(
      {.path = std::string(text.substr(0, line)), .bytes = std::string(text.substr(line + 1))}, {});
  for (const Object& object : reader.take()) {
    for (const auto& file : service::continuity::files_of(object))
      HOLDFAST_ASSERT(!service::continuity::path_problem(file.path));
  }
  return 0;
}
