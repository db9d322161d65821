#include "service/chat/driver_blocks.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/json_text.h"

namespace holdfast::service::chat {
namespace {

std::string text_member(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  const std::string* text = member != nullptr ? member->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

Error bad_file(const std::string& path, const std::string& problem) {
  return invalid_argument("SOL_DRIVER_BLOCK_REGISTRY: " + path + " " + problem);
}

// First person and a completed outside action, in the forms that people write.
std::string claims_of_action() {
  std::string lines;
  for (const std::string_view subject : {"I", "We"}) {
    for (const std::string_view tense : {"", " have", "'ve"}) {
      for (const std::string_view adverb : {"", " just", " already", " now"}) {
        lines += fmt::format(
            "\n- Must-not: \"{}{}{} sent/added/checked/verified/scheduled/emailed/called/booked\"",
            subject, tense, adverb);
      }
    }
  }
  return lines;
}

bool is_of_another_thread(const InlineBlock& block, const std::string& thread_id) {
  return block.scope == BlockScope::kThread && !block.thread_id.empty() &&
         block.thread_id != thread_id;
}

}  // namespace

const std::vector<DriverBlock>& baseline_blocks() {
  static const std::vector<DriverBlock> blocks = {
      {"DB-001", "1.0", "NoAuthorityDrift",
       "Do not claim an action outside this conversation unless it was carried out in this very "
       "run. Offer a draft or the steps instead. Keep facts, assumptions and suggestions apart.\n"
       "Validators:" +
           claims_of_action()},
      {"DB-002", "1.0", "ShapeFirst",
       "Where an answer is complex, begin with a short outline. Do not write long prose without "
       "divisions."},
      {"DB-003", "1.0", "DecisionClosure",
       "Add a closing block labelled Receipt, Release or Next only when asked for one or when the "
       "matter is plainly closed; three to six lines."},
      {"DB-004", "1.0", "OffloadWhenRemembering",
       "When the user has to remember something, hand over something to keep: a note, a list, a "
       "draft.\n"
       "Validators:\n"
       "- Must-not: \"just keep it in mind\", \"just remember it\", \"try to remember it\""},
      {"DB-005", "1.1", "MissingFactsStopAsk",
       "When required facts are missing: name them, give one clearly provisional option of low "
       "risk, ask as few questions as possible, invent nothing. When the facts suffice, do none of "
       "this."}};
  return blocks;
}

BlockRegistry::BlockRegistry() : blocks_(baseline_blocks()) {
  // DB-005 is known under its first version as well.
  DriverBlock first = blocks_.back();
  first.version = "1.0";
  blocks_.push_back(std::move(first));
}

Status BlockRegistry::add_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return bad_file(path, "cannot be read.");
  std::stringstream text;
  text << file.rdbuf();
  const auto parsed = parse_json(text.str());
  const Value::Array* list = parsed ? parsed->if_array() : nullptr;
  if (list == nullptr) return bad_file(path, "is no JSON array of blocks.");
  for (const Value& entry : *list) {
    DriverBlock block{.id = text_member(entry, "id"),
                      .version = text_member(entry, "version"),
                      .name = text_member(entry, "title"),
                      .definition = text_member(entry, "definition")};
    if (block.id.empty() || block.version.empty() || block.definition.empty())
      return bad_file(path, "has a block without id, version or definition.");
    blocks_.push_back(std::move(block));
  }
  return {};
}

const DriverBlock* BlockRegistry::find(const BlockRef& ref) const {
  const auto it = std::ranges::find_if(blocks_, [&](const DriverBlock& block) {
    return block.id == ref.id && block.version == ref.version;
  });
  return it == blocks_.end() ? nullptr : &*it;
}

AssembledBlocks assemble_blocks(const BlockRegistry& registry, const std::vector<BlockRef>& refs,
                                const std::vector<InlineBlock>& carried,
                                const std::string& thread_id) {
  AssembledBlocks out{.blocks = baseline_blocks()};
  size_t added = 0;
  for (size_t i = 0; i < refs.size(); ++i) {
    const DriverBlock* block = i < kMaxRefs ? registry.find(refs[i]) : nullptr;
    if (block == nullptr) {
      ++out.dropped;
      continue;
    }
    out.blocks.push_back(*block);
    ++added;
  }
  size_t kept = 0;
  for (const InlineBlock& block : carried) {
    if (is_of_another_thread(block, thread_id) || kept == kMaxInline || added == kMaxBlocks) {
      ++out.dropped;
      continue;
    }
    const std::string_view definition = prefix_code_points(block.definition, kMaxDefinition);
    out.trimmed += definition.size() < block.definition.size() ? 1 : 0;
    out.blocks.push_back({.id = block.id,
                          .version = block.version,
                          .name = block.title.empty() ? block.id : block.title,
                          .definition = std::string(definition),
                          .system = false});
    ++kept;
    ++added;
  }
  out.accepted = static_cast<int64_t>(out.blocks.size());
  return out;
}

}  // namespace holdfast::service::chat
