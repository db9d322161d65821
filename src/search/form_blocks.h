// Where a piece of a word may be among the forms of a large part: which blocks of forms have all of
// its runs of three and of four bytes. The short ones tell of short pieces, the long ones are in
// fewer blocks. Made once, two bytes a form; thread-safe, as it never changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::search {

class Part;

class FormBlocks {
 public:
  static constexpr uint32_t kForms = 256;  // a block

  explicit FormBlocks(const Part& part);

  // The blocks that may have it, ascending; nothing if it is too short to tell.
  std::optional<std::vector<uint32_t>> with(std::string_view infix) const;

 private:
  const size_t words_;          // of 64 blocks each, a bucket of runs
  std::vector<uint64_t> bits_;  // bucket by bucket
};

}  // namespace holdfast::search
