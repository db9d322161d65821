// A value or an Error; the interface is that of std::expected. Dropping one fails the build.
#pragma once

#include <utility>

#include <tl/expected.hpp>

#include "base/error.h"

namespace holdfast {

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(Error error)
      : tl::expected<T, Error>(tl::unexpect, std::move(error)) {
  }  // NOLINT(google-explicit-constructor): errors return as they are
};

using Status = Result<void>;

}  // namespace holdfast

#define HOLDFAST_CONCAT_INNER(a, b) a##b
#define HOLDFAST_CONCAT(a, b) HOLDFAST_CONCAT_INNER(a, b)

// HOLDFAST_TRY(const auto row, find(id)); declares `row`, or returns the error. The counter keeps
// the names of nested uses (a closure inside the argument) apart.
#define HOLDFAST_TRY(declaration, ...) \
  HOLDFAST_TRY_INNER(HOLDFAST_CONCAT(holdfast_try_, __COUNTER__), declaration, __VA_ARGS__)
#define HOLDFAST_TRY_INNER(temporary, declaration, ...) \
  auto temporary = (__VA_ARGS__);                       \
  if (!temporary) return std::move(temporary).error();  \
  declaration = std::move(*temporary)

// HOLDFAST_CHECK_OK(save(row)); returns the error, if any.
#define HOLDFAST_CHECK_OK(...) \
  HOLDFAST_CHECK_OK_INNER(HOLDFAST_CONCAT(holdfast_status_, __COUNTER__), __VA_ARGS__)
#define HOLDFAST_CHECK_OK_INNER(temporary, ...) \
  if (auto temporary = (__VA_ARGS__); !temporary) return std::move(temporary).error()
