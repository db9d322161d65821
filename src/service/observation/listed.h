// An observation as lists show it. Nearly all of it is shown as it was written, so nothing of that
// is read: its members are pieces of the stored body, JSON texts already.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "service/observation/statistics.h"

namespace holdfast::service::observation {

struct Listed {
  // Pieces of the body.
  std::string_view id = {};
  std::string_view workspace_id = {};
  std::string_view type = {};
  std::string_view title = {};
  std::string_view summary_md = {};
  std::string_view sensitivity = {};
  std::string_view tags = {};
  std::string_view created_by = {};
  std::string_view created_at = {};  // as format_micros() writes it, in quotes; so is the next
  std::string_view updated_at = {};
  std::string_view source = {};        // with empty texts where nothing was said
  std::string_view subcortex_id = {};  // of this and the next two: empty where there is none
  std::string_view thread_id = {};
  std::string_view task_id = {};
  std::string_view attachments = {};

  size_t creator = 0;  // among those of the page
  Stats stats = {};
};

// Finds the pieces in a body, which must outlive them and stay where it is. One that was written by
// somebody else is put into the form of ours first. kCorrupted if it is none of an observation.
Result<Listed> read_listed(std::string& body);

// What a piece says. Empty if it is no text.
std::string text_of_piece(std::string_view piece);

}  // namespace holdfast::service::observation
