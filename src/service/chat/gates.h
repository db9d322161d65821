// What is judged about a message before anything is answered: how it came, what it asks for, how
// risky it is, and which voice answers. Tables of words, whole words only; no model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::service::chat {

enum class Risk { kLow, kMedium, kHigh };

struct Sentinel {
  Risk risk = Risk::kLow;
  bool urgent = false;
  std::vector<std::string> reasons = {};  // at most five
};

struct Mode {
  std::string label = "Ida";
  std::string persona = "ida";
  std::vector<std::string> domain_flags = {};
  double confidence = 0.7;
  bool checkpoint_needed = false;
  std::vector<std::string> reasons = {};

  bool high_rigor() const { return label == "System-mode"; }
};

std::string_view risk_name(Risk risk);  // low, med, high
Sentinel judge_risk(std::string_view text);
Mode choose_mode(std::string_view text);
// draft, summarize, decision, research, code, plan, support, unknown
std::string_view judge_intent(std::string_view text);
// text, code, link, list
std::string_view judge_modality(std::string_view text);
std::vector<std::string> rigor_gates(const Mode& mode, const Sentinel& sentinel);
// Greetings and thanks only.
bool is_greeting(std::string_view text);
// The same with acknowledgements, or no words at all.
bool is_pleasantry(std::string_view text);
// must, should or skip: whether the summary of the thread is due.
std::string_view judge_breakpoint(std::string_view text, const std::vector<std::string>& signals);

}  // namespace holdfast::service::chat
