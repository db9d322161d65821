// The tasks that a model can do for the pipeline, each with its instructions. What is read goes
// into the user message between marks, never into the instructions.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "embed/completer.h"
#include "model/value.h"

namespace holdfast::service::recall {

namespace role {
inline constexpr std::string_view kWriteExtraction = "write_extraction";
inline constexpr std::string_view kThreadAggregation = "thread_aggregation";
inline constexpr std::string_view kFactExtraction = "fact_extraction";
inline constexpr std::string_view kFactConsolidation = "fact_consolidation";
inline constexpr std::string_view kConsolidation = "consolidation";
inline constexpr std::string_view kNoteTitle = "note_title";
inline constexpr std::array<std::string_view, 6> kAll = {kWriteExtraction, kThreadAggregation,
                                                         kFactExtraction,  kFactConsolidation,
                                                         kConsolidation,   kNoteTitle};
}  // namespace role

struct ModelAnswer {
  Value value = {};       // an object
  Value provenance = {};  // for semantic_provenance
};

class ModelRoles {
 public:
  // `models`: another model for a role.
  ModelRoles(embed::Completer& completer, std::map<std::string, std::string, std::less<>> models,
             std::chrono::milliseconds timeout)
      : completer_(completer), models_(std::move(models)), timeout_(timeout) {}

  // Waits for the network. kCorrupted for an answer that is no JSON object; otherwise as
  // Completer::complete.
  Result<ModelAnswer> ask(std::string_view role, const std::string& about,
                          const std::string& content) const;

 private:
  embed::Completer& completer_;
  const std::map<std::string, std::string, std::less<>> models_;
  const std::chrono::milliseconds timeout_;
};

// A text member of an answer, trimmed; empty if it is absent or no text.
std::string said_in(const Value& answer, std::string_view name);
// Whether the quote is in the text, apart from case and white space.
bool is_quoted_from(const std::string& quote, const std::string& text);

}  // namespace holdfast::service::recall
