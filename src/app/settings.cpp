#include "app/settings.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "base/assert.h"
#include "base/utf8.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;

// Texts of the file's values, by dotted key.
Status flatten(const toml::table& table, const std::string& prefix,
               std::map<std::string, std::string>& out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* inner = node.as_table()) {
      HOLDFAST_CHECK_OK(flatten(*inner, name + ".", out));
    } else if (const auto* text = node.as_string()) {
      out[name] = text->get();
    } else if (const auto* number = node.as_integer()) {
      out[name] = fmt::format("{}", number->get());
    } else if (const auto* decimal = node.as_floating_point()) {
      out[name] = fmt::format("{}", decimal->get());
    } else if (const auto* flag = node.as_boolean()) {
      out[name] = flag->get() ? "true" : "false";
    } else if (const auto* array = node.as_array()) {
      std::string joined;
      for (const auto& element : *array) {
        const auto* item = element.as_string();
        if (item == nullptr)
          return invalid_argument(fmt::format("{} must be a list of texts", name));
        joined += (joined.empty() ? "" : ",") + item->get();
      }
      out[name] = joined;
    } else {
      return invalid_argument(fmt::format("{} has a type that no setting has", name));
    }
  }
  return {};
}

Result<std::map<std::string, std::string>> read_settings_file(const std::string& path) {
  std::error_code unreachable;
  if (fs::is_directory(path, unreachable))  // which the parser takes for an empty file
    return invalid_argument(fmt::format("{} cannot be read: it is a folder.", path));
  const toml::parse_result parsed = toml::parse_file(path);
  if (!parsed) {
    return invalid_argument(fmt::format("{} cannot be read: {} (line {}).", path,
                                        parsed.error().description(),
                                        parsed.error().source().begin.line));
  }
  std::map<std::string, std::string> values;
  if (const auto flat = flatten(parsed.table(), "", values); !flat) {
    return invalid_argument(fmt::format("{}: {}.", path, flat.error().message));
  }
  for (const auto& [name, value] : values) {
    const auto known = [&name = name](const SettingSpec& spec) { return spec.name == name; };
    if (!std::ranges::any_of(setting_specs(), known)) {
      return invalid_argument(fmt::format(
          "{}: there is no setting '{}'. 'holdfast serve --help' lists them.", path, name));
    }
  }
  return values;
}

}  // namespace

const std::vector<SettingSpec>& setting_specs() {
  static const std::vector<SettingSpec> specs = {
      {"data", "",
       "folder that holds everything (default: $MEMORY_SUBSTRATE_ROOT, $XDG_DATA_HOME/holdfast or "
       "~/.local/share/holdfast)"},
      {"space", "", "the space that commands work in (default: default)"},
      {"listen", "127.0.0.1:7070", "address and port to serve on; port 0 picks a free one"},
      {"auth", "off",
       "off: every caller is the local owner (loopback only); tokens: a bearer token names the "
       "caller"},
      {"bootstrap", "", "JSON file with principals and tokens to add at the start"},
      {"public-url", "",
       "prefix for absolute links and an extra accepted Host (default: http://HOST:PORT)"},
      {"rate-limits", "on", "on or off; each surface has its own, and the local owner none"},
      {"requests-per-minute", "6000", "what one principal may ask of the native surface"},
      {"oauth-issuer", "",
       "authorization server whose access tokens /mcp accepts beside our own; needs --auth tokens, "
       "--public-url and --oauth-jwks"},
      {"oauth-jwks", "", "file or URL of that issuer's public keys (a JSON Web Key Set)"},
      {"tls-cert", "", "PEM file with the certificate chain; serves HTTPS together with --tls-key"},
      {"tls-key", "", "PEM file with the private key"},
      {"allow-host", "", "further Host names to accept, comma-separated"},
      {"allow-origin", "", "Origins of browsers to accept besides our own, comma-separated"},
      {"log", "text", "text for people or json for programs; on standard error"},
      {"access-log", "failures", "which requests are logged: off, failures (5xx) or all"},
      {"log-level", "info", "debug, info, warn, error or off"},
      {"workers", "64", "threads that run requests; durable writes wait for the disk in one"},
      {"max-connections", "1024", "open connections; further ones get 503"},
      {"http.max_body_bytes", "8388608", "the largest body that the recall API takes"},
      {"extractor.mode", "rules",
       "how recall items become memory: rules, llm, or llm_with_fallback (to the rules)"},
      {"extractor.base_url", "", "the endpoint: calls go to BASE/chat/completions"},
      {"extractor.model", "", "the model's name"},
      {"extractor.model_write_extraction", "", "another model for reading items"},
      {"extractor.model_thread_aggregation", "", "another model for summing up threads"},
      {"extractor.model_fact_extraction", "", "another model for finding facts"},
      {"extractor.model_fact_consolidation", "", "another model for summing up facts"},
      {"extractor.model_consolidation", "",
       "another model for what several threads have in common"},
      {"extractor.model_note_title", "", "another model for titles of notes"},
      {"extractor.api_key", "", "bearer key for the endpoint"},
      {"extractor.api_key_file", "", "file that holds the key"},
      {"extractor.timeout_ms", "60000", "the longest that one call may take"},
      {"extractor.retry_base_ms", "250", "the wait before a call is repeated; doubled each time"},
      {"queue.lease_seconds", "900", "how long an attempt of a background job may take"},
      {"queue.max_attempts", "3", "attempts before a background job is given up"},
      {"queue.backoff_seconds", "5", "the wait after a first failed attempt; doubled each time"},
      {"retention.enabled", "false",
       "remove recall items and memories that nobody needs any more, every five minutes"},
      {"recall.mcp", "off", "on: the recall tools are offered at /mcp beside the others"},
      {"injection.policy.decision", "proactive",
       "when it is injected: proactive, event, on_demand (only when asked for) or suspended"},
      {"injection.policy.investigation_outcome", "proactive", "likewise"},
      {"injection.policy.constraint_memory", "proactive", "likewise"},
      {"injection.policy.atomic_fact", "proactive", "likewise"},
      {"injection.policy.fact_summary", "proactive", "likewise"},
      {"injection.policy.thread_summary", "proactive", "likewise"},
      {"injection.policy.task_checkpoint", "proactive", "likewise"},
      {"injection.policy.continuity_memory", "proactive", "likewise"},
      {"injection.policy.pattern_memory", "proactive", "likewise"},
      {"injection.policy.note", "proactive", "likewise"},
      {"vector.mode", "off",
       "off; hashed: also search by spelling, no model; endpoint: by embeddings from an "
       "OpenAI-compatible endpoint"},
      {"vector.base_url", "", "the endpoint: calls go to BASE/embeddings"},
      {"vector.model", "", "the embedding model's name"},
      {"vector.dimensions", "0", "the length of its vectors; 0 asks the endpoint at the start"},
      {"vector.api_key", "", "bearer key for the endpoint"},
      {"ingest.roots", "",
       "folders that callers with a token may ingest from, comma-separated; the local owner may "
       "read what the server can"},
      {"ingest.private_urls", "owner",
       "who may ingest web pages from loopback, private and link-local addresses: nobody, owner "
       "(the local owner) or all"},
      {"ingest.pdf_text", "off",
       "on: extract the text of PDF files with pdftotext (poppler-utils)"},
      {"continuity.tokens",
       "",
       "tokens of the continuity API: token or token:scope|scope, comma-separated; needs --auth "
       "tokens",
       false,
       {"COGNIRELAY_TOKENS"}},
      {"continuity.retention_archive_days",
       "90",
       "age at which archived capsules may go to cold storage",
       false,
       {"COGNIRELAY_CONTINUITY_RETENTION_ARCHIVE_DAYS"}},
      {"continuity.schedule_due_limit",
       "10",
       "due reminders shown in a context, at most",
       false,
       {"COGNIRELAY_SCHEDULE_DUE_LIMIT"}},
      {"continuity.schedule_upcoming_limit",
       "5",
       "upcoming reminders shown in a context, at most",
       false,
       {"COGNIRELAY_SCHEDULE_UPCOMING_LIMIT"}},
      {"continuity.schedule_upcoming_window_hours",
       "72",
       "how far ahead a reminder is upcoming",
       false,
       {"COGNIRELAY_SCHEDULE_UPCOMING_WINDOW_HOURS"}},
      {"continuity.token_rate_limit_per_min",
       "240",
       "calls of one peer on one continuity route",
       false,
       {"COGNIRELAY_TOKEN_RATE_LIMIT_PER_MIN"}},
      {"continuity.ip_rate_limit_per_min",
       "480",
       "calls from one address on one continuity route",
       false,
       {"COGNIRELAY_IP_RATE_LIMIT_PER_MIN"}},
      {"continuity.max_payload_bytes",
       "262144",
       "largest body of a continuity write",
       false,
       {"COGNIRELAY_MAX_PAYLOAD_BYTES"}},
      {"continuity.mcp", "on", "off: no JSON-RPC tools at /v1/mcp"},
      {"continuity.ui",
       "off",
       "on: pages for operators below /ui, read-only and without a token",
       false,
       {"COGNIRELAY_UI_ENABLED"}},
      {"continuity.ui_require_localhost",
       "on",
       "off: the pages answer other machines too, whoever asks",
       false,
       {"COGNIRELAY_UI_REQUIRE_LOCALHOST"}},
      {"continuity.ui_poll_seconds",
       "5",
       "how often /ui/events tells what is there, 1 to 60",
       false,
       {"COGNIRELAY_UI_SSE_POLL_INTERVAL_SECONDS"}},
      {"continuity.contract_version",
       "2026-02-25",
       "the contract that the continuity API announces",
       false,
       {"COGNIRELAY_CONTRACT_VERSION"}},
      {"chat.provider",
       "embedded",
       "who answers chats: embedded (extractive, offline) or openai (an OpenAI-compatible "
       "endpoint)",
       false,
       {"SOL_LLM_PROVIDER", "LLM_PROVIDER"}},
      {"chat.fallback",
       "none",
       "embedded: answers when the endpoint fails for now",
       false,
       {"SOL_LLM_FALLBACK"}},
      {"chat.distill_provider",
       "embedded",
       "who distils memories: embedded or openai",
       false,
       {"SOL_DISTILL_PROVIDER"}},
      {"openai.base_url",
       "https://api.openai.com/v1",
       "the endpoint of chats",
       false,
       {"OPENAI_BASE_URL"}},
      {"openai.api_key", "", "its bearer key", false, {"OPENAI_API_KEY"}},
      {"openai.model", "", "its model", false, {"OPENAI_MODEL"}},
      {"openai.json_mode", "1", "ask it for JSON answers", false, {"OPENAI_JSON_MODE"}},
      {"openai.timeout_ms", "60000", "how long one call may take", false, {"OPENAI_TIMEOUT_MS"}},
      {"openai.retries",
       "0",
       "further tries after 429, 5xx and broken connections",
       false,
       {"OPENAI_RETRIES"}},
      {"chat.api_key",
       "",
       "bearer key of every chat client; needs --auth tokens",
       false,
       {"SOLSERVER_API_KEY"}},
      {"chat.api_keys",
       "",
       "keys that stand for one user each: key=user, comma-separated",
       false,
       {"SOL_API_KEYS"}},
      {"chat.default_user",
       "",
       "the user where a request names none",
       false,
       {"SOL_DEFAULT_USER_ID"}},
      {"chat.requests_per_minute",
       "240",
       "of one user; 0: no limit",
       false,
       {"SOL_RATE_LIMIT_PER_MIN"}},
      {"chat.distills_per_minute",
       "30",
       "of one user; 0: no limit",
       false,
       {"SOL_DISTILL_RATE_PER_MIN"}},
      {"chat.enforcement",
       "strict",
       "what broken driver blocks do: strict, warn or off",
       false,
       {"SOL_ENFORCEMENT_MODE"}},
      {"chat.max_regenerations",
       "1",
       "tries at a better answer, at most",
       false,
       {"SOL_MAX_REGENERATIONS"}},
      {"chat.max_output_tokens", "4000", "the longest answer", false, {"SOL_MAX_OUTPUT_TOKENS"}},
      {"chat.trace_debug",
       "1",
       "whether clients may see the events of a run",
       false,
       {"SOL_TRACE_DEBUG_ALLOWED"}},
      {"chat.audit_always", "0", "show the audit of every run", false, {"SOL_AUDIT_ALWAYS"}},
      {"chat.inline", "1", "0: flat chats are answered later", false, {"SOL_INLINE_PROCESSING"}},
      {"chat.idempotency_hours",
       "48",
       "how long repetitions get the first answer",
       false,
       {"SOL_IDEMPOTENCY_TTL_HOURS"}},
      {"chat.hazy_after_seconds",
       "0",
       "when memories fade; 0: never",
       false,
       {"SOL_MEMORY_HAZY_AFTER_SECONDS"}},
      {"chat.driver_blocks",
       "",
       "JSON file with more driver blocks",
       false,
       {"SOL_DRIVER_BLOCK_REGISTRY"}},
      {"chat.price_in_per_1k",
       "0",
       "dollars for 1,000 tokens sent to the endpoint",
       false,
       {"SOL_PRICE_IN_PER_1K"}},
      {"chat.price_out_per_1k",
       "0",
       "dollars for 1,000 tokens it answers",
       false,
       {"SOL_PRICE_OUT_PER_1K"}},
      {"isolate-surfaces", "off",
       "each published API finds only what it stored itself; the native one still shows everything",
       true},
      {"test-clock", "off", "adds POST /_test/clock, which moves the server's time forward", true},
      {"mcp-fixtures", "off", "adds the items that conformance suites of MCP call; for tests",
       true},
      {"config", "", "settings file (default: holdfast.toml in the data folder, if it is there)"},
  };
  return specs;
}

const SettingSpec& setting_spec(std::string_view name) {
  const auto it = std::ranges::find_if(setting_specs(),
                                       [&](const SettingSpec& spec) { return spec.name == name; });
  HOLDFAST_ASSERT(it != setting_specs().end());
  return *it;
}

std::string option_name(std::string_view setting) {
  std::string name = "--" + std::string(setting);
  for (char& c : name) c = c == '.' || c == '_' ? '-' : c;
  return name;
}

std::string environment_name(std::string_view setting) {
  std::string name = "HOLDFAST_";
  for (const char c : setting)
    name += c == '-' || c == '.' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return name;
}

std::string default_data_folder(const Settings::Environment& environment) {
  // The name that users of the memory-substrate server know.
  if (auto root = environment("MEMORY_SUBSTRATE_ROOT"); root && !root->empty()) {
    const bool at_home = *root == "~" || root->starts_with("~/");
    return at_home ? environment("HOME").value_or("/root") + root->substr(1) : *root;
  }
  if (const auto base = environment("XDG_DATA_HOME"); base && !base->empty())
    return *base + "/holdfast";
  return environment("HOME").value_or("/root") + "/.local/share/holdfast";
}

Result<Settings> Settings::load(const std::map<std::string, std::string>& given,
                                const Environment& environment) {
  Settings settings;
  const auto resolve = [&](const SettingSpec& spec) -> std::optional<Entry> {
    if (const auto it = given.find(spec.name); it != given.end())
      return Entry{it->second, "option " + option_name(spec.name)};
    std::vector<std::string> variables = {environment_name(spec.name)};
    variables.insert(variables.end(), spec.variables.begin(), spec.variables.end());
    for (const std::string& variable : variables) {
      if (const auto value = environment(variable)) return Entry{*value, "variable " + variable};
    }
    return std::nullopt;
  };
  for (const SettingSpec& spec : setting_specs()) {
    settings.entries_[spec.name] = resolve(spec).value_or(Entry{spec.default_value, "default"});
  }
  Entry& data = settings.entries_["data"];
  if (data.value.empty()) data.value = default_data_folder(environment);

  std::string file = settings.text("config");
  if (file.empty()) {
    file = data.value + "/holdfast.toml";
    std::error_code unreachable;
    if (!fs::exists(file, unreachable)) return settings;
  }
  HOLDFAST_TRY(const auto values, read_settings_file(file));
  for (const auto& [name, value] : values) {
    Entry& entry = settings.entries_[name];
    if (entry.place == "default") entry = {value, fmt::format("'{}' in {}", name, file)};
  }
  return settings;
}

const Settings::Entry& Settings::entry(std::string_view name) const {
  const auto it = entries_.find(name);
  HOLDFAST_ASSERT(it != entries_.end());
  return it->second;
}

Error Settings::bad(std::string_view name, std::string_view allowed) const {
  const Entry& given = entry(name);
  return invalid_argument(
      fmt::format("The {} is '{}', but must be {}.", given.place, given.value, allowed));
}

std::string Settings::text(std::string_view name) const { return entry(name).value; }

Result<int64_t> Settings::integer(std::string_view name, int64_t min, int64_t max) const {
  const std::string& value = entry(name).value;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < min || number > max) {
    return bad(name, fmt::format("a whole number from {} to {}", min, max));
  }
  return number;
}

Result<bool> Settings::boolean(std::string_view name) const {
  const std::string value = fold_case(entry(name).value);
  for (const char* yes : {"on", "true", "yes", "1"}) {
    if (value == yes) return true;
  }
  for (const char* no : {"off", "false", "no", "0"}) {
    if (value == no) return false;
  }
  return bad(name, "on or off");
}

Result<std::string> Settings::one_of(std::string_view name,
                                     const std::vector<std::string>& allowed) const {
  const std::string& value = entry(name).value;
  if (std::ranges::find(allowed, value) != allowed.end()) return value;
  return bad(name, fmt::format("one of {}", fmt::join(allowed, ", ")));
}

std::vector<std::string> Settings::list(std::string_view name) const {
  std::vector<std::string> items;
  std::string_view rest = entry(name).value;
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const std::string_view item = trim_space(rest.substr(0, comma));
    if (!item.empty()) items.emplace_back(item);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return items;
}

}  // namespace holdfast::app
