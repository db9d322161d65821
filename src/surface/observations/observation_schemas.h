// What requests about observations and files may contain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/observation/observation_service.h"
#include "service/observation/registry.h"
#include "wire/schema.h"

namespace holdfast::surface::observations {

const wire::Schema<service::observation::Draft>& draft_schema();
const wire::Schema<service::observation::Patch>& patch_schema();
// Exact repetitions among tags, keeping the first; their number was judged before.
void drop_repeated(std::vector<std::string>& tags);

// The items of a batch, judged one by one; points into the body that was read.
struct BatchItems {
  const Value* list = nullptr;  // an array, not empty
};
struct BatchBody {
  std::string commit_id = {};
  BatchItems observations = {};
  bool fail_on_error = false;
};
const wire::Schema<BatchBody>& batch_schema();
inline constexpr size_t kMostItems = 100;

const wire::Schema<service::observation::Attachment>& initiate_schema();
struct CompleteBody {
  std::optional<std::string> sha256 = {};
};
const wire::Schema<CompleteBody>& complete_schema();

// Null means absent, but not in a patch.
inline constexpr wire::Strictness kStrict{.unknown_nulls_are_absent = true};
inline constexpr wire::Strictness kPatchStrict{.null_is_absent = false};

// Options that several requests share.
namespace field {
wire::FieldOption id();        // 1 to 80 characters, none of them a control character
wire::FieldOption title();     // one line, trimmed
wire::FieldOption markdown();  // line ends made one kind, control characters taken out
wire::FieldOption markdown_length(size_t min, size_t max);
wire::FieldOption no_line_break();
wire::FieldOption slug();             // of a workspace or a subcortex
wire::FieldOption handle();           // of a principal
bool is_slug(std::string_view slug);  // its characters, not its length
bool is_repository(std::string_view name);
// Whether every piece between slashes is good.
bool all_segments(std::string_view path, bool (*good)(std::string_view));
}  // namespace field

}  // namespace holdfast::surface::observations
