// What observations refer to: workspaces with their members, subcortexes, threads, comments,
// artifacts, tasks and files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/noun.h"
#include "service/native/sensitivity_names.h"

namespace holdfast::service::observation {

enum class WorkspaceVisibility : uint8_t { kPrivate, kInternal };
enum class CodeLinkPolicy : uint8_t { kOpen, kRegistered };
enum class Role : uint8_t { kAdmin, kMember, kViewer };

struct WorkspaceSettings {
  std::optional<Sensitivity> default_sensitivity = {};
  std::optional<int64_t> max_attachment_size_mb = {};
  std::optional<CodeLinkPolicy> code_link_policy = {};
};

struct Workspace {
  std::string id = {};
  std::string slug = {};
  std::string name = {};
  WorkspaceVisibility visibility = WorkspaceVisibility::kPrivate;
  WorkspaceSettings settings = {};
  std::string owner_id = {};
  Timestamp created_at = {};
};

// One principal in one workspace; kept apart so that a large workspace is as quick as a small one.
struct Member {
  std::string workspace_id = {};
  std::string principal_id = {};
  Role role = Role::kMember;
  std::vector<std::string> permissions = {};  // read, write, review, admin
  bool closed = false;                        // the workspace is private
};

// The repositories that code links of a workspace may name.
struct Repositories {
  std::string workspace_id = {};
  std::vector<std::string> repos = {};
};

enum class SubcortexStatus : uint8_t { kProposed, kActive, kArchived };
struct Subcortex {
  std::string id = {};
  std::string slug = {};
  std::string workspace_id = {};
  std::string name = {};
  SubcortexStatus status = SubcortexStatus::kProposed;
  Sensitivity sensitivity = Sensitivity::kNormal;
  std::string created_by = {};
  Timestamp created_at = {};
};

// A citation or evidence link.
struct Citation {
  std::string type = {};  // thread, comment, artifact, observation, url
  std::string ref = {};
  std::optional<std::string> note = {};
  Timestamp at = {};  // when it was made
};

enum class ThreadStatus : uint8_t { kOpen, kResolved, kArchived };
struct Thread {
  std::string id = {};
  std::string workspace_id = {};  // through its subcortex
  std::string subcortex_id = {};
  std::string type = "other";
  std::string title = {};
  std::string body_md = {};
  ThreadStatus status = ThreadStatus::kOpen;
  Sensitivity sensitivity = Sensitivity::kNormal;
  std::vector<std::string> linked_observation_ids = {};
  std::vector<Citation> citations = {};
  std::string created_by = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
};

struct Comment {
  std::string id = {};
  std::string thread_id = {};
  std::optional<std::string> parent_id = {};
  std::string body_md = {};
  std::vector<Citation> citations = {};
  std::string created_by = {};
  Timestamp created_at = {};
};

struct Artifact {
  std::string id = {};
  std::string workspace_id = {};
  std::string subcortex_id = {};
  std::string type = {};
  std::string title = {};
  std::string body_md = {};
  std::vector<Citation> evidence_links = {};
  std::string created_by = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
};

struct Task {
  std::string id = {};
  std::string workspace_id = {};
  std::optional<std::string> subcortex_id = {};
  std::string title = {};
  std::string description_md = {};
  std::string status = "inbox";
  std::string created_by = {};
  Timestamp created_at = {};
};

struct Attachment {
  std::string id = {};
  std::string workspace_id = {};
  std::string filename = {};
  std::string content_type = {};
  int64_t size_bytes = 0;
  bool ready = false;
  std::string blob_id = {};  // of the bytes; empty: none came yet
  std::string sha256 = {};   // in lower-case hexadecimal, once ready
  std::string created_by = {};
  Timestamp created_at = {};
  Timestamp expires_at = {};  // of the upload
};

const Noun<Workspace>& workspace_noun();
const Noun<Member>& member_noun();
const Noun<Repositories>& repositories_noun();
const Noun<Subcortex>& subcortex_noun();
const Noun<Thread>& thread_noun();
const Noun<Comment>& comment_noun();
const Noun<Artifact>& artifact_noun();
const Noun<Task>& task_noun();
const Noun<Attachment>& attachment_noun();

inline std::string member_id(const std::string& workspace, const std::string& principal) {
  return workspace + "|" + principal;
}

// The observations that citations name, each once.
std::vector<std::string> cited_observations(const std::vector<Citation>& citations,
                                            const std::vector<std::string>& more = {});

namespace facet {
inline constexpr std::string_view kSlug = "slug";
// Of members of private workspaces: the principal.
inline constexpr std::string_view kClosedMember = "closed_member";
}  // namespace facet

}  // namespace holdfast::service::observation

namespace holdfast {

template <>
struct EnumNames<service::observation::WorkspaceVisibility> {
  using Type = service::observation::WorkspaceVisibility;
  static constexpr std::array<std::pair<Type, std::string_view>, 2> kNames = {
      {{Type::kPrivate, "private"}, {Type::kInternal, "internal"}}};
};
template <>
struct EnumNames<service::observation::CodeLinkPolicy> {
  using Type = service::observation::CodeLinkPolicy;
  static constexpr std::array<std::pair<Type, std::string_view>, 2> kNames = {
      {{Type::kOpen, "open"}, {Type::kRegistered, "registered"}}};
};
template <>
struct EnumNames<service::observation::Role> {
  using Type = service::observation::Role;
  static constexpr std::array<std::pair<Type, std::string_view>, 3> kNames = {
      {{Type::kAdmin, "admin"}, {Type::kMember, "member"}, {Type::kViewer, "viewer"}}};
};
template <>
struct EnumNames<service::observation::SubcortexStatus> {
  using Type = service::observation::SubcortexStatus;
  static constexpr std::array<std::pair<Type, std::string_view>, 3> kNames = {
      {{Type::kProposed, "proposed"}, {Type::kActive, "active"}, {Type::kArchived, "archived"}}};
};
template <>
struct EnumNames<service::observation::ThreadStatus> {
  using Type = service::observation::ThreadStatus;
  static constexpr std::array<std::pair<Type, std::string_view>, 3> kNames = {
      {{Type::kOpen, "open"}, {Type::kResolved, "resolved"}, {Type::kArchived, "archived"}}};
};

template <>
const Codec<service::observation::WorkspaceSettings>& codec_of();
template <>
const Codec<service::observation::Citation>& codec_of();

}  // namespace holdfast
