// Rules that an answer must keep: five of the server's own, those a request refers to, those it
// carries. Which of them apply, in what order, and what of an answer breaks them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "service/chat/validators.h"

namespace holdfast::service::chat {

inline constexpr size_t kMaxRefs = 10;
inline constexpr size_t kMaxInline = 5;
inline constexpr size_t kMaxBlocks = 15;
inline constexpr size_t kMaxDefinition = 10'000;  // code points

struct BlockRef {
  std::string id = {};
  std::string version = {};
};

enum class BlockScope { kGlobal, kThread };
enum class BlockSource { kUserCreated, kAssistantProposed, kSystemShipped };

struct InlineBlock {
  std::string id = {};
  std::string version = {};
  std::string definition = {};
  std::string title = {};
  BlockScope scope = BlockScope::kThread;
  BlockSource source = BlockSource::kUserCreated;
  std::optional<Timestamp> approved_at = {};
  std::optional<Timestamp> created_at = {};
  std::string thread_id = {};
  std::string notes = {};
};

struct DriverBlock {
  std::string id = {};
  std::string version = {};
  std::string name = {};
  std::string definition = {};
  bool system = true;  // false: carried by the request
  Validators validators = parse_validators(definition);
};

// Blocks that a request may refer to. Filled at the start, then only read.
class BlockRegistry {
 public:
  BlockRegistry();
  // More blocks, from a JSON file: [{"id","version","title","definition"}]. kInvalidArgument says
  // what is wrong with it.
  Status add_file(const std::string& path);
  const DriverBlock* find(const BlockRef& ref) const;

 private:
  std::vector<DriverBlock> blocks_;
};

// The five blocks that always apply.
const std::vector<DriverBlock>& baseline_blocks();

struct AssembledBlocks {
  std::vector<DriverBlock> blocks = {};  // baseline, then references, then carried ones
  int64_t accepted = 0;
  int64_t dropped = 0;
  int64_t trimmed = 0;
};

AssembledBlocks assemble_blocks(const BlockRegistry& registry, const std::vector<BlockRef>& refs,
                                const std::vector<InlineBlock>& carried,
                                const std::string& thread_id);

}  // namespace holdfast::service::chat
