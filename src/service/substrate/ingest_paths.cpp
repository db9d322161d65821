#include "service/substrate/ingest_paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/utf8.h"
#include "service/substrate/repo_folder.h"

namespace holdfast::service::substrate {
namespace {

namespace fs = std::filesystem;

std::string with_home(const std::string& path) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets variables once threads run
  const char* home = std::getenv("HOME");
  if (home == nullptr || (path != "~" && !path.starts_with("~/"))) return path;
  return home + path.substr(1);
}

bool lies_in(const std::string& path, const std::string& folder) {
  std::error_code failed;
  const std::string root = fs::weakly_canonical(folder, failed).string();
  if (failed || root.empty()) return false;
  return path == root || root == "/" || path.starts_with(root + '/');
}

// Links, and the folder that this process was started in, may be any bytes; objects that hold such
// a path could not be read again.
Result<std::string> checked(std::string path) {
  if (is_valid_utf8(path)) return path;
  return invalid_argument("The path leads to a name that is not UTF-8 text.");
}

}  // namespace

Result<std::string> absolute_path(const std::string& path) {
  std::error_code failed;
  const std::string text = fs::absolute(with_home(path), failed).lexically_normal().string();
  return checked(failed ? path : text);
}

Result<std::string> resolve_path(const CallContext& call, const IngestOptions& options,
                                 const std::string& path) {
  if (path.find('\0') != std::string::npos) return invalid_argument("A path holds no zero byte.");
  std::error_code failed;
  fs::path resolved = fs::absolute(with_home(path), failed);
  if (!failed) resolved = fs::weakly_canonical(resolved, failed);
  // A path that cannot even be followed (a loop of links, a name too long) names nothing.
  std::string text = failed ? path : resolved.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  const bool allowed =
      call.local_owner || std::ranges::any_of(options.roots, [&](const std::string& root) {
        return !failed && lies_in(text, root);
      });
  if (!allowed) {
    return Error{.code = ErrorCode::kPermissionDenied,
                 .reason = std::string(reason::kPathRefused),
                 .message =
                     "This path may not be read by this caller. The server's owner lists "
                     "the folders that may be in the setting ingest.roots."};
  }
  return checked(std::move(text));
}

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

Result<std::string> read_file(const std::string& path, std::string_view refusal, size_t max_bytes) {
  const Error no_file = invalid_argument(fmt::format("{}: {}", refusal, path));
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return no_file;
  const auto folder = RepoFolder::open(slash == 0 ? "/" : path.substr(0, slash));
  if (!folder) return no_file;
  const std::string name = path.substr(slash + 1);
  const auto stamp = folder->stamp(name);
  if (name.empty() || !stamp) return no_file;
  auto bytes = folder->read_all(name, max_bytes);
  if (bytes) return std::move(*bytes);
  if (stamp->size <= static_cast<int64_t>(max_bytes))
    return invalid_argument(fmt::format("The file cannot be read: {}", path));
  return Error{.code = ErrorCode::kTooLarge,
               .message = fmt::format("The file is larger than {} bytes: {}", max_bytes, path)};
}

}  // namespace holdfast::service::substrate
