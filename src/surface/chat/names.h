// How enumerations are spelt on the wire.
#pragma once

#include "model/codec.h"
#include "service/chat/chat_types.h"

namespace holdfast {

template <>
struct EnumNames<service::chat::Role> {
  using E = service::chat::Role;
  static constexpr std::array<std::pair<E, std::string_view>, 3> kNames = {
      {{E::kUser, "user"}, {E::kAssistant, "assistant"}, {E::kSystem, "system"}}};
};

template <>
struct EnumNames<service::chat::TraceLevel> {
  using E = service::chat::TraceLevel;
  static constexpr std::array<std::pair<E, std::string_view>, 2> kNames = {
      {{E::kInfo, "info"}, {E::kDebug, "debug"}}};
};

template <>
struct EnumNames<service::chat::BlockScope> {
  using E = service::chat::BlockScope;
  static constexpr std::array<std::pair<E, std::string_view>, 2> kNames = {
      {{E::kGlobal, "global"}, {E::kThread, "thread"}}};
};

template <>
struct EnumNames<service::chat::BlockSource> {
  using E = service::chat::BlockSource;
  static constexpr std::array<std::pair<E, std::string_view>, 3> kNames = {
      {{E::kUserCreated, "user_created"},
       {E::kAssistantProposed, "assistant_proposed"},
       {E::kSystemShipped, "system_shipped"}}};
};

}  // namespace holdfast
