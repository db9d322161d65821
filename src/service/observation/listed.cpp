#include "service/observation/listed.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/time_text.h"
#include "model/json_pieces.h"
#include "model/json_text.h"
#include "service/observation/observation.h"

namespace holdfast::service::observation {
namespace {

struct ShownMember {
  std::string_view name;
  std::string_view Listed::*piece;
  bool always = true;
};
// In the order of the codec, so that looking for the next one seldom takes more than a look.
constexpr std::array<ShownMember, 15> kShown = {{{"id", &Listed::id},
                                                 {"workspace_id", &Listed::workspace_id},
                                                 {"type", &Listed::type},
                                                 {"title", &Listed::title},
                                                 {"summary_md", &Listed::summary_md},
                                                 {"sensitivity", &Listed::sensitivity},
                                                 {"tags", &Listed::tags},
                                                 {"created_by", &Listed::created_by},
                                                 {"created_at", &Listed::created_at},
                                                 {"updated_at", &Listed::updated_at},
                                                 {"source", &Listed::source},
                                                 {"subcortex_id", &Listed::subcortex_id, false},
                                                 {"thread_id", &Listed::thread_id, false},
                                                 {"task_id", &Listed::task_id, false},
                                                 {"attachments", &Listed::attachments}}};

bool is_complete(const Listed& listed) {
  const auto is_time = [](std::string_view piece) {
    return piece.size() == kMicrosTextSize + 2 && piece.ends_with("Z\"");
  };
  return is_time(listed.created_at) && is_time(listed.updated_at) &&
         std::ranges::all_of(kShown, [&](const ShownMember& member) {
           return !member.always || !(listed.*member.piece).empty();
         });
}

std::optional<Listed> find_pieces(std::string_view body) {
  Listed listed;
  size_t next = 0;
  const bool read =
      !body.empty() &&
      json_pieces::each_member(body, [&](std::string_view name, std::string_view value, bool) {
        for (size_t i = 0; i < kShown.size(); ++i) {
          const size_t at = (next + i) % kShown.size();
          if (kShown[at].name != name) continue;
          listed.*kShown[at].piece = value;
          next = at + 1;
          break;
        }
        return true;
      });
  return read && is_complete(listed) ? std::optional(listed) : std::nullopt;
}

}  // namespace

Result<Listed> read_listed(std::string& body) {
  if (const auto listed = find_pieces(body)) return *listed;
  const auto& codec = observation_noun().codec;
  HOLDFAST_TRY(const Observation observation, codec.decode_text(body));
  body = codec.encode_text(observation);
  if (const auto listed = find_pieces(body)) return *listed;
  return Error{.code = ErrorCode::kCorrupted,
               .message = "A stored observation cannot be read; 'holdfast verify' tells more."};
}

std::string text_of_piece(std::string_view piece) {
  const auto read = parse_json(piece);
  return read && read->is_string() ? *read->if_string() : std::string();
}

}  // namespace holdfast::service::observation
