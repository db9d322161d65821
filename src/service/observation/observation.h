// An observation: one small, attributable record of something that happened during work.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/noun.h"
#include "service/native/sensitivity_names.h"

namespace holdfast::service::observation {

enum class ObservationType : uint8_t {
  kTestResult,
  kBacktestResult,
  kResearchNote,
  kCodeChange,
  kToolOutput,
  kDecision,
  kCheckpoint,
  kOther,
};

enum class SourceType : uint8_t { kManual, kStopHook, kPeriodicSync, kCi, kWebhook, kApi };

struct Source {
  SourceType type = SourceType::kApi;
  std::string session_id = {};  // empty: not said
  std::string commit_id = {};
};

struct CodeLink {
  std::string repo = {};
  std::optional<std::string> path = {};
  std::optional<std::string> symbol = {};
  std::optional<int64_t> line_start = {};
  std::optional<int64_t> line_end = {};
  std::optional<std::string> commit_sha = {};
};

// What an observation shows of a file that belongs to it.
struct AttachmentRef {
  std::string id = {};
  std::string filename = {};
  std::string content_type = {};
  int64_t size_bytes = 0;
};

struct Observation {
  std::string id = {};
  std::string workspace_id = {};
  ObservationType type = ObservationType::kOther;
  std::string title = {};
  std::string summary_md = {};
  Sensitivity sensitivity = Sensitivity::kNormal;
  std::vector<std::string> tags = {};
  std::string created_by = {};
  Timestamp created_at = {};  // whole milliseconds, as clients see it
  Timestamp updated_at = {};
  Source source = {};
  std::optional<std::string> subcortex_id = {};
  std::optional<std::string> thread_id = {};
  std::optional<std::string> task_id = {};
  std::vector<AttachmentRef> attachments = {};
  std::vector<CodeLink> code_links = {};
  Value metadata = Value::object();  // free-form, kept as it came
  bool quarantined = false;          // holds what looks like a secret: no search finds it
  std::optional<bool> seeded = {};   // true: its id came from a file; otherwise left out
};

inline constexpr std::string_view kIdPrefix = "obs_";  // of ids made here, before the ULID

const Noun<Observation>& observation_noun();
// kCorrupted if the body is not what the noun wrote.
Result<Observation> read_observation(const Object& object);

// The projection in two steps: what follows from the content alone, which needs no write to be
// known, and the rest. complete() is called once for each project_ahead().
Projection project_ahead(const Observation& observation);
void complete(Projection& projection, const Observation& observation);

// What of an observation can be found by its words.
SearchText searchable(const std::string& title, const std::vector<std::string>& tags,
                      const std::string& summary_md);

// The summary as HTML that can be shown to anybody.
std::string summary_html(const Observation& observation);

// Facets by which observations are filtered and sorted, beside the shared ones (thread, task, tag).
// Lists are the index's work, so the store keeps no rows of any of them (docs/storage.md).
namespace facet {
inline constexpr std::string_view kWorkspace = "workspace";
inline constexpr std::string_view kSubcortex = "subcortex";
inline constexpr std::string_view kType = "type";
inline constexpr std::string_view kSourceType = "source_type";
inline constexpr std::string_view kSensitivity = "sensitivity";
inline constexpr std::string_view kCreatedBy = "created_by";
// The id, unless it was made here: those grow with the times and numbers of their observations.
inline constexpr std::string_view kOwnId = "own_id";
inline constexpr std::string_view kTitleKey = "title_key";    // folded
inline constexpr std::string_view kUpdatedAt = "updated_at";  // microseconds
// How far the index knows the words of title and summary (text_form()).
inline constexpr std::string_view kText = "text";
}  // namespace facet

namespace relation {
inline constexpr std::string_view kAttaches = "attaches";  // to an attachment
inline constexpr std::string_view kCites = "cites";        // from whatever cites an observation
}  // namespace relation

namespace counter {
inline constexpr std::string_view kViews = "views";
inline constexpr std::string_view kCitations = "citations";
}  // namespace counter

// plain: letters and digits are ASCII and in words of a size that the index keeps whole, so that a
// word of the index has a text inside exactly if the observation does. long: some word is longer
// than the index keeps. Otherwise empty: words are all there, but folded further than the text.
std::string_view text_form(const Observation& observation);
inline constexpr std::string_view kPlainText = "plain";
inline constexpr std::string_view kLongText = "long";

}  // namespace holdfast::service::observation

namespace holdfast {

template <>
struct EnumNames<service::observation::ObservationType> {
  using Type = service::observation::ObservationType;
  static constexpr std::array<std::pair<Type, std::string_view>, 8> kNames = {
      {{Type::kTestResult, "test_result"},
       {Type::kBacktestResult, "backtest_result"},
       {Type::kResearchNote, "research_note"},
       {Type::kCodeChange, "code_change"},
       {Type::kToolOutput, "tool_output"},
       {Type::kDecision, "decision"},
       {Type::kCheckpoint, "checkpoint"},
       {Type::kOther, "other"}}};
};

template <>
struct EnumNames<service::observation::SourceType> {
  using Type = service::observation::SourceType;
  static constexpr std::array<std::pair<Type, std::string_view>, 6> kNames = {
      {{Type::kManual, "manual"},
       {Type::kStopHook, "stop_hook"},
       {Type::kPeriodicSync, "periodic_sync"},
       {Type::kCi, "ci"},
       {Type::kWebhook, "webhook"},
       {Type::kApi, "api"}}};
};

template <>
const Codec<service::observation::Source>& codec_of();
template <>
const Codec<service::observation::CodeLink>& codec_of();
template <>
const Codec<service::observation::AttachmentRef>& codec_of();

}  // namespace holdfast
