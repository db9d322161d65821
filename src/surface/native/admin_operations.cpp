#include "surface/native/admin_operations.h"

#include "base/time_text.h"

namespace holdfast::surface::native {
namespace {

using service::Done;
using service::RevokeRequest;
using service::SpaceRequest;
using service::SpacesResponse;
using service::TokenListResponse;
using service::TokenRequest;
using service::TokenResponse;
using wire::each;
using wire::items;
using wire::length;
using wire::max_length;
using wire::no_controls;

Value encode_token(const Token& token) {
  Value out = Value::object({{"id", token.id},
                             {"name", token.name},
                             {"principal", token.principal.value},
                             {"space", token.space.value},
                             {"scopes", Value::array_of(token.scopes)},
                             {"created_at", format_micros(token.created_at)}});
  out.set("expires_at", token.expires_at ? Value(format_micros(*token.expires_at)) : Value());
  out.set("revoked_at", token.revoked_at ? Value(format_micros(*token.revoked_at)) : Value());
  return out;
}

Value encode_spaces(const SpacesResponse& response) {
  Value spaces = Value::array();
  for (const auto& space : response.spaces) {
    spaces.push(
        Value::object({{"name", space.id.value}, {"created_at", format_micros(space.created_at)}}));
  }
  return Value::object({{"spaces", std::move(spaces)}});
}

Value encode_space(const SpaceRequest& space) {
  return Value::object({{"name", space.space.value}});
}

}  // namespace

const wire::Operation<Done, SpacesResponse>& list_spaces() {
  static const wire::Operation<Done, SpacesResponse> operation{
      .name = "list_spaces",
      .summary = "The spaces of this memory (your own, unless you administer it).",
      .encode = encode_spaces,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<SpaceRequest, SpaceRequest>& create_space() {
  static const wire::Operation<SpaceRequest, SpaceRequest> operation{
      .name = "create_space",
      .summary = "Make a space; one that exists stays as it is.",
      .request = wire::Schema<SpaceRequest>().required("name", &SpaceRequest::space, length(1, 64),
                                                       "Its name."),
      .encode = encode_space,
      .success_status = 201,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<SpaceRequest, SpaceRequest>& erase_space() {
  static const wire::Operation<SpaceRequest, SpaceRequest> operation{
      .name = "erase_space",
      .summary = "Erase a space and everything in it, for good.",
      .request = wire::Schema<SpaceRequest>().path("name", &SpaceRequest::space, "Its name."),
      .encode = encode_space,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<TokenRequest, TokenResponse>& create_token() {
  static const wire::Operation<TokenRequest, TokenResponse> operation{
      .name = "create_token",
      .summary = "Make a bearer token. Its text is in this answer and nowhere else.",
      .request =
          wire::Schema<TokenRequest>()
              .required("name", &TokenRequest::name, length(1, 100), no_controls(),
                        "A label for people.")
              .optional(
                  "principal", &TokenRequest::principal, max_length(100), no_controls(),
                  "Handle of the principal it names; made if it does not exist. Default: the name.")
              .optional("scopes", &TokenRequest::scopes, items(1, 32),
                        each(length(1, 64), no_controls()),
                        "read, write, admin, or a surface's own.")
              .optional("space", &TokenRequest::space, max_length(64),
                        "Fixes the space; otherwise the caller chooses.")
              .optional("expires_at", &TokenRequest::expires_at, "When it ends; never if left out.")
              .optional("user_id", &TokenRequest::user_id, max_length(200), no_controls(),
                        "The user it stands for.")
              .optional("peer_id", &TokenRequest::peer_id, max_length(200), no_controls(),
                        "The peer it stands for.")
              .optional("sensitive", &TokenRequest::sensitive, "May see sensitive objects."),
      .encode =
          [](const TokenResponse& response) {
            Value out = encode_token(response.token);
            out.set("token", response.text);
            return out;
          },
      .success_status = 201,
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<Done, TokenListResponse>& list_tokens() {
  static const wire::Operation<Done, TokenListResponse> operation{
      .name = "list_tokens",
      .summary = "All tokens, without their texts.",
      .encode =
          [](const TokenListResponse& response) {
            Value tokens = Value::array();
            for (const auto& token : response.tokens) tokens.push(encode_token(token));
            return Value::object({{"tokens", std::move(tokens)}});
          },
      .tags = {"administration"},
  };
  return operation;
}

const wire::Operation<RevokeRequest, RevokeRequest>& revoke_token() {
  static const wire::Operation<RevokeRequest, RevokeRequest> operation{
      .name = "revoke_token",
      .summary = "End a token and every token minted from it, at once.",
      .request = wire::Schema<RevokeRequest>().path("id", &RevokeRequest::id,
                                                    "The token's id, as listed."),
      .encode =
          [](const RevokeRequest& request) {
            return Value::object({{"id", request.id}, {"revoked", true}});
          },
      .tags = {"administration"},
  };
  return operation;
}

}  // namespace holdfast::surface::native
