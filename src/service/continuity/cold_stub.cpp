#include "service/continuity/cold_stub.h"

#include <array>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/continuity/document.h"
#include "service/continuity/failure.h"
#include "service/continuity/paths.h"
#include "service/continuity/trust.h"

namespace holdfast::service::continuity {
namespace {

struct Section {
  const char* name;
  size_t items;
  size_t length;
};
constexpr std::array<Section, 4> kFirst = {{{"top_priorities", 3, 160},
                                            {"active_constraints", 3, 160},
                                            {"active_concerns", 3, 160},
                                            {"open_loops", 3, 160}}};
constexpr std::array<Section, 4> kSecond = {{{"drift_signals", 5, 160},
                                             {"session_trajectory", 3, 80},
                                             {"trailing_notes", 3, 160},
                                             {"curiosity_queue", 3, 120}}};
constexpr std::array<std::string_view, 15> kHeadKeys = {"type",
                                                        "schema_version",
                                                        "artifact_state",
                                                        "subject_kind",
                                                        "subject_id",
                                                        "source_archive_path",
                                                        "cold_storage_path",
                                                        "archived_at",
                                                        "cold_stored_at",
                                                        "verification_kind",
                                                        "verification_status",
                                                        "health_status",
                                                        "freshness_class",
                                                        "phase",
                                                        "update_reason"};

std::string flat(std::string_view text, size_t length) {
  std::string out(prefix_code_points(text, length));
  for (char& c : out) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return out;
}

void add_section(std::string& out, const char* name, const std::vector<std::string>& lines) {
  out += fmt::format("## {}\n", name);
  for (const std::string& line : lines) out += line + "\n";
  if (lines.empty()) out += "\n";
}

void add_list(std::string& out, const Value& state, const Section& section) {
  std::vector<std::string> lines;
  for (const Value& item : list_of(state, section.name)) {
    if (lines.size() < section.items && item.is_string())
      lines.push_back("- " + flat(*item.if_string(), section.length));
  }
  add_section(out, section.name, lines);
}

void add_entries(std::string& out, const Value& state) {
  std::vector<std::string> decisions;
  for (const Value& entry : list_of(state, "negative_decisions")) {
    if (decisions.size() < 2)
      decisions.push_back(fmt::format("- decision: {} | rationale: {}",
                                      flat(text_of(entry, "decision"), 160),
                                      flat(text_of(entry, "rationale"), 240)));
  }
  add_section(out, "negative_decisions", decisions);
  std::vector<std::string> reasons;
  for (const Value& entry : list_of(state, "rationale_entries")) {
    if (reasons.size() < 3 && text_of(entry, "status") == "active")
      reasons.push_back(fmt::format("- [{}] {}: {}", text_of(entry, "kind"),
                                    flat(text_of(entry, "tag"), 80),
                                    flat(text_of(entry, "summary"), 160)));
  }
  add_section(out, "rationale_entries", reasons);
}

std::string text_at(const Value& capsule, std::string_view path) {
  const Value* found = find_path(capsule, path);
  return found != nullptr && found->is_string() ? *found->if_string() : std::string();
}

}  // namespace

std::string cold_stub(const StoredCapsule& stored) {
  const Value& capsule = stored.capsule;
  const std::array<std::string, kHeadKeys.size()> values = {
      "continuity_cold_stub",
      "\"1.1\"",
      "cold",
      stored.subject_kind,
      flat(stored.subject_id, SIZE_MAX),
      archive_path(stored.archive_stem),
      cold_path(stored.archive_stem),
      stored.archived_at,
      stored.cold_stored_at,
      text_of(capsule, "verification_kind"),
      verification_status(capsule),
      health_status(capsule),
      text_at(capsule, "freshness.freshness_class"),
      stored.cold_phase,
      text_at(capsule, "source.update_reason")};
  std::string out = "---\n";
  for (size_t i = 0; i < kHeadKeys.size(); ++i)
    out += values.at(i).empty() ? fmt::format("{}:\n", kHeadKeys.at(i))
                                : fmt::format("{}: {}\n", kHeadKeys.at(i), values.at(i));
  out += "---\n";
  const Value* found = capsule.find("continuity");
  const Value state = found != nullptr ? *found : Value::object();
  for (const Section& section : kFirst) add_list(out, state, section);
  const std::string stance = flat(text_of(state, "stance_summary"), 240);
  add_section(out, "stance_summary",
              stance.empty() ? std::vector<std::string>() : std::vector<std::string>{stance});
  for (const Section& section : kSecond) add_list(out, state, section);
  add_entries(out, state);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

Result<ColdStub> read_cold_stub(std::string_view text) {
  ColdStub stub;
  const auto next_line = [&text] {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
  };
  if (next_line() != "---") return bad_request("the stub has no front matter");
  for (const std::string_view key : kHeadKeys) {
    const std::string_view line = next_line();
    if (!line.starts_with(key) || line.substr(key.size(), 1) != ":")
      return bad_request(fmt::format("the stub has no '{}' where it belongs", key));
    const std::string value(trim_space(line.substr(key.size() + 1)));
    if (key == "cold_stored_at") stub.cold_stored_at = value;
    if (key == "phase") stub.phase = value;
  }
  if (next_line() != "---") return bad_request("the stub's front matter does not end");
  return stub;
}

Value archive_envelope(const StoredCapsule& stored) {
  return Value::object({{"schema_type", "continuity_archive_envelope"},
                        {"schema_version", "1.1"},
                        {"archived_at", stored.archived_at},
                        {"archived_by", stored.archived_by},
                        {"reason", stored.reason},
                        {"active_path", active_path(stored.stem)},
                        {"capsule", stored.capsule}});
}

}  // namespace holdfast::service::continuity
