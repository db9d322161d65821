#include "service/substrate/page_tree.h"

#include <algorithm>
#include <filesystem>

#include "base/log.h"
#include "service/substrate/page_count.h"
#include "service/substrate/page_files.h"
#include "service/substrate/stored.h"

namespace holdfast::service::substrate {
namespace {

namespace fs = std::filesystem;
using access::SpaceAccess;

constexpr std::string_view kApiFolder = "wiki/API/";
constexpr std::string_view kProjectFolder = "wiki/Projects/";
constexpr std::string_view kUnderWay = ".new";

bool is_api(const std::string& path) { return path.starts_with(kApiFolder); }
bool is_listed(const std::string& path) { return is_api(path) || path.starts_with(kProjectFolder); }

// `Title (mark).md` → the mark; empty for the pages that list others.
std::string mark_in(std::string_view path) {
  static constexpr std::string_view kEnd = ").md";
  const size_t open = path.rfind(" (");
  if (open == std::string_view::npos || !path.ends_with(kEnd)) return {};
  return std::string(path.substr(open + 2, path.size() - open - 2 - kEnd.size()));
}

std::vector<MarkdownPage> pages_of(const DocumentView& view) {
  std::vector<MarkdownPage> pages = {debug_page(view)};
  if (auto page = wiki_page(view)) pages.push_back(std::move(*page));
  return pages;
}

void write_or_log(const std::string& root, const MarkdownPage& page) {
  const Status written = write_page(root, page.path, page.text);
  if (!written) log::warn("page_not_written", {{"error", written.error().detail}});
}

std::vector<std::string> titles_below(const std::set<std::string>& paths, std::string_view folder) {
  std::vector<std::string> titles;
  for (const std::string& path : paths) {
    if (!path.starts_with(folder)) continue;
    titles.push_back(path.substr(folder.size(), path.rfind(" (") - folder.size()));
  }
  return titles;
}

void remove_folder(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

PageTree::PageTree(std::string folder, storage::Store& store, const access::Gatekeeper& gatekeeper,
                   const search::Index& index)
    : folder_(std::move(folder)), store_(store), gatekeeper_(gatekeeper), index_(index) {
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.ends_with(kUnderWay)) {  // a rebuild that was killed
      remove_folder(it->path().string());
      continue;
    }
    Tree& tree = trees_[SpaceId{name}];
    tree.root = it->path().string();
    for (const std::string& path : list_pages(tree.root)) {
      if (std::string mark = mark_in(path); !mark.empty()) tree.places[mark].push_back(path);
      if (is_listed(path)) tree.listed.insert(path);
    }
  }
}

void PageTree::Tree::put(const DocumentView& view) {
  auto pages = pages_of(view);
  auto& have = places[page_mark(view.id())];
  const bool module = view.text("identity_key").starts_with("node|module|");
  const bool room =
      std::ranges::any_of(have, is_api) || std::ranges::count_if(listed, is_api) < kMaxApiPages;
  if (module && room) pages.push_back(api_page(view));
  std::vector<std::string> before = std::move(have);
  have.clear();
  for (const MarkdownPage& page : pages) {
    write_or_log(root, page);
    have.push_back(page.path);
    if (is_listed(page.path)) listed.insert(page.path);
  }
  for (const std::string& path : before) {
    if (std::ranges::find(have, path) != have.end()) continue;
    remove_page(root, path);
    listed.erase(path);
  }
}

void PageTree::Tree::remove(const std::string& id) {
  const auto place = places.find(page_mark(id));
  if (place == places.end()) return;
  for (const std::string& path : place->second) {
    remove_page(root, path);
    listed.erase(path);
  }
  places.erase(place);
}

TreeSummary PageTree::summary_of(const SpaceId& space) const {
  TreeSummary summary;
  const SpaceAccess access = gatekeeper_.engine_access(space);
  for (const search::KindCount& count : index_.counts(access)) {
    if (const auto type = type_from_name(count.kind)) {
      summary.counts[static_cast<size_t>(*type)] = count.documents;
    }
  }
  search::ListRequest repositories{.filter = {.kinds = {"source"}}, .limit = 0};
  repositories.filter.facets.push_back({.name = std::string(facet::kKind), .any_of = {"repo"}});
  const auto found = index_.list(access, repositories);
  summary.has_repository = found && found->total > 0;
  return summary;
}

void PageTree::refresh_summary(const SpaceId& space, const Tree& tree) const {
  TreeSummary summary = summary_of(space);
  summary.projects = titles_below(tree.listed, kProjectFolder);
  summary.modules = titles_below(tree.listed, kApiFolder);
  for (const MarkdownPage& page : summary_pages(summary)) write_or_log(tree.root, page);
}

Result<PageTree::Tree> PageTree::build(const SpaceId& space, Deadline deadline) {
  Tree tree{.root = root_of(space) + std::string(kUnderWay)};
  remove_folder(tree.root);
  HOLDFAST_TRY(const auto txn, store_.begin_read(deadline));
  const SpaceAccess access = gatekeeper_.engine_access(space);
  for (const ObjectType type : kObjectTypes) {
    HOLDFAST_CHECK_OK(each_stored(*txn, access, type, [&](Stored& stored) -> Status {
      tree.put(stored.view());
      return {};
    }));
  }
  return tree;
}

Result<std::vector<std::string>> PageTree::rebuild(const SpaceId& space, Deadline deadline) {
  {
    MutexLock lock(mutex_);
    if (missed_.contains(space)) return unavailable("Pages of this space are being written.");
    missed_[space];
  }
  auto built = build(space, deadline);
  MutexLock lock(mutex_);
  const auto missed = std::move(missed_[space]);
  missed_.erase(space);
  if (!built) return std::move(built).error();
  std::error_code error;
  remove_folder(root_of(space));
  fs::create_directories(built->root, error);
  fs::rename(built->root, root_of(space), error);
  if (error) {
    return Error{.code = ErrorCode::kUnavailable,
                 .message = "The pages cannot be put in their place.",
                 .detail = error.message()};
  }
  Tree& tree = trees_[space] = std::move(*built);
  tree.root = root_of(space);
  for (const storage::Change& change : missed) follow(tree, change);
  refresh_summary(space, tree);
  const auto written = list_pages(tree.root);
  return std::vector<std::string>(written.begin(), written.end());
}

Result<std::vector<StructureIssue>> PageTree::check(storage::ReadTxn& txn,
                                                    const SpaceAccess& access) {
  std::vector<StructureIssue> issues;
  {
    MutexLock lock(mutex_);
    if (!trees_.contains(access.space())) return issues;
  }
  std::set<std::string> expected;
  for (const ObjectType type : kObjectTypes) {
    HOLDFAST_CHECK_OK(each_stored(txn, access, type, [&](Stored& stored) -> Status {
      for (const auto& page : pages_of(stored.view())) expected.insert(page.path);
      return {};
    }));
  }
  for (const MarkdownPage& page : summary_pages(summary_of(access.space())))
    expected.insert(page.path);
  const auto add = [&](std::string_view kind, const std::string& path, std::string_view what) {
    issues.push_back({.kind = std::string(kind),
                      .target_id = path,
                      .summary = std::string(what),
                      .details = Value::object({{"path", path}}),
                      .repairable = true});
  };
  const auto there = list_pages(root_of(access.space()));
  for (const std::string& path : expected) {
    if (!there.contains(path)) add("missing_projection", path, "A page is not there.");
  }
  // Whoever may not see everything cannot tell which pages are too many.
  for (const std::string& path : there) {
    const bool of_one_object = !mark_in(path).empty() && !is_api(path);
    if (access.viewer().sees_everything() && of_one_object && !expected.contains(path)) {
      add("stale_projection", path, "A page shows what is no longer there.");
    }
  }
  return issues;
}

void PageTree::follow(Tree& tree, const storage::Change& change) {
  const auto type = type_from_name(change.object.key.kind);
  if (!type) return;
  if (change.what != storage::Change::What::kPut) return tree.remove(change.object.key.id);
  if (const auto stored = stored_of(*type, change.object)) tree.put(stored->view());
}

void PageTree::on_commit(const std::vector<storage::Change>& changes) {
  MutexLock lock(mutex_);
  if (trees_.empty() && missed_.empty()) return;
  std::set<SpaceId> touched;
  for (const storage::Change& change : changes) {
    if (const auto waiting = missed_.find(change.space); waiting != missed_.end()) {
      waiting->second.push_back(change);
    }
    const auto tree = trees_.find(change.space);
    if (tree == trees_.end()) continue;
    if (change.object.key.kind.empty()) {  // the whole space was erased
      remove_folder(tree->second.root);
      trees_.erase(tree);
      touched.erase(change.space);
    } else if (type_from_name(change.object.key.kind)) {
      follow(tree->second, change);
      touched.insert(change.space);
    }
  }
  for (const SpaceId& space : touched) refresh_summary(space, trees_.at(space));
}

}  // namespace holdfast::service::substrate
