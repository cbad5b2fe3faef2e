// SPDX-License-Identifier: GPL-2.0-or-later
// The fields of a state as names of a question.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checker/ask/evaluate.hpp"
#include "model/reflect.hpp"

namespace iomc::check::ask {

/// Words for the values of a field: `words[i]` is the value i.
struct FieldWords {
  std::string field;  ///< the last part of its name
  std::span<const std::string_view> words;
};

/// Which leaf of a state a name means: its full name, or the end of just one.
class Fields {
 public:
  Fields() = default;
  template <class State>
  Fields(const State& shape, std::vector<FieldWords> words) : words_(std::move(words)) {
    model::for_each_leaf(shape, [&](const std::string& name, const auto&, model::Range) { names_.push_back(name); });
  }

  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& word) const { return !matches(word).empty(); }

  std::size_t index(const std::string& word) const {
    const auto found = matches(word);
    if (found.size() == 1) return found[0];
    std::string some;
    for (std::size_t i = 0; i < found.size() && i < 4; ++i) some += (i == 0 ? "" : ", ") + names_[found[i]];
    throw InputError(found.empty() ? "question: the state has no field '" + word + "'; the prompt's 'state' lists them"
                                   : "question: '" + word + "' may be " + some + (found.size() > 4 ? ", …" : ""));
  }

  std::optional<std::uint64_t> value(const std::string& name, const std::string& word) const {
    if (const auto* of = words_of(name))
      for (std::size_t i = 0; i < of->words.size(); ++i)
        if (of->words[i] == word) return i;
    return std::nullopt;
  }
  std::string text(const std::string& name, std::uint64_t value) const {
    const auto* of = words_of(name);
    return of != nullptr && value < of->words.size() ? std::string(of->words[value]) : std::to_string(value);
  }

 private:
  static std::string last(const std::string& name) { return name.substr(name.rfind('.') + 1); }

  std::vector<std::size_t> matches(const std::string& word) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == word) return {i};
      if (names_[i].ends_with("." + word)) out.push_back(i);
    }
    return out;
  }
  const FieldWords* words_of(const std::string& name) const {
    for (const auto& w : words_)
      if (w.field == last(name)) return &w;
    return nullptr;
  }

  std::vector<std::string> names_;
  std::vector<FieldWords> words_;
};

/// An expression over the values of a state's fields.
template <class D>
class OverFields : public Evaluation<D> {
 public:
  using typename Evaluation<D>::Number;

  explicit OverFields(const Fields& fields) : fields_(fields) {}

 protected:
  virtual Number field(std::size_t index) = 0;

  bool is_name(const std::string& word) override { return fields_.has(word); }
  Number name(const std::string& word) override { return field(fields_.index(word)); }
  std::optional<std::uint64_t> word_of(const std::string& name, const std::string& word) override {
    return fields_.value(name, word);
  }
  Number call(const Expr& e) override {
    throw InputError("question: " + e.text + "(" + e.of[0].text + ") " +
                     (e.text == "cost" ? "needs 'within K steps'" : "goes with facts and sizes, not with fields"));
  }

 private:
  const Fields& fields_;
};

}  // namespace iomc::check::ask
