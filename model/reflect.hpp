// SPDX-License-Identifier: GPL-2.0-or-later
// Reflected state: one `visit` per state type lists its fields; everything else is derived from it.
//
//   struct Cache {
//     D::Bits<8> size;
//     std::array<D::Bits<8>, 4> pfns;
//     template <class Self, class F> static void visit(Self& self, F&& f) {
//       f("size", self.size, Range{0, 4});
//       f("pfns", self.pfns, any);
//     }
//   };
//
// A field is a value (Bits), an array or vector of fields, or a type with a visit of its own. A type that also has
// `void show(std::string&) const` is shown as one value in differences (an ordered tree, say), field by field
// elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "model/value.hpp"

namespace iomc::model {

/// The values a field may take, both ends included. Leaving it is an internal error of the specification.
struct Range {
  std::uint64_t lo = 0;
  std::uint64_t hi = ~std::uint64_t{0};
};
inline constexpr Range any{};
inline constexpr Range flag{0, 1};

namespace detail {
struct Nothing {
  template <class... A>
  void operator()(A&&...) const {}
};
template <class T>
struct is_sequence : std::false_type {};
template <class T, std::size_t N>
struct is_sequence<std::array<T, N>> : std::true_type {};
template <class T>
struct is_sequence<std::vector<T>> : std::true_type {};
}  // namespace detail

template <class T>
concept Sequence = detail::is_sequence<std::remove_const_t<T>>::value;

template <class T>
concept Reflected = requires(T& t) { std::remove_const_t<T>::visit(t, detail::Nothing{}); };

template <class T>
concept Shown = requires(const T& t, std::string& s) { t.show(s); };

/// Calls f(name, value, range) for each leaf, in declaration order; names read as in C: `cpu[1].loaded.pfns[0]`.
template <class T, class F>
void for_each_leaf(T& value, F&& f, const std::string& name = {}, Range range = any) {
  if constexpr (Sequence<T>) {
    std::size_t i = 0;
    for (auto& element : value) for_each_leaf(element, f, name + "[" + std::to_string(i++) + "]", range);
  } else if constexpr (Reflected<T>) {
    std::remove_const_t<T>::visit(value, [&](const char* field, auto& member, Range r) {
      for_each_leaf(member, f, name.empty() ? std::string(field) : name + "." + field, r);
    });
  } else {
    f(name, value, range);
  }
}

/// As for_each_leaf, but without names: for hashing, packing and symbolic constants.
template <class T, class F>
void for_each_value(T& value, F&& f, Range range = any) {
  if constexpr (Sequence<T>) {
    for (auto& element : value) for_each_value(element, f, range);
  } else if constexpr (Reflected<T>) {
    std::remove_const_t<T>::visit(value, [&](const char*, auto& member, Range r) { for_each_value(member, f, r); });
  } else {
    f(value, range);
  }
}

struct FieldText {
  std::string name;
  std::string value;
  bool operator==(const FieldText&) const = default;
};

namespace detail {
template <class T>
void describe_into(const T& value, const std::string& name, std::vector<FieldText>& out) {
  if constexpr (Shown<T>) {
    std::string text;
    value.show(text);
    out.push_back({name, std::move(text)});
  } else if constexpr (Sequence<T>) {
    std::size_t i = 0;
    for (const auto& element : value) describe_into(element, name + "[" + std::to_string(i++) + "]", out);
  } else if constexpr (Reflected<const T>) {
    T::visit(value, [&](const char* field, const auto& member, Range) {
      describe_into(member, name.empty() ? std::string(field) : name + "." + field, out);
    });
  } else {
    out.push_back({name, std::to_string(static_cast<std::uint64_t>(value.raw()))});
  }
}
}  // namespace detail

/// The state as named texts, one for each field (or each type that has `show`).
template <class T>
std::vector<FieldText> describe(const T& value) {
  std::vector<FieldText> out;
  detail::describe_into(value, {}, out);
  return out;
}

struct FieldChange {
  std::string name;
  std::string before;
  std::string after;
};

/// What differs between two states of one type.
template <class T>
std::vector<FieldChange> difference(const T& before, const T& after) {
  const auto a = describe(before);
  const auto b = describe(after);
  IOMC_INVARIANT(a.size() == b.size());
  std::vector<FieldChange> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].value != b[i].value) out.push_back({a[i].name, a[i].value, b[i].value});
  return out;
}

/// The first field outside its declared range, or an empty string.
template <class T>
std::string out_of_range(const T& value) {
  std::string found;
  for_each_leaf(value, [&](const std::string& name, const auto& leaf, Range r) {
    const std::uint64_t v = leaf.raw();
    if (found.empty() && (v < r.lo || v > r.hi))
      found = name + " = " + std::to_string(v) + ", declared " + std::to_string(r.lo) + ".." + std::to_string(r.hi);
  });
  return found;
}

/// Stops the program if a field has left its declared range.
template <class T>
void require_ranges(const T& value) {
  bool inside = true;
  for_each_value(value, [&](const auto& v, Range r) { inside &= v.raw() >= r.lo && v.raw() <= r.hi; });
  if (!inside) throw InternalError("a field left its declared range: " + out_of_range(value));
}

/// A state that the explorer may hash, compare and store as its bytes.
template <class T>
concept Packed = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;

template <Packed T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace iomc::model
