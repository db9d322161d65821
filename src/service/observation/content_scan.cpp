#include "service/observation/content_scan.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/json_text.h"
#include "service/observation/failure.h"

namespace holdfast::service::observation {
namespace {

using text::SecretFinding;
using text::SecretSeverity;

constexpr size_t kMostDetails = 20;
constexpr int kTrusted = 3;  // tier from which probable secrets are the writer's own business

class Scanner {
 public:
  void text(std::string_view value) {
    for (const SecretFinding& secret : text::find_secrets(value))
      findings_.push_back({path(), secret});
  }
  void text(std::string_view value, std::string_view name) {
    const Inside inside(*this, name);
    text(value);
  }
  void text(const std::optional<std::string>& value, std::string_view name) {
    if (value) text(std::string_view(*value), name);
  }

  // Values, names, and each member as it would be written in a sentence: "password: hunter2".
  void tree(const Value& value) {
    if (const auto* text_value = value.if_string()) text(*text_value);
    if (const auto* elements = value.if_array()) {
      for (size_t i = 0; i < elements->size(); ++i) {
        const Inside inside(*this, i);
        tree((*elements)[i]);
      }
    }
    if (const auto* members = value.if_object()) {
      for (const auto& [name, inner] : *members) {
        // A name that holds a secret itself is told nowhere.
        const auto in_name = text::find_secrets(name);
        const Inside inside(*this, in_name.empty() ? std::string_view(name) : kHidden);
        const size_t before = findings_.size();
        for (const SecretFinding& secret : in_name) findings_.push_back({path(), secret});
        tree(inner);
        sentence(name, inner, before);
      }
    }
  }

  // A member or an element, for as long as this lives. As few texts have findings, a path is made
  // only for those.
  class Inside {
   public:
    Inside(Scanner& scanner, std::string_view name)
        : scanner_(scanner), outer_(scanner.innermost_), name_(name) {
      scanner.innermost_ = this;
    }
    Inside(Scanner& scanner, size_t index)
        : scanner_(scanner), outer_(scanner.innermost_), index_(index) {
      scanner.innermost_ = this;
    }
    ~Inside() { scanner_.innermost_ = outer_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    const Inside* outer() const { return outer_; }
    Issue::Step step() const { return index_ ? element(*index_) : member(name_); }

   private:
    Scanner& scanner_;
    const Inside* const outer_;
    const std::string_view name_ = {};  // outlives this
    const std::optional<size_t> index_ = {};
  };

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::vector<Issue::Step> path() const {
    std::vector<Issue::Step> steps;
    for (const Inside* inside = innermost_; inside != nullptr; inside = inside->outer())
      steps.push_back(inside->step());
    std::ranges::reverse(steps);
    return steps;
  }

  void sentence(const std::string& name, const Value& value, size_t before) {
    if (value.is_null() || value.is_array() || value.is_object()) return;
    const std::string shown = value.is_string() ? *value.if_string() : to_json(value);
    for (SecretFinding secret : text::find_secrets(name + ": " + shown)) {
      const bool known =
          std::any_of(findings_.begin() + static_cast<std::ptrdiff_t>(before), findings_.end(),
                      [&](const Finding& finding) { return finding.secret.code == secret.code; });
      if (known) continue;
      secret.position = 0;
      secret.length = count_code_points(shown);
      findings_.push_back({path(), secret});
    }
    // All of them are about this one member, and are told by their place in it.
    std::stable_sort(
        findings_.begin() + static_cast<std::ptrdiff_t>(before), findings_.end(),
        [](const Finding& a, const Finding& b) { return a.secret.position < b.secret.position; });
  }

  const Inside* innermost_ = nullptr;
  std::vector<Finding> findings_;
};

void scan_code_link(Scanner& scanner, const CodeLink& link) {
  scanner.text(std::string_view(link.repo), "repo");
  scanner.text(link.path, "path");
  scanner.text(link.symbol, "symbol");
  scanner.text(link.commit_sha, "commit_sha");
}

bool blocks(SecretSeverity severity, const Circumstances& circumstances) {
  if (severity == SecretSeverity::kCritical) return true;
  return severity == SecretSeverity::kHigh && circumstances.trust_tier < kTrusted &&
         circumstances.sensitivity != Sensitivity::kSensitive;
}

Issue issue_of(const Finding& finding) {
  Issue issue = body_issue(finding.path, finding.secret.code);
  issue.params = {{"severity", std::string(text::severity_name(finding.secret.severity))},
                  {"position", std::to_string(finding.secret.position)},
                  {"length", std::to_string(finding.secret.length)}};
  return issue;
}

}  // namespace

std::string without_secret(std::string_view text) {
  return std::string(text::find_secrets(text).empty() ? text : kHidden);
}

std::vector<Finding> scan_text(std::string_view field, std::string_view value) {
  Scanner scanner;
  const Scanner::Inside inside(scanner, field);
  scanner.text(value);
  return scanner.take();
}

std::vector<Finding> scan_observation(const Observation& observation) {
  Scanner scanner;
  scanner.text(std::string_view(observation.title), "title");
  scanner.text(std::string_view(observation.summary_md), "summary_md");
  {
    const Scanner::Inside tags(scanner, "tags");
    for (size_t i = 0; i < observation.tags.size(); ++i) {
      const Scanner::Inside tag(scanner, i);
      scanner.text(observation.tags[i]);
    }
  }
  {
    const Scanner::Inside source(scanner, "source");
    scanner.text(std::string_view(observation.source.session_id), "session_id");
    scanner.text(std::string_view(observation.source.commit_id), "commit_id");
  }
  {
    const Scanner::Inside links(scanner, "code_links");
    for (size_t i = 0; i < observation.code_links.size(); ++i) {
      const Scanner::Inside link(scanner, i);
      scan_code_link(scanner, observation.code_links[i]);
    }
  }
  const Scanner::Inside metadata(scanner, "metadata");
  scanner.tree(observation.metadata);
  return scanner.take();
}

Result<Judgement> judge(const std::vector<Finding>& findings, const Circumstances& circumstances) {
  Judgement judgement;
  std::vector<Issue> issues;
  bool refused = false;
  for (const Finding& finding : findings) {
    const SecretSeverity severity = finding.secret.severity;
    const bool mail = finding.secret.code == "EMAIL";
    if (mail &&
        !(circumstances.sensitive_workspace && circumstances.sensitivity == Sensitivity::kNormal))
      continue;
    if (blocks(severity, circumstances)) {
      refused = true;
      if (issues.size() < kMostDetails) issues.push_back(issue_of(finding));
      continue;
    }
    judgement.quarantined = judgement.quarantined || severity == SecretSeverity::kHigh;
    judgement.warnings.push_back(
        {finding.path, finding.secret.code, text::severity_name(severity)});
  }
  if (!refused) return judgement;
  Error error = invalid_argument(
      "The text holds what looks like a credential or a personal number; take it out.",
      std::move(issues));
  error.reason = reason::kSensitiveContent;
  return error;
}

}  // namespace holdfast::service::observation
