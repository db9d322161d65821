// A memory that exists because a person asked for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/label.h"
#include "model/noun.h"
#include "model/value.h"
#include "service/chat/chat_settings.h"

namespace holdfast::service::chat {

enum class Rigor { kNormal, kHigh };

struct Memory {
  std::string id = {};
  std::string user = {};
  std::string type = "memory";
  std::optional<std::string> domain = {};
  std::optional<std::string> title = {};
  std::string snippet = {};
  std::optional<std::string> summary = {};
  std::vector<std::string> tags = {};
  Value importance = {};  // a text or a number; null: none
  std::optional<std::string> mood_anchor = {};
  Rigor rigor = Rigor::kNormal;
  std::string rigor_reason = {};
  std::optional<std::string> thread_id = {};
  std::optional<std::string> trigger_message_id = {};
  std::optional<std::string> source_message_id = {};
  std::optional<Timestamp> source_created_at = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
  Timestamp anchor_at = {};  // fading counts from here
  int64_t reaffirmed = 0;
};

const Noun<Memory>& memory_noun();
Label memory_label(const std::string& user);
inline ObjectKey memory_key(const std::string& id) {
  return {.kind = memory_noun().kind, .id = id};
}

namespace facet {
inline constexpr std::string_view kId = "chat_id";
inline constexpr std::string_view kUser = "chat_user";
inline constexpr std::string_view kDomain = "chat_domain";
inline constexpr std::string_view kType = "chat_type";
inline constexpr std::string_view kTrigger = "chat_trigger";
}  // namespace facet

// When it becomes hazy; nothing if it does not.
std::optional<Timestamp> hazy_at(const Memory& memory, const ChatSettings& settings);
bool is_hazy(const Memory& memory, const ChatSettings& settings, Timestamp now);

inline constexpr size_t kSummaryLength = 160;
std::vector<std::string> without_repeats(const std::vector<std::string>& tags);

}  // namespace holdfast::service::chat

namespace holdfast {

template <>
struct EnumNames<service::chat::Rigor> {
  static constexpr std::array<std::pair<service::chat::Rigor, std::string_view>, 2> kNames = {
      {{service::chat::Rigor::kNormal, "normal"}, {service::chat::Rigor::kHigh, "high"}}};
};

}  // namespace holdfast
