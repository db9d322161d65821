// Help for programs: what the operations are for, what their errors mean, which limits hold. Made
// from the operations and the rules themselves wherever they know it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surface/continuity/operations.h"

namespace holdfast::surface::continuity {

class Help {
 public:
  // `operations` outlives it.
  explicit Help(const std::deque<Operation>& operations) : operations_(operations) {}

  // One kind of page: where it is over HTTP, what it is called over JSON-RPC, and whether it takes
  // a name.
  struct Page {
    const char* path;    // below /v1/help; ends with {name} where it takes one
    const char* method;  // system.help
    std::optional<Value> (Help::*make)(const std::string& name) const;
    bool takes_name() const { return std::string_view(path).ends_with("{name}"); }
  };
  static const std::vector<Page>& pages();
  // The page of that path with that name; nothing for an unknown one.
  std::optional<Value> find(std::string_view path, const std::string& name) const;

 private:
  // Each is nothing for a name that it does not know.
  std::optional<Value> index(const std::string& name) const;
  std::optional<Value> tool(const std::string& name) const;
  std::optional<Value> topic(const std::string& name) const;
  std::optional<Value> hooks(const std::string& name) const;
  std::optional<Value> error(const std::string& name) const;
  std::optional<Value> onboarding(const std::string& name) const;
  std::optional<Value> bootstrap(const std::string& name) const;
  std::optional<Value> section(const std::string& name) const;
  std::optional<Value> limits(const std::string& name) const;
  std::optional<Value> limit(const std::string& name) const;

  const std::deque<Operation>& operations_;
};

// Every bounded member of a capsule: {field_path, and what holds for it}.
std::vector<Value> capsule_limits();

}  // namespace holdfast::surface::continuity
