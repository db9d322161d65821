// What a structured piece of knowledge claims: of a subject, by a predicate, a value or an object.
// Two claims with equal signatures are duplicates; equal topics with other values are a conflict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/value.h"

namespace holdfast::service::substrate {

struct Claim {
  std::string kind = {};
  std::string subject = {};
  std::string predicate = {};
  std::string value = {};   // sorted JSON
  std::string object = {};  // sorted JSON
  bool operator==(const Claim&) const = default;

  bool same_topic(const Claim& other) const {
    return kind == other.kind && subject == other.subject && predicate == other.predicate;
  }
};

// Nothing without a subject (the first subject_ref, else payload.subject) and a predicate.
std::optional<Claim> claim_of(std::string_view kind, const std::vector<std::string>& subject_refs,
                              const Value& payload);

// The texts under which a claim is found again, one for each scope and for the lack of scopes: what
// overlaps a set of scopes is under one of them or under the empty scope.
std::string claim_text(const Claim& claim, std::string_view scope);
std::string topic_text(const Claim& claim, std::string_view scope);

// Superseded and archived knowledge neither duplicates nor contradicts.
bool is_retired(std::string_view status);

}  // namespace holdfast::service::substrate
