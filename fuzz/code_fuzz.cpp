// Source files from anywhere: the parsers end, and what they name lies inside the file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "text/code/code_module.h"

using namespace holdfast;

namespace {

void check(const std::optional<text::CodeModule>& module) {
  if (!module) return;
  HOLDFAST_ASSERT(!module->empty());
  for (const auto& symbol : module->symbols) {
    HOLDFAST_ASSERT(!symbol.name.empty() && symbol.line_start >= 1);
    HOLDFAST_ASSERT(symbol.line_end >= symbol.line_start);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text::parse_python(text));
  check(text::parse_script(text));
  return 0;
}
