#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "app/archive_pages.h"
#include "app/git_history.h"
#include "app/relay_folder.h"
#include "app/schedule_file.h"
#include "app/terminal.h"
#include "model/object_codec.h"
#include "service/continuity/folder_layout.h"
#include "service/continuity/work_nouns.h"
#include "storage/typed.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;
namespace continuity = service::continuity;

// Follows the journal and keeps in mind which object stands behind which file.
class Export {
 public:
  Export(CommandRun& run, std::string folder)
      : run_(run),
        folder_(std::move(folder)),
        git_(folder_, fmt::format("{} <{}>", run.text("author-name"), run.text("author-email"))) {}

  Status write() {
    HOLDFAST_CHECK_OK(git_.create());
    Progress progress("exporting");
    int64_t after = 0;
    for (bool done = false; !done;) {
      HOLDFAST_TRY(const Value page,
                   run_.call("GET", fmt::format("/holdfast/v1/export?after={}&limit={}", after,
                                                kPageChanges)));
      for (const Value& change : *page.find("changes")->if_array()) HOLDFAST_CHECK_OK(take(change));
      after = *page.find("next")->if_int();
      done = *page.find("done")->if_bool();
      const auto head = static_cast<double>(*page.find("head")->if_int());
      progress.update(head > 0 ? static_cast<double>(after) / head : 1,
                      fmt::format("{} commits", git_.commits()));
    }
    HOLDFAST_CHECK_OK(close_change());
    HOLDFAST_CHECK_OK(add_schedule());
    HOLDFAST_CHECK_OK(git_.finish());
    progress.done(fmt::format("{} commits", git_.commits()));
    run_.print(Value::object({{"folder", folder_}, {"commits", git_.commits()}}),
               [](const Value& value) {
                 return fmt::format("{} commits in {}\n", member_text(value, "commits"),
                                    member_text(value, "folder"));
               });
    return {};
  }

 private:
  Status take(const Value& change) {
    HOLDFAST_TRY(const JournalEntry entry, decode_entry_exactly(*change.find("entry")));
    if (entry.change != change_) HOLDFAST_CHECK_OK(close_change());
    change_ = entry.change;
    commit_.at = entry.at;
    const Value* content = change.find("object");
    const bool gone = content == nullptr || content->is_null();
    Object object{.key = entry.key};
    if (!gone) {
      HOLDFAST_TRY(object, decode_object_exactly(*content));
    }
    if (keep_shared(object, gone, entry.message)) return {};
    const auto files = gone ? std::vector<continuity::FolderFile>() : continuity::files_of(object);
    std::vector<std::string>& known = files_[entry.key];
    for (const std::string& path : known) {
      owners_[path].erase(entry.key);
      touched_.insert(path);
    }
    const bool concerns = !files.empty() || !known.empty();
    if (concerns && commit_.message.empty()) commit_.message = entry.message;
    known.clear();
    for (const continuity::FolderFile& file : files) {
      known.push_back(file.path);
      owners_[file.path].insert(entry.key);
      touched_.insert(file.path);
      commit_.files[file.path] = file.bytes;
    }
    if (known.empty()) files_.erase(entry.key);
    return {};
  }

  // Peers and reminders: many objects in one file.
  bool keep_shared(const Object& object, bool gone, const std::string& message) {
    const bool peer = object.key.kind == continuity::peer_noun().kind;
    if (!peer && object.key.kind != continuity::reminder_noun().kind) return false;
    auto& all = peer ? peers_ : reminders_;
    const auto document = storage::value_of(continuity::peer_noun(), object);
    if (gone || !document) {
      all.erase(object.key.id);
    } else {
      all[object.key.id] = document->body;
    }
    if (peer) {
      commit_.files[std::string(continuity::kRegistryFile)] = continuity::registry_text(peers_);
      if (commit_.message.empty()) commit_.message = message;
    }
    return true;
  }

  Status close_change() {
    for (const std::string& path : touched_) {
      const auto owner = owners_.find(path);
      if (owner == owners_.end() || !owner->second.empty()) continue;
      commit_.files[path] = std::nullopt;
      owners_.erase(owner);
    }
    touched_.clear();
    GitCommit commit = std::exchange(commit_, {});
    if (commit.files.empty()) return {};
    if (commit.message.empty()) commit.message = "continuity: change";
    return git_.add(commit);
  }

  // Reminders are no part of the history: they are as they are now.
  Status add_schedule() {
    if (reminders_.empty()) return {};
    const fs::path file = fs::path(folder_) / ".git" / "holdfast-schedule.db";
    std::vector<Value> rows;
    for (const auto& [id, reminder] : reminders_) rows.push_back(reminder);
    HOLDFAST_CHECK_OK(write_schedule_file(file, rows));
    std::ifstream in(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::error_code ignored;
    fs::remove(file, ignored);
    GitCommit commit{
        .at = std::chrono::time_point_cast<Timestamp::duration>(std::chrono::system_clock::now()),
        .message = "schedule: reminders as they are"};
    commit.files[std::string(continuity::kScheduleFile)] = std::move(bytes);
    return git_.add(commit);
  }

  CommandRun& run_;
  const std::string folder_;
  GitHistory git_;
  JournalPosition change_ = 0;
  GitCommit commit_ = {};
  std::set<std::string> touched_ = {};
  std::map<ObjectKey, std::vector<std::string>> files_ = {};
  std::map<std::string, std::set<ObjectKey>> owners_ = {};
  std::map<std::string, Value> peers_ = {};
  std::map<std::string, Value> reminders_ = {};
};

}  // namespace

Status export_relay(CommandRun& run, const std::string& folder) {
  return Export(run, folder).write();
}

}  // namespace holdfast::app
