#include "service/substrate/claim.h"

#include "base/digest.h"
#include "service/substrate/words.h"

namespace holdfast::service::substrate {
namespace {

// Short and of one size whatever the claim holds.
std::string digest(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
    text += '\0';
  }
  return to_hex(sha1(text)).substr(0, 24);
}

std::string text_member(const Value& payload, std::string_view name) {
  const Value* found = payload.find(name);
  const auto* text = found != nullptr ? found->if_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

std::string json_member(const Value& payload, std::string_view name) {
  const Value* found = payload.find(name);
  return sorted_json(found != nullptr ? *found : Value());
}

}  // namespace

std::optional<Claim> claim_of(std::string_view kind, const std::vector<std::string>& subject_refs,
                              const Value& payload) {
  Claim claim{
      .kind = std::string(kind),
      .subject = subject_refs.empty() ? text_member(payload, "subject") : subject_refs.front(),
      .predicate = text_member(payload, "predicate")};
  if (claim.subject.empty() || claim.predicate.empty()) return std::nullopt;
  claim.value = json_member(payload, "value");
  claim.object = json_member(payload, "object");
  return claim;
}

std::string claim_text(const Claim& claim, std::string_view scope) {
  return digest({claim.kind, claim.subject, claim.predicate, claim.value, claim.object, scope});
}

std::string topic_text(const Claim& claim, std::string_view scope) {
  return digest({claim.kind, claim.subject, claim.predicate, scope});
}

bool is_retired(std::string_view status) { return status == "superseded" || status == "archived"; }

}  // namespace holdfast::service::substrate
