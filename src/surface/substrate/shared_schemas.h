// Shapes that several modes take.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/value.h"
#include "service/substrate/objects.h"
#include "service/substrate/query_plan.h"
#include "wire/schema.h"

namespace holdfast::surface::substrate {

struct ActorInput {
  std::string type = {};
  std::string id = {};
  std::optional<std::string> name = std::nullopt;
  std::optional<Value> metadata = std::nullopt;

  Value value() const;
};
const wire::Schema<ActorInput>& actor_schema();
// Nothing where none was given.
std::optional<Value> actor_value(const std::optional<ActorInput>& actor);

struct PayloadInput {
  std::optional<std::string> subject = std::nullopt;
  std::optional<std::string> predicate = std::nullopt;
  std::optional<Value> value = std::nullopt;
  std::optional<Value> object = std::nullopt;
  std::optional<Value> metadata = std::nullopt;

  Value members() const;  // those that were given
};
const wire::Schema<PayloadInput>& payload_schema();

const wire::Schema<service::substrate::EvidenceRef>& evidence_schema();

// Each dimension in the singular and the plural; both together are one list.
struct FiltersInput {
  std::optional<std::string> object_type = std::nullopt;
  std::vector<std::string> object_types = {};
  std::optional<std::string> kind = std::nullopt;
  std::vector<std::string> kinds = {};
  std::optional<std::string> status = std::nullopt;
  std::vector<std::string> statuses = {};
  std::optional<std::string> node_id = std::nullopt;
  std::vector<std::string> node_ids = {};
  std::optional<std::string> source_id = std::nullopt;
  std::vector<std::string> source_ids = {};
  bool include_temporary = false;

  service::substrate::Filters filters() const;
};
const wire::Schema<FiltersInput>& filters_schema();

// file or kuzu; lancedb.
wire::FieldOption graph_backends();
wire::FieldOption semantic_backends();

}  // namespace holdfast::surface::substrate
