#include "service/chat/execution.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/ids.h"
#include "base/log.h"
#include "base/utf8.h"
#include "service/chat/budget.h"
#include "service/chat/failure.h"
#include "service/chat/trimming.h"

namespace holdfast::service::chat {
namespace {

Value gate(std::string_view label, std::string_view confidence,
           const std::vector<std::string>& signals = {}) {
  return Value::object({{"gate_result", Value::object({{"label", label},
                                                       {"confidence", confidence},
                                                       {"signals", Value::array_of(signals)}})}});
}

class Run {
 public:
  Run(const ExecutionParts& parts, const CallContext& call, const ChatRun& run, Trace& trace)
      : parts_(parts), call_(call), run_(run), trace_(trace) {}

  Execution go(std::unique_ptr<storage::ReadTxn> txn) {
    const auto began = std::chrono::steady_clock::now();
    judge();
    retrieve(std::move(txn));
    if (compose()) answer();
    out_.usage.latency_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                std::chrono::steady_clock::now() - began)
                                .count();
    out_.memories = std::move(material_.memories);
    return std::move(out_);
  }

 private:
  void judge() {
    trace_.add(Stage::kModality, "completed", {}, gate(judge_modality(run_.input_text), "high"));
    trace_.add(Stage::kIntent, "completed", {}, gate(judge_intent(run_.input_text), "medium"));
    out_.sentinel = judge_risk(run_.input_text);
    trace_.add(Stage::kRisk, "completed", {},
               gate(risk_name(out_.sentinel.risk), "high", out_.sentinel.reasons));
    out_.mode = choose_mode(run_.input_text);
    out_.rigor_gates = rigor_gates(out_.mode, out_.sentinel);
    trace_.add(Stage::kPolicy, "completed", out_.mode.label,
               gate(out_.mode.label, out_.mode.confidence >= 0.8 ? "high" : "medium",
                    out_.mode.domain_flags));
    out_.breakpoint = judge_breakpoint(run_.input_text, run_.signals);
    trace_.add(Stage::kBreakpoint, "completed", out_.breakpoint,
               Value::object({{"breakpoint", Value::object({{"proposed_action", out_.breakpoint},
                                                            {"user_decision", "none"}})}}));
  }

  // A failure here never fails the chat.
  void retrieve(std::unique_ptr<storage::ReadTxn> txn) {
    trace_.add(Stage::kRetrieval, "started");
    auto found = parts_.retriever.retrieve(call_, std::move(txn), run_);
    if (found) {
      material_.memories = std::move(found->memories);
      out_.read_at = found->at;
      trace_.add(Stage::kRetrieval, "completed",
                 fmt::format("{} memories", material_.memories.size()));
    } else {
      log::warn("chat_retrieval_failed", {{"detail", found.error().detail}});
      trace_.add(Stage::kRetrieval, "warning", "retrieval failed");
    }
  }

  // False if the message does not fit.
  bool compose() {
    out_.blocks = assemble_blocks(parts_.registry, run_.refs, run_.carried, run_.thread_id);
    Value refs = Value::array();
    Value carried = Value::array();
    for (const DriverBlock& block : out_.blocks.blocks) {
      if (block.system) {
        refs.push(Value::object({{"id", block.id}, {"version", block.version}}));
      } else {
        carried.push(block.id);
      }
    }
    trace_.add(Stage::kCompose, "completed", {},
               Value::object({{"driver_blocks",
                               Value::object({{"driver_block_refs", std::move(refs)},
                                              {"driver_block_inline_ids", std::move(carried)}})}}));
    if (out_.blocks.dropped + out_.blocks.trimmed > 0) {
      trace_.add(
          Stage::kCompose, "warning",
          fmt::format("{} blocks dropped, {} trimmed", out_.blocks.dropped, out_.blocks.trimmed));
    }
    material_.input_text = run_.input_text;
    material_.around = run_.around;
    const auto trimmed = trim_to_budget(material_, run_.budgets.max_input_tokens);
    if (!trimmed) return fail(trimmed.error());
    if (trimmed->any() || run_.input_trimmed) {
      add_flag("input_trimmed");
      trace_.add(Stage::kCompose, "warning",
                 fmt::format("trimmed: {} history, {} memories, {} evidence, {} notes{}",
                             trimmed->history, trimmed->memories, trimmed->evidence, trimmed->notes,
                             trimmed->capsule ? ", capsule" : ""));
    }
    return true;
  }

  void answer() {
    const int64_t most =
        std::min(run_.budgets.max_regenerations, parts_.settings.max_regenerations);
    std::string previous;
    std::vector<Violation> violations;
    while (true) {
      auto answer = attempt(previous, violations);
      const bool more = out_.regenerations < most;
      if (!answer) {
        const bool unusable = answer.error().reason == reason::kOutputContract;
        if (unusable && more) {
          trace_.add(Stage::kOutput, "warning", "unusable output");
          ++out_.regenerations;
          continue;
        }
        fail(answer.error());
        return;
      }
      violations = check(answer->text);
      if (violations.empty() || parts_.settings.enforcement != Enforcement::kStrict) {
        deliver(std::move(*answer), violations);
        return;
      }
      if (!more) {
        refuse(violations);
        return;
      }
      ++out_.regenerations;
      previous = answer->text;
    }
  }

  Result<ProviderAnswer> attempt(const std::string& previous,
                                 const std::vector<Violation>& violations) {
    const ProviderInput input{.run = run_,
                              .material = material_,
                              .blocks = out_.blocks.blocks,
                              .mode = out_.mode,
                              .sentinel = out_.sentinel,
                              .max_output_tokens = max_output(),
                              .previous = previous,
                              .violations = violations};
    Provider* provider = &parts_.provider;
    auto answer = provider->answer(input, call_.deadline);
    // One that is not configured was not asked anything.
    out_.reached_provider = answer || answer.error().reason != reason::kNotConfigured;
    if (!answer) {
      const Error failed = provider_failure(answer.error());
      if (parts_.settings.fall_back_to_embedded && failure_of(failed).retryable) {
        add_flag("provider_fallback");
        provider = &parts_.embedded;
        answer = provider->answer(input, call_.deadline);
      } else {
        answer = failed;
      }
    }
    out_.provider = provider->name();
    record(answer);
    if (!answer) return answer;
    out_.usage.output_tokens += count_tokens(fit_tokens(answer->text, max_output()));
    return answer;
  }

  void record(const Result<ProviderAnswer>& answer) {
    const int64_t input = input_tokens(material_);
    out_.usage.input_tokens += input;
    Attempt attempt{.id = make_uuid(),
                    .provider = out_.provider,
                    .succeeded = answer.has_value(),
                    .created_at = parts_.clock.now()};
    int64_t paid_in = input;
    int64_t paid_out = 0;
    Value usage = Value::object({{"provider", out_.provider}, {"input_tokens", input}});
    if (answer) {
      attempt.output_chars = static_cast<int64_t>(count_code_points(answer->text));
      paid_in = answer->prompt_tokens.value_or(input);
      paid_out = answer->completion_tokens.value_or(count_tokens(answer->text));
      out_.model = answer->model;
      out_.prompt_tokens = answer->prompt_tokens;
      out_.completion_tokens = answer->completion_tokens;
      usage.set("model", answer->model);
      usage.set("output_tokens", count_tokens(answer->text));
    } else {
      attempt.error = std::string(failure_of(answer.error()).code);
      log::warn("chat_provider_failed",
                {{"code", *attempt.error}, {"detail", answer.error().detail}});
    }
    out_.attempts.push_back(std::move(attempt));
    if (out_.provider != "embedded") {
      const double dollars =
          static_cast<double>(paid_in) / 1000 * parts_.settings.price_in_per_1k +
          static_cast<double>(paid_out) / 1000 * parts_.settings.price_out_per_1k;
      out_.usage.cost_micros += static_cast<int64_t>(std::llround(dollars * 1e6));
    }
    trace_.add_model(Stage::kModelCall, answer ? "completed" : "failed", {},
                     Value::object({{"model_usage", std::move(usage)}}));
  }

  // What stays of the violations once those that only warn are noted.
  std::vector<Violation> check(const std::string& text) {
    if (parts_.settings.enforcement == Enforcement::kOff) return {};
    std::vector<Violation> violations = lint(out_.blocks.blocks, text);
    const bool lenient = out_.mode.persona == "ida" && !out_.mode.checkpoint_needed;
    std::erase_if(violations, [&](const Violation& violation) {
      if (violation.block_id != "DB-003" || !lenient) return false;
      add_flag(violation.flag());
      return true;
    });
    trace_.add(
        Stage::kOutput, violations.empty() ? "completed" : "warning",
        violations.empty() ? std::string() : fmt::format("{} violations", violations.size()));
    return violations;
  }

  void deliver(ProviderAnswer answer, const std::vector<Violation>& violations) {
    if (count_tokens(answer.text) > max_output()) {
      answer.text = fit_tokens(answer.text, max_output());
      answer.flags.emplace_back("output_truncated");
    }
    if (parts_.settings.enforcement == Enforcement::kOff)
      trace_.add(Stage::kOutput, "completed", "linter off");
    for (const std::string& flag : answer.flags) add_flag(flag);
    for (const Violation& violation : violations) add_flag(violation.flag());
    out_.output_text = std::move(answer.text);
  }

  void refuse(const std::vector<Violation>& violations) {
    for (const Violation& violation : violations) add_flag(violation.flag());
    fail(Error{.code = ErrorCode::kInvalidArgument,
               .reason = std::string(reason::kEnforcement),
               .message = "The answer breaks the rules of its driver blocks."});
  }

  bool fail(Error error) {
    trace_.add(out_.reached_provider ? Stage::kOutput : Stage::kCompose, "failed", {},
               Value::object({{"error", Value::object({{"code", failure_of(error).code}})}}));
    out_.failure = std::move(error);
    return false;
  }

  int64_t max_output() const {
    return std::min(run_.budgets.max_output_tokens, parts_.settings.max_output_tokens);
  }

  void add_flag(std::string flag) {
    if (std::ranges::find(out_.linter_flags, flag) == out_.linter_flags.end())
      out_.linter_flags.push_back(std::move(flag));
  }

  const ExecutionParts& parts_;
  const CallContext& call_;
  const ChatRun& run_;
  Trace& trace_;
  Material material_;
  Execution out_;
};

}  // namespace

Execution execute(const ExecutionParts& parts, const CallContext& call,
                  std::unique_ptr<storage::ReadTxn> txn, const ChatRun& run, Trace& trace) {
  return Run(parts, call, run, trace).go(std::move(txn));
}

}  // namespace holdfast::service::chat
