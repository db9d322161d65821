// Memory written by hand, and turns forgotten.
#include "base/time_text.h"
#include "service/recall/statements.h"
#include "surface/recall/operations.h"
#include "surface/recall/render.h"
#include "surface/recall/requests.h"
#include "wire/reading.h"

namespace holdfast::surface::recall {
namespace {

using namespace service::recall;  // NOLINT(google-build-using-namespace): their operations
using wire::length;
using wire::min_length;
using wire::one_of;
using wire::Schema;

constexpr size_t kMostStatement = 10'000;
constexpr size_t kMostReason = 500;
constexpr size_t kMostCited = 5;

// Who speaks and where: all of it is needed.
template <typename T>
Schema<T> standing_schema() {
  const auto member = [](std::string Standing::*of) { return static_cast<std::string T::*>(of); };
  return Schema<T>()
      .required("container_ref", member(&Standing::container_ref), min_length(1), "The container.")
      .required("thread_ref", member(&Standing::thread_ref), min_length(1), "The thread.")
      .required("actor_ref", member(&Standing::actor_ref), min_length(1), "The human.")
      .required("agent_ref", member(&Standing::agent_ref), min_length(1), "The agent that writes.")
      .required("visibility", static_cast<Scope T::*>(&Standing::visibility), scope_option());
}

Value remembered_value(const Remembered& remembered) {
  const Memory& memory = remembered.memory;
  return Value::object({{"memory_object_id", memory.id},
                        {"source_item_id", remembered.source_item_id},
                        {"type", memory.type},
                        {"origin", "agent_explicit"},
                        {"created_at", format_micros(memory.created_at)},
                        {"superseded_memory_ids", Value::array_of(memory.supersedes)}});
}

void check_source(const ForgetSource& request, wire::Checks& checks) {
  if (!request.source_item_id && !request.container_ref)
    checks.add("source_item_id", wire::rule::kRequired);
}

Value forgot_source_value(const ForgotSource& forgot) {
  const ForgetSource& asked = forgot.request;
  return Value::object({{"count", forgot.count},
                        {"source_item_id", or_null(asked.source_item_id)},
                        {"forgotten", asked.source_item_id ? Value(forgot.count > 0) : Value()},
                        {"container_ref", or_null(asked.container_ref)},
                        {"thread_ref", or_null(asked.thread_ref)},
                        {"has_more", forgot.has_more}});
}

}  // namespace

Asks<Remember, Remembered> remember_memory() {
  static const wire::Operation<Remember, Remembered> operation{
      .name = "recall_remember",
      .summary = "States a memory outright.",
      .request = standing_schema<Remember>()
                     .required("text", &Remember::text, length(1, kMostStatement), wire::no_echo())
                     .required("type", &Remember::type, one_of(stated_types()), "What it is.")
                     .optional("work_refs", &Remember::work_refs)
                     .optional("confidence", &Remember::confidence, wire::range(0, 1))
                     .optional("evidence", &Remember::evidence, wire::items(0, kMostCited)),
      .encode = remembered_value,
      .tags = {"recall"}};
  return operation;
}

Asks<Correct, Memory> correct_memory() {
  static const wire::Operation<Correct, Memory> operation{
      .name = "recall_correct",
      .summary = "Puts a memory right, in its place.",
      .request = standing_schema<Correct>()
                     .path("memory_object_id", &Correct::memory_id)
                     .required("corrected_text", &Correct::text, length(1, kMostStatement),
                               wire::no_echo())
                     .optional("reason", &Correct::reason, length(1, kMostReason)),
      .encode =
          [](const Memory& memory) {
            return Value::object({{"memory_object_id", memory.id}, {"corrected", true}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<Supersede, Superseded> supersede_memory() {
  static const wire::Operation<Supersede, Superseded> operation{
      .name = "recall_supersede",
      .summary = "States a memory in the place of another.",
      .request =
          standing_schema<Supersede>()
              .required("supersedes_id", &Supersede::memory_id, min_length(1))
              .required("new_text", &Supersede::text, length(1, kMostStatement), wire::no_echo())
              .optional("type", &Supersede::type, one_of(stated_types()))
              .optional("reason", &Supersede::reason, length(1, kMostReason)),
      .encode =
          [](const Superseded& done) {
            return Value::object({{"old_memory_object_id", done.old_id},
                                  {"new_memory_object_id", done.new_id},
                                  {"superseded", true}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<Forget, Forgot> forget_memory() {
  static const wire::Operation<Forget, Forgot> operation{
      .name = "recall_forget",
      .summary = "Erases a memory for good.",
      .request = standing_schema<Forget>()
                     .path("memory_object_id", &Forget::memory_id)
                     .optional("reason", &Forget::reason, length(1, kMostReason)),
      .encode =
          [](const Forgot& done) {
            return Value::object(
                {{"memory_object_id", done.memory_id}, {"forgotten", done.forgotten}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<RecordOutcome, RecordedOutcome> record_outcome() {
  static const wire::Operation<RecordOutcome, RecordedOutcome> operation{
      .name = "recall_record_outcome",
      .summary = "Says how it turned out to act on a memory.",
      .request = standing_schema<RecordOutcome>()
                     .required("procedure_id", &RecordOutcome::memory_id, min_length(1))
                     .required("outcome", &RecordOutcome::outcome,
                               one_of({"success", "failure", "inconclusive"}))
                     .optional("note", &RecordOutcome::note, length(1, kMostReason))
                     .optional("evidence", &RecordOutcome::evidence, wire::items(0, kMostCited)),
      .encode =
          [](const RecordedOutcome& done) {
            return Value::object({{"procedure_id", done.memory_id},
                                  {"outcome", done.outcome},
                                  {"recorded", true},
                                  {"memory_object_id", done.outcome_id}});
          },
      .tags = {"recall"}};
  return operation;
}

Asks<ForgetSource, ForgotSource> forget_source() {
  static const wire::Operation<ForgetSource, ForgotSource> operation{
      .name = "recall_forget_source",
      .summary = "Erases a turn, or all turns of a container or thread.",
      .request = Schema<ForgetSource>()
                     .optional("source_item_id", &ForgetSource::source_item_id, min_length(1))
                     .optional("container_ref", &ForgetSource::container_ref, min_length(1))
                     .optional("thread_ref", &ForgetSource::thread_ref, min_length(1))
                     .optional("actor_ref", &ForgetSource::actor_ref)
                     .optional("reason", &ForgetSource::reason, length(1, kMostReason))
                     .check(check_source),
      .encode = forgot_source_value,
      .tags = {"recall"}};
  return operation;
}

}  // namespace holdfast::surface::recall
