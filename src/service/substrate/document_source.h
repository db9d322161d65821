// A document as the objects it becomes: a source with its segments, a node and an activity.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "service/substrate/objects.h"

namespace holdfast::service::substrate {

// A document as it was read.
struct CapturedDocument {
  std::string kind = {};  // file, markdown, web, pdf, conversation
  std::string title = {};
  Value origin = Value::object();
  std::string ref = {};           // where it came from: a path, a URL, a conversation's title
  std::string identity_key = {};  // source|<kind>|...
  std::string content_type = {};  // text, markdown, structured
  std::string text = {};          // UTF-8
};

struct DocumentObjects {
  Source source = {};
  Node node = {};
  Activity activity = {};
};
DocumentObjects objects_of(const CapturedDocument& document, Timestamp now);

// A file that is kept by its hash alone.
struct BinaryFile {
  std::string path = {};
  std::string title = {};
  std::string bytes = {};
};
Source stub_of(const BinaryFile& file, Timestamp now);

// What an adapter says about how a source was captured.
struct AdapterNote {
  std::string_view name = {};
  std::string_view version = {};
  std::string mode = {};
  std::vector<std::string> supported_modes = {};
  std::vector<std::string> transformations = {};
  std::string_view privacy_class = {};
  std::string_view origin_class = {};
};
// scanned_at, adapter and freshness.
Value source_metadata(const AdapterNote& adapter, const std::string& fingerprint, Timestamp now);

}  // namespace holdfast::service::substrate
