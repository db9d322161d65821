#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "app/archive_pages.h"
#include "app/relay_folder.h"
#include "app/schedule_file.h"
#include "app/terminal.h"
#include "model/object_codec.h"
#include "service/continuity/folder_layout.h"

namespace holdfast::app {
namespace {

namespace fs = std::filesystem;
using service::continuity::FolderReader;

constexpr uintmax_t kMaxRelayFileBytes = uintmax_t{16} << 20U;
constexpr size_t kMostShown = 20;
// What agents wrote. Settings, tokens, logs and derived indexes stay where they are.
constexpr std::array<const char*, 8> kFolders = {"memory",  "tasks",  "peers",    "messages",
                                                 "journal", "essays", "projects", "runs"};
constexpr std::array<std::string_view, 5> kEndings = {".json", ".md", ".txt", ".jsonl", ".gz"};

bool is_taken(const fs::path& path) {
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

class RelayImport {
 public:
  RelayImport(CommandRun& run, fs::path folder) : run_(run), folder_(std::move(folder)) {}

  Status read() {
    Progress progress("reading");
    for (const char* top : kFolders) {
      const fs::path start = folder_ / top;
      std::error_code error;
      if (!fs::is_directory(fs::symlink_status(start, error))) continue;
      for (fs::recursive_directory_iterator at(start, error), end; at != end; at.increment(error)) {
        if (error) break;
        // Links could lead out of the folder.
        if (!fs::is_regular_file(at->symlink_status(error)) || !is_taken(at->path())) continue;
        take(at->path());
        progress.update(0, fmt::format("{} files", files_));
      }
    }
    take_schedule();
    progress.done(fmt::format("{} files", files_));
    return {};
  }

  Status send() {
    Progress progress("importing");
    const std::vector<Object> objects = reader_.take();
    Value page = Value::array();
    size_t bytes = 0;
    for (size_t i = 0; i < objects.size(); ++i) {
      page.push(change_of(objects[i]));
      bytes += objects[i].body.size();
      const bool last = i + 1 == objects.size();
      if (!last && page.if_array()->size() < kPageChanges && bytes < kMaxPageBytes) continue;
      const Value body = Value::object({{"changes", std::move(page)}});
      HOLDFAST_TRY(const Value answer, run_.call("POST", "/holdfast/v1/import", &body));
      imported_ += *answer.find("imported")->if_int();
      skipped_ += *answer.find("skipped")->if_int();
      page = Value::array();
      bytes = 0;
      progress.update(static_cast<double>(i + 1) / static_cast<double>(objects.size()),
                      fmt::format("{} objects", i + 1));
    }
    progress.done(fmt::format("{} objects", imported_));
    return {};
  }

  void report() const {
    for (size_t i = 0; i < std::min(kMostShown, refused_.size()); ++i)
      std::cerr << "not imported: " << one_line(refused_[i]) << '\n';
    run_.print(Value::object({{"files", files_},
                              {"imported", imported_},
                              {"skipped", skipped_},
                              {"refused", Value::array_of(refused_)}}),
               [&](const Value& value) {
                 return fmt::format(
                     "{} files: {} objects imported, {} were there already, {} files refused\n",
                     member_text(value, "files"), member_text(value, "imported"),
                     member_text(value, "skipped"), refused_.size());
               });
  }

 private:
  void take(const fs::path& path) {
    const std::string name = path.lexically_relative(folder_).generic_string();
    std::error_code error;
    if (fs::file_size(path, error) > kMaxRelayFileBytes)
      return refused_.push_back(name + ": larger than 16 MiB");
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad() || !in.is_open()) return refused_.push_back(name + ": cannot be read");
    ++files_;
    const Status added = reader_.add({.path = name, .bytes = bytes}, modified_of(path));
    if (!added) refused_.push_back(name + ": " + added.error().message);
  }

  void take_schedule() {
    const fs::path path = folder_ / service::continuity::kScheduleFile;
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(path, error))) return;
    ++files_;
    const auto reminders = read_schedule_file(path);
    if (!reminders) return refused_.push_back(reminders.error().message);
    for (const Value& one : *reminders) reader_.add_reminder(one);
  }

  static Timestamp modified_of(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    if (error) return Timestamp();
    return std::chrono::time_point_cast<Timestamp::duration>(std::chrono::file_clock::to_sys(time));
  }

  static Value change_of(const Object& object) {
    const JournalEntry entry{.at = object.updated_at,
                             .principal = "import",
                             .surface = "continuity",
                             .action = std::string(journal_action::kCreated),
                             .key = object.key,
                             .revision = object.revision,
                             .message = "import cognirelay"};
    return Value::object(
        {{"entry", encode_entry_exactly(entry)}, {"object", encode_object_exactly(object)}});
  }

  CommandRun& run_;
  const fs::path folder_;
  FolderReader reader_;
  std::vector<std::string> refused_ = {};
  int64_t files_ = 0;
  int64_t imported_ = 0;
  int64_t skipped_ = 0;
};

}  // namespace

Status import_relay(CommandRun& run, const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return invalid_argument(fmt::format("{} is no folder.", folder));
  RelayImport import(run, folder);
  HOLDFAST_CHECK_OK(import.read());
  HOLDFAST_CHECK_OK(import.send());
  import.report();
  return {};
}

}  // namespace holdfast::app
