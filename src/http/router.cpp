#include "http/router.h"

#include <algorithm>

#include "base/assert.h"
#include "base/utf8.h"

namespace holdfast::http {
namespace {

// The path without its first slash, split at slashes. Nothing if it does not begin with one.
std::optional<std::vector<std::string_view>> split(std::string_view path) {
  if (path.empty() || path.front() != '/') return std::nullopt;
  std::vector<std::string_view> pieces;
  path.remove_prefix(1);
  while (true) {
    const size_t slash = path.find('/');
    pieces.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return pieces;
    path.remove_prefix(slash + 1);
  }
}

std::optional<std::vector<std::string>> decoded_segments(std::string_view path) {
  const auto pieces = split(path);
  if (!pieces) return std::nullopt;
  std::vector<std::string> segments;
  segments.reserve(pieces->size());
  for (const std::string_view piece : *pieces) {
    auto text = wire::percent_decode(piece, false);
    if (!text || !is_valid_utf8(*text)) return std::nullopt;
    segments.push_back(std::move(*text));
  }
  return segments;
}

bool is_below(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || prefix.ends_with('/') || path[prefix.size()] == '/';
}

}  // namespace

void Router::mount(const SurfaceMount& mount) { mounts_.push_back(&mount); }

void Router::add(Route route) {
  HOLDFAST_ASSERT(route.mount != nullptr && route.mount->dialect != nullptr && route.handler);
  const auto pieces = split(route.path);
  HOLDFAST_ASSERT(pieces.has_value());
  Node* node = &root_;
  std::vector<std::string> names;
  for (const std::string_view piece : *pieces) {
    std::unique_ptr<Node>* next = nullptr;
    if (piece.starts_with('{') && piece.ends_with("...}")) {
      names.emplace_back(piece.substr(1, piece.size() - 5));
      next = &node->rest;
    } else if (piece.starts_with('{') && piece.ends_with('}')) {
      names.emplace_back(piece.substr(1, piece.size() - 2));
      next = &node->parameter;
    } else {
      next = &node->literals[std::string(piece)];
    }
    if (!*next) *next = std::make_unique<Node>();
    node = next->get();
  }
  for (const Route* other : node->routes) HOLDFAST_ASSERT(other->method != route.method);
  routes_.push_back(std::move(route));
  node->routes.push_back(&routes_.back());
  node->names.push_back(std::move(names));
}

const Router::Node* Router::find(const Node& node, const std::vector<std::string>& segments,
                                 size_t at, std::vector<std::string>& values) {
  if (at == segments.size()) return node.routes.empty() ? nullptr : &node;
  if (const auto literal = node.literals.find(segments[at]); literal != node.literals.end()) {
    if (const Node* found = find(*literal->second, segments, at + 1, values)) return found;
  }
  if (node.parameter && !segments[at].empty()) {
    values.push_back(segments[at]);
    if (const Node* found = find(*node.parameter, segments, at + 1, values)) return found;
    values.pop_back();
  }
  if (node.rest) {
    std::string rest = segments[at];
    for (size_t i = at + 1; i < segments.size(); ++i) rest += '/' + segments[i];
    values.push_back(std::move(rest));
    return node.rest.get();
  }
  return nullptr;
}

RouteMatch Router::match(std::string_view method, std::string_view path) const {
  RouteMatch match;
  std::vector<std::string> values;
  const auto segments = decoded_segments(path);
  const Node* node = segments ? find(root_, *segments, 0, values) : nullptr;
  if (node == nullptr) {
    match.mount = &mount_of(path);
    return match;
  }
  const std::string_view wanted = method == "HEAD" ? std::string_view("GET") : method;
  for (size_t i = 0; i < node->routes.size(); ++i) {
    const Route* route = node->routes[i];
    if (route->method != wanted && route->method != method) continue;
    match.route = route;
    match.mount = route->mount;
    for (size_t n = 0; n < values.size(); ++n) {
      match.parameters.push_back({node->names[i][n], std::move(values[n])});
    }
    return match;
  }
  match.mount = node->routes.front()->mount;
  for (const Route* route : node->routes) {
    match.allow += route->method + ", ";
    if (route->method == "GET") match.allow += "HEAD, ";
  }
  match.allow += "OPTIONS";
  return match;
}

const SurfaceMount& Router::mount_of(std::string_view path) const {
  const SurfaceMount* best = &fallback_;
  size_t length = 0;
  for (const SurfaceMount* mount : mounts_) {
    for (const std::string& prefix : mount->prefixes) {
      if (prefix.size() >= length && is_below(path, prefix)) {
        best = mount;
        length = prefix.size();
      }
    }
  }
  return *best;
}

}  // namespace holdfast::http
