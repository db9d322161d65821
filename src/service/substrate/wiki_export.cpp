#include "service/substrate/wiki_export.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "model/json_text.h"
#include "service/substrate/page_files.h"
#include "service/substrate/pages.h"
#include "service/substrate/stored.h"
#include "service/substrate/words.h"
#include "text/lines.h"

namespace holdfast::service::substrate {
namespace {

using access::SpaceAccess;

constexpr std::string_view kManifest = ".memory-substrate-projection.json";
constexpr std::string_view kUnmanaged = "unmanaged_path_conflict";
constexpr std::string_view kModified = "modified_generated_file";
constexpr std::string_view kMissing = "missing_generated_file";
constexpr size_t kExcerpt = 240;

struct ManifestEntry {
  std::string path = {};
  std::string hash = {};
  std::string object_type = {};
  std::string object_id = {};
};
using Manifest = std::map<std::string, ManifestEntry>;

// A manifest is a file like others: it must not lead outside its folder.
bool stays_inside(const std::filesystem::path& path) {
  return !path.empty() && path.is_relative() && std::ranges::find(path, "..") == path.end();
}

// Whether what is there is still what was written.
bool is_unchanged(const std::optional<std::string>& there, const ManifestEntry& entry) {
  return there && sha256_hex(*there) == entry.hash;
}

Manifest read_manifest(const std::string& root) {
  Manifest manifest;
  const auto text = read_page(root, std::string(kManifest));
  const auto json = text ? parse_json(*text) : Result<Value>(Error{});
  const Value* files = json ? json->find("files") : nullptr;
  if (files == nullptr || !files->is_array()) return manifest;
  for (const Value& file : *files->if_array()) {
    const DocumentView view(ObjectType::kSource, file);
    const std::string path(view.text("path"));
    if (stays_inside(path)) manifest[path] = {path, std::string(view.text("hash"))};
  }
  return manifest;
}

Status write_manifest(const std::string& root, const WikiTarget& target, const Manifest& manifest,
                      Timestamp now) {
  Value files = Value::array();
  for (const auto& [path, entry] : manifest) {
    files.push(Value::object({{"path", path},
                              {"hash", entry.hash},
                              {"object_type", entry.object_type},
                              {"object_id", entry.object_id}}));
  }
  return write_page(root, std::string(kManifest),
                    to_pretty_json(Value::object({{"schema_version", 1},
                                                  {"format", target.format},
                                                  {"generated_at", time_text(now)},
                                                  {"files", std::move(files)}})));
}

std::string front_matter(const WikiTarget& target, const ManifestEntry& entry,
                         std::string_view title) {
  std::string quoted;
  append_json_string(quoted, title);
  return fmt::format(
      "---\nmemory_substrate_projection: true\nprojection_schema: 1\nprojection_format: {}\n"
      "object_type: {}\nobject_id: \"{}\"\ntitle: {}\n---\n\n",
      target.format, entry.object_type, entry.object_id, quoted);
}

class Rendering {
 public:
  Rendering(const WikiTarget& target, Timestamp now)
      : target_(target), now_(now), known_(read_manifest(target.path)) {
    out_.target_path = target.path;
    out_.format = target.format;
    out_.manifest_path = target.path + "/" + std::string(kManifest);
  }

  Status add(ManifestEntry entry, std::string_view title, const std::string& body) {
    const std::string text = front_matter(target_, entry, title) + body;
    const std::string path = entry.path;
    const auto there = read_page(target_.path, path);
    const auto known = known_.find(path);
    const bool taken = is_taken(target_.path, path);
    if (taken && known == known_.end()) return conflict_at(path, kUnmanaged);
    if (taken && !is_unchanged(there, known->second)) {
      entry.hash = known->second.hash;  // still ours, still changed
      fresh_[path] = std::move(entry);
      return conflict_at(path, kModified);
    }
    entry.hash = sha256_hex(text);
    if (!there || *there != text) {
      HOLDFAST_CHECK_OK(write_page(target_.path, path, text));
      out_.written.push_back(path);
    }
    fresh_[path] = std::move(entry);
    return {};
  }

  Result<RenderedWiki> finish() {
    for (const auto& [path, entry] : known_) {
      if (fresh_.contains(path)) continue;
      if (!is_taken(target_.path, path)) continue;
      if (!is_unchanged(read_page(target_.path, path), entry)) {
        HOLDFAST_CHECK_OK(conflict_at(path, kModified));
        continue;
      }
      remove_page(target_.path, path);
      out_.removed.push_back(path);
    }
    HOLDFAST_CHECK_OK(write_manifest(target_.path, target_, fresh_, now_));
    return std::move(out_);
  }

 private:
  Status conflict_at(const std::string& path, std::string_view reason) {
    out_.conflicts.push_back({path, std::string(reason)});
    return {};
  }

  const WikiTarget& target_;
  const Timestamp now_;
  const Manifest known_;
  Manifest fresh_;
  RenderedWiki out_;
};

}  // namespace

Result<RenderedWiki> render_wiki(storage::ReadTxn& txn, const SpaceAccess& access,
                                 const WikiTarget& target, Timestamp now) {
  Rendering rendering(target, now);
  TreeSummary summary;
  for (const ObjectType type : kObjectTypes) {
    HOLDFAST_CHECK_OK(each_stored(txn, access, type, [&](Stored& stored) -> Status {
      const DocumentView view = stored.view();
      ++summary.counts[static_cast<size_t>(type)];
      const std::string_view folder = wiki_folder(view);
      if (folder.empty()) return {};
      if (type == ObjectType::kNode) summary.projects.emplace_back(view.title());
      return rendering.add(
          {.path = fmt::format("{}/{}", folder, page_file_name(view.title(), view.id())),
           .object_type = std::string(type_name(type)),
           .object_id = stored.id()},
          view.title(), wiki_body(view));
    }));
  }
  HOLDFAST_CHECK_OK(rendering.add({.path = "Home.md", .object_type = "home", .object_id = "home"},
                                  "Home", home_body(summary)));
  return rendering.finish();
}

Result<ReconciledWiki> reconcile_wiki(const WikiTarget& target) {
  ReconciledWiki out{.target_path = target.path,
                     .format = target.format,
                     .manifest_path = target.path + "/" + std::string(kManifest)};
  const Manifest manifest = read_manifest(target.path);
  const auto there = list_pages(target.path);
  for (const auto& [path, entry] : manifest) {
    if (!is_taken(target.path, path)) {
      out.conflicts.push_back({path, std::string(kMissing)});
    } else if (!is_unchanged(read_page(target.path, path), entry)) {
      out.conflicts.push_back({path, std::string(kModified)});
    }
  }
  for (const std::string& path : there) {
    if (!path.ends_with(".md") || manifest.contains(path)) continue;
    // Files of others may hold any bytes, also in their names.
    const std::string shown = text::decode_utf8(path, text::BadBytes::kReplace);
    const std::string words =
        text::decode_utf8(read_page(target.path, path).value_or(""), text::BadBytes::kReplace);
    out.remember_candidates.push_back({.path = shown,
                                       .title = std::filesystem::path(shown).stem().string(),
                                       .excerpt = clip(squeeze(words), kExcerpt)});
  }
  return out;
}

}  // namespace holdfast::service::substrate
