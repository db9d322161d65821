#include "service/substrate/page_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace holdfast::service::substrate {
namespace {

namespace fs = std::filesystem;

// Above anything that is written here, the manifest of a wiki of many pages included.
constexpr uintmax_t kMaxPageBytes = uintmax_t{256} << 20;

Error failed(const std::string& path, const std::error_code& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .message = fmt::format("The page {} cannot be written.", path),
               .detail = why.message()};
}

}  // namespace

Status write_page(const std::string& root, const std::string& path, std::string_view text) {
  const fs::path target = fs::path(root) / path;
  const fs::path partial = target.string() + ".partial";
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) return failed(path, error);
  {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) return failed(path, std::make_error_code(std::errc::io_error));
  }
  fs::rename(partial, target, error);
  if (error) return failed(path, error);
  return {};
}

void remove_page(const std::string& root, const std::string& path) {
  std::error_code ignored;
  fs::remove(fs::path(root) / path, ignored);
}

std::optional<std::string> read_page(const std::string& root, const std::string& path) {
  const fs::path target = fs::path(root) / path;
  std::error_code error;
  const auto size = fs::file_size(target, error);
  if (error || size > kMaxPageBytes) return std::nullopt;
  std::ifstream in(target, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool is_taken(const std::string& root, const std::string& path) {
  std::error_code unknown;
  return fs::symlink_status(fs::path(root) / path, unknown).type() != fs::file_type::not_found;
}

std::set<std::string> list_pages(const std::string& root) {
  std::set<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    if (it->symlink_status().type() == fs::file_type::regular) {
      paths.insert(fs::relative(it->path(), root, error).generic_string());
    }
  }
  return paths;
}

}  // namespace holdfast::service::substrate
