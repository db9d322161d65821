// What the substrate stores, as structs: for code that makes or judges one kind of object. The
// stored body is the document itself (document.h), which may hold more than the struct names.
//
// Times are texts, kept as they were given. A NullableText is written as null when it is empty; a
// std::optional is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/codec.h"
#include "model/value.h"

namespace holdfast::service::substrate {

struct NullableText {
  std::optional<std::string> text = std::nullopt;

  NullableText() = default;
  NullableText(std::string value) : text(std::move(value)) {}  // NOLINT: reads as a text
  bool operator==(const NullableText&) const = default;
};

struct Segment {
  std::string segment_id = {};
  Value locator = Value::object();
  std::string excerpt = {};
  std::string hash = {};
};

struct Source {
  std::string id = {};
  std::string kind = {};
  Value origin = Value::object();
  std::string title = {};
  std::string identity_key = {};
  std::string fingerprint = {};
  std::string content_type = {};
  Value payload = Value::object();
  std::vector<Segment> segments = {};
  Value metadata = Value::object();
  std::string status = "active";
  std::optional<std::string> lifecycle_state = std::nullopt;
};

struct Node {
  std::string id = {};
  std::string kind = {};
  std::string name = {};
  std::string slug = {};
  std::string identity_key = {};
  std::vector<std::string> aliases = {};
  std::string summary = {};
  std::string status = "active";
};

struct EvidenceRef {
  std::string source_id = {};
  std::string segment_id = {};
  std::optional<Value> locator = std::nullopt;
  std::optional<std::string> hash = std::nullopt;
};

struct Knowledge {
  std::string id = {};
  std::string kind = {};
  std::string title = {};
  std::string summary = {};
  std::string identity_key = {};
  std::vector<std::string> subject_refs = {};
  std::vector<EvidenceRef> evidence_refs = {};
  Value payload = Value::object();
  std::string status = "candidate";
  double confidence = 0;
  NullableText valid_from = {};
  NullableText valid_until = {};
  NullableText last_verified_at = {};
  std::optional<std::string> reason = std::nullopt;
  std::optional<std::string> memory_source = std::nullopt;
  std::vector<std::string> scope_refs = {};
  std::optional<std::vector<std::string>> conflicts_with = std::nullopt;
  std::optional<std::string> lifecycle_state = std::nullopt;
  NullableText expires_at = {};
  std::optional<std::string> created_at = std::nullopt;  // of a stored one
};

struct Activity {
  std::string id = {};
  std::string kind = {};
  std::string title = {};
  std::string summary = {};
  std::optional<std::string> identity_key = std::nullopt;
  std::string status = "finalized";
  NullableText started_at = {};
  NullableText ended_at = {};
  std::vector<std::string> related_node_refs = {};
  std::vector<std::string> related_work_item_refs = {};
  std::vector<std::string> source_refs = {};
  std::vector<std::string> produced_object_refs = {};
  std::vector<std::string> artifact_refs = {};
  std::optional<std::string> reason = std::nullopt;
  std::optional<std::string> memory_source = std::nullopt;
  std::optional<std::vector<std::string>> scope_refs = std::nullopt;
};

struct WorkItem {
  std::string id = {};
  std::string kind = {};
  std::string title = {};
  std::string summary = {};
  std::string status = "open";
  std::string lifecycle_state = "active";
  std::string priority = "medium";
  std::vector<std::string> owner_refs = {};
  std::vector<std::string> related_node_refs = {};
  std::vector<std::string> related_knowledge_refs = {};
  std::vector<std::string> source_refs = {};
  std::vector<std::string> depends_on = {};
  std::vector<std::string> blocked_by = {};
  NullableText parent_ref = {};
  std::vector<std::string> child_refs = {};
  NullableText resolution = {};
  NullableText due_at = {};
  NullableText opened_at = {};
  std::optional<std::string> reason = std::nullopt;
  std::optional<std::string> memory_source = std::nullopt;
  std::optional<std::vector<std::string>> scope_refs = std::nullopt;
};

}  // namespace holdfast::service::substrate

namespace holdfast {

template <>
class Codec<service::substrate::NullableText> : public codec_detail::Reader {
 public:
  Value encode(const service::substrate::NullableText& from) const {
    return from.text ? Value(*from.text) : Value();
  }
  void append_text(std::string& to, const service::substrate::NullableText& from) const {
    append_json(to, encode(from));
  }
  bool null(void* at) const override { return in(at).reset(), true; }
  bool text(void* at, std::string_view v) const override { return in(at).emplace(v), true; }

 private:
  static std::optional<std::string>& in(void* at) {
    return static_cast<service::substrate::NullableText*>(at)->text;
  }
};

template <>
const Codec<service::substrate::NullableText>& codec_of<service::substrate::NullableText>();
template <>
const Codec<service::substrate::Segment>& codec_of<service::substrate::Segment>();
template <>
const Codec<service::substrate::EvidenceRef>& codec_of<service::substrate::EvidenceRef>();
// Members are named as in the document, `id` included.
template <>
const Codec<service::substrate::Source>& codec_of<service::substrate::Source>();
template <>
const Codec<service::substrate::Node>& codec_of<service::substrate::Node>();
template <>
const Codec<service::substrate::Knowledge>& codec_of<service::substrate::Knowledge>();
template <>
const Codec<service::substrate::Activity>& codec_of<service::substrate::Activity>();
template <>
const Codec<service::substrate::WorkItem>& codec_of<service::substrate::WorkItem>();

}  // namespace holdfast
