#include "service/chat/memory.h"

#include <algorithm>

namespace holdfast::service::chat {
namespace {

const Codec<Memory>& memory_codec() {
  static const Codec<Memory> codec = Codec<Memory>()
                                         .field("id", &Memory::id)
                                         .field("user", &Memory::user)
                                         .field("type", &Memory::type)
                                         .field("domain", &Memory::domain)
                                         .field("title", &Memory::title)
                                         .field("snippet", &Memory::snippet)
                                         .field("summary", &Memory::summary)
                                         .field("tags", &Memory::tags)
                                         .field("importance", &Memory::importance)
                                         .field("mood_anchor", &Memory::mood_anchor)
                                         .field("rigor_level", &Memory::rigor)
                                         .field("rigor_reason", &Memory::rigor_reason)
                                         .field("thread_id", &Memory::thread_id)
                                         .field("trigger_message_id", &Memory::trigger_message_id)
                                         .field("source_message_id", &Memory::source_message_id)
                                         .field("source_created_at", &Memory::source_created_at)
                                         .field("created_at", &Memory::created_at)
                                         .field("updated_at", &Memory::updated_at)
                                         .field("anchor_at", &Memory::anchor_at)
                                         .field("reaffirmed", &Memory::reaffirmed);
  return codec;
}

void add_text(Projection& projection, std::string_view name,
              const std::optional<std::string>& value) {
  if (value && !value->empty())
    projection.facets.push_back({.name = std::string(name), .text = *value});
}

Projection project_memory(const Memory& memory) {
  Projection projection;
  add_text(projection, facet::kId, memory.id);
  add_text(projection, facet::kUser, memory.user);
  add_text(projection, facet::kType, memory.type);
  add_text(projection, facet::kDomain, memory.domain);
  add_text(projection, facet::kTrigger, memory.trigger_message_id);
  add_text(projection, shared_facet::kThread, memory.thread_id);
  for (const std::string& tag : memory.tags) add_text(projection, shared_facet::kTag, tag);
  projection.text = {.title = memory.title.value_or(""),
                     .tags = memory.tags,
                     .summary = memory.summary && *memory.summary != memory.snippet
                                    ? *memory.summary
                                    : std::string(),
                     .body = memory.snippet,
                     .at = memory.created_at};
  return projection;
}

}  // namespace

const Noun<Memory>& memory_noun() {
  static const Noun<Memory> noun{
      .kind = "chat_memory", .codec = memory_codec(), .project = project_memory};
  return noun;
}

Label memory_label(const std::string& user) {
  return {.visibility = Visibility::kOwner, .owner = user};
}

std::optional<Timestamp> hazy_at(const Memory& memory, const ChatSettings& settings) {
  if (settings.hazy_after.count() == 0 || memory.rigor == Rigor::kHigh) return std::nullopt;
  return memory.anchor_at + settings.hazy_after;
}

bool is_hazy(const Memory& memory, const ChatSettings& settings, Timestamp now) {
  const auto at = hazy_at(memory, settings);
  return at && *at <= now;
}

std::vector<std::string> without_repeats(const std::vector<std::string>& tags) {
  std::vector<std::string> kept;
  for (const std::string& tag : tags) {
    if (std::ranges::find(kept, tag) == kept.end()) kept.push_back(tag);
  }
  return kept;
}

}  // namespace holdfast::service::chat
