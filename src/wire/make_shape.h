// From a C++ type to its shape. Included by schema.h only.
#pragma once

namespace holdfast::wire {
namespace shape_detail {

template <typename M>
struct IsOptional : std::false_type {};
template <typename E>
struct IsOptional<std::optional<E>> : std::true_type {};
template <typename M>
struct IsVector : std::false_type {};
template <typename E>
struct IsVector<std::vector<E>> : std::true_type {};
template <typename M>
struct IsStringMap : std::false_type {};
template <typename E>
struct IsStringMap<std::map<std::string, E>> : std::true_type {};
template <typename M>
struct IsId : std::false_type {};
template <typename Tag>
struct IsId<StrongId<Tag>> : std::true_type {};

// The options of a list's elements; a schema given to the list is meant for them.
inline FieldParts element_parts(const FieldParts& parts) {
  FieldParts element = parts.element ? *parts.element : FieldParts();
  if (!element.given_shape) {
    element.given_shape = parts.given_shape;
    element.given_type = parts.given_type;
  }
  return element;
}

template <typename M>
std::shared_ptr<Shape> enum_shape_of() {
  std::vector<EnumEntry> entries;
  entries.reserve(EnumNames<M>::kNames.size());
  for (const auto& [value, name] : EnumNames<M>::kNames) {
    entries.push_back({std::string(name), static_cast<int64_t>(value)});
  }
  return enum_shape(
      std::move(entries),
      [](void* out, int64_t number) { *static_cast<M*>(out) = static_cast<M>(number); },
      [](const void* in) { return static_cast<int64_t>(*static_cast<const M*>(in)); });
}

template <typename M>
std::shared_ptr<Shape> basic_shape(const FieldParts& parts) {
  if constexpr (std::is_same_v<M, std::string>) {
    return string_shape([](void* out) -> std::string& { return *static_cast<std::string*>(out); });
  } else if constexpr (IsId<M>::value) {
    return string_shape([](void* out) -> std::string& { return static_cast<M*>(out)->value; });
  } else if constexpr (std::is_same_v<M, bool>) {
    return bool_shape();
  } else if constexpr (std::is_same_v<M, int64_t>) {
    return int64_shape();
  } else if constexpr (std::is_same_v<M, int>) {
    return int_shape();
  } else if constexpr (std::is_same_v<M, double>) {
    return double_shape();
  } else if constexpr (std::is_same_v<M, Timestamp>) {
    return timestamp_shape();
  } else if constexpr (std::is_same_v<M, Value>) {
    return any_shape();
  } else if constexpr (NamedEnum<M>) {
    return enum_shape_of<M>();
  } else if constexpr (IsVector<M>::value) {
    return array_shape(
        {.clear = [](void* out) { static_cast<M*>(out)->clear(); },
         .reserve = [](void* out, size_t count) { static_cast<M*>(out)->reserve(count); },
         .append = [](void* out) -> void* { return &static_cast<M*>(out)->emplace_back(); }},
        make_shape<typename M::value_type>(element_parts(parts)));
  } else if constexpr (IsStringMap<M>::value) {
    return map_shape(
        [](void* out, const std::string& name) -> void* { return &(*static_cast<M*>(out))[name]; },
        make_shape<typename M::mapped_type>(element_parts(parts)));
  } else {
    static_assert(std::is_class_v<M>, "this type has no shape: read it with read_by<M>");
    // A struct needs its Schema, or read_by, among the options of its field.
    HOLDFAST_ASSERT(false);
    return nullptr;
  }
}

}  // namespace shape_detail

template <typename M>
std::shared_ptr<Shape> make_shape(const FieldParts& parts) {
  std::shared_ptr<Shape> shape;
  if (parts.given_shape && parts.given_type == typeid(M)) {
    shape = parts.given_shape;
  } else if constexpr (shape_detail::IsOptional<M>::value) {
    using Inner = typename M::value_type;
    // The rules speak about what is inside.
    FieldParts inner = parts;
    if constexpr (!shape_detail::IsOptional<Inner>::value) inner.nullable = false;
    if constexpr (shape_detail::IsOptional<Inner>::value) inner.nullable = true;
    const bool takes_null = parts.nullable || shape_detail::IsOptional<Inner>::value;
    return optional_shape(
        {.emplace = [](void* out) -> void* { return &static_cast<M*>(out)->emplace(); },
         .reset = [](void* out) { static_cast<M*>(out)->reset(); }},
        make_shape<Inner>(inner), takes_null);
  } else {
    shape = shape_detail::basic_shape<M>(parts);
  }
  for (const Rule& rule : parts.rules) shape->add(rule);
  for (const Adjustment& adjustment : parts.adjustments) shape->add(adjustment);
  return shape;
}

}  // namespace holdfast::wire
