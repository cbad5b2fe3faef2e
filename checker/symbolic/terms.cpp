// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/terms.hpp"

#include <z3++.h>

#include "checker/symbolic/node.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace iomc::check::symbolic {

struct Terms::Impl {
  z3::context z;
  std::deque<Node> nodes;
  std::vector<Node*> by_id;  // Z3 shares equal expressions; its ids are dense, and stable while we hold a reference
  std::map<std::pair<unsigned, std::uint64_t>, Z3_ast> numerals;
  Effort effort;  // of solvers that are gone
  std::uint64_t checks = 0;

  Impl() { z.set_enable_exceptions(true); }
  ~Impl() {
    for (const Node& n : nodes) Z3_dec_ref(z, n.ast);
    for (const auto& [key, ast] : numerals) Z3_dec_ref(z, ast);
  }

  Node* keep(Z3_ast ast, unsigned width) {
    z.check_error();
    const unsigned id = Z3_get_ast_id(z, ast);
    if (id < by_id.size() && by_id[id] != nullptr) return by_id[id];
    Z3_inc_ref(z, ast);
    if (id >= by_id.size()) by_id.resize(id + id / 2 + 64, nullptr);
    nodes.push_back({ast, this, width, nodes.size()});
    return by_id[id] = &nodes.back();
  }
  /// With what it was made of, for what reads expressions without Z3.
  Node* keep(Z3_ast ast, unsigned width, Made made, Value a, Value b = {}, std::uint64_t n = 0) {
    Node* out = keep(ast, width);
    if (out->made == Made::elsewhere) {
      out->made = made;
      out->a = a;
      out->b = b;
      out->n = n;
    }
    return out;
  }

  Z3_ast numeral(std::uint64_t value, unsigned width) {
    if (width == 0) return value != 0 ? Z3_mk_true(z) : Z3_mk_false(z);
    auto [at, fresh] = numerals.try_emplace({width, value}, nullptr);
    if (fresh) {
      at->second = Z3_mk_unsigned_int64(z, value, Z3_mk_bv_sort(z, width));
      z.check_error();
      Z3_inc_ref(z, at->second);
    }
    return at->second;
  }
  Z3_ast ast(Value v, unsigned width) { return v.symbolic() ? v.term->ast : numeral(v.constant, width); }
  z3::expr expr(Value v, unsigned width) { return {z, ast(v, width)}; }

  /// A constant where the expression is one.
  Value value(Z3_ast made, unsigned width) {
    const z3::expr held(z, made);
    z.check_error();
    if (width == 0) {
      const auto truth = Z3_get_bool_value(z, made);
      if (truth != Z3_L_UNDEF) return {truth == Z3_L_TRUE ? 1U : 0U, nullptr};
    } else if (std::uint64_t number = 0; Z3_is_numeral_ast(z, made) && Z3_get_numeral_uint64(z, made, &number)) {
      return {number, nullptr};
    }
    return {0, keep(made, width)};
  }
};

namespace {

std::uint64_t ones(unsigned width) { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

constexpr Value yes_value{1, nullptr};
constexpr Value no_value{0, nullptr};

/// What needs no expression although an operand is one.
std::optional<Value> fold(Op op, unsigned width, Value a, Value b) {
  const bool same = a == b;
  const auto is = [](Value v, std::uint64_t n) { return !v.symbolic() && v.constant == n; };
  switch (op) {
    case Op::add:
      if (is(a, 0)) return b;
      [[fallthrough]];
    case Op::subtract:
      if (is(b, 0)) return a;
      if (op == Op::subtract && same) return no_value;
      break;
    case Op::bit_and:
      if (same || is(b, ones(width)) || is(a, 0)) return a;
      if (is(a, ones(width)) || is(b, 0)) return b;
      break;
    case Op::bit_or:
      if (same || is(b, 0) || is(a, ones(width))) return a;
      if (is(a, 0) || is(b, ones(width))) return b;
      break;
    case Op::bit_xor:
      if (same) return no_value;
      if (is(b, 0)) return a;
      if (is(a, 0)) return b;
      break;
    case Op::equal:
      if (same) return yes_value;
      break;
    case Op::less:
      if (same || is(b, 0) || is(a, ones(width))) return no_value;
      break;
    case Op::less_equal:
      if (same || is(a, 0) || is(b, ones(width))) return yes_value;
      break;
  }
  return std::nullopt;
}

Z3_ast make(Z3_context z, Op op, Z3_ast a, Z3_ast b) {
  switch (op) {
    case Op::add: return Z3_mk_bvadd(z, a, b);
    case Op::subtract: return Z3_mk_bvsub(z, a, b);
    case Op::bit_and: return Z3_mk_bvand(z, a, b);
    case Op::bit_or: return Z3_mk_bvor(z, a, b);
    case Op::bit_xor: return Z3_mk_bvxor(z, a, b);
    case Op::equal: return Z3_mk_eq(z, a, b);
    case Op::less: return Z3_mk_bvult(z, a, b);
    case Op::less_equal: return Z3_mk_bvule(z, a, b);
  }
  IOMC_UNREACHABLE("an operator without a Z3 name");
}

bool compares(Op op) { return op == Op::equal || op == Op::less || op == Op::less_equal; }

/// `choice op constant` where the choice is between two constants: the condition itself, or a constant.
std::optional<Value> fold_choice(Op op, Value a, Value b) {
  if (!a.symbolic() || b.symbolic() || a.term->condition == nullptr) return std::nullopt;
  const Node& n = *a.term;
  if (n.yes.symbolic() || n.no.symbolic()) return std::nullopt;
  const auto holds = [&](Value v) {
    if (op == Op::equal) return v.constant == b.constant;
    return op == Op::less ? v.constant < b.constant : v.constant <= b.constant;
  };
  const bool yes = holds(n.yes);
  if (yes == holds(n.no)) return Value{yes ? 1U : 0U, nullptr};
  const Value condition{0, n.condition};
  return yes ? condition : negation(condition);
}

}  // namespace

Value apply(Op op, unsigned width, Value a, Value b) {
  if (op == Op::equal && !a.symbolic()) std::swap(a, b);  // one order for one question
  if (const auto folded = fold(op, width, a, b)) return *folded;
  if (compares(op))
    if (const auto folded = fold_choice(op, a, b)) return *folded;
  Terms::Impl& t = *(a.symbolic() ? a : b).term->owner;
  IOMC_PRE(!a.symbolic() || !b.symbolic() || b.term->owner == &t);
  const Z3_ast made = make(t.z, op, t.ast(a, width), t.ast(b, width));
  return {0, t.keep(made, compares(op) ? 0 : width, static_cast<Made>(op), a, b, width)};
}

Value invert(unsigned width, Value a) {
  Terms::Impl& t = *a.term->owner;
  return {0, t.keep(Z3_mk_bvnot(t.z, a.term->ast), width, Made::inverted, a)};
}

Value shift(unsigned width, Value a, unsigned n, bool left) {
  if (n == 0) return a;
  Terms::Impl& t = *a.term->owner;
  const Z3_ast by = t.numeral(n, width);
  const Z3_ast made = left ? Z3_mk_bvshl(t.z, a.term->ast, by) : Z3_mk_bvlshr(t.z, a.term->ast, by);
  return {0, t.keep(made, width, left ? Made::shifted_left : Made::shifted_right, a, {}, n)};
}

Value resize(unsigned from, unsigned to, Value a) {
  if (from == to) return a;
  Terms::Impl& t = *a.term->owner;
  if (to > from) return {0, t.keep(Z3_mk_zero_ext(t.z, to - from, a.term->ast), to, Made::resized, a, {}, from)};
  return {0, t.keep(Z3_mk_extract(t.z, to - 1, 0, a.term->ast), to, Made::resized, a, {}, from)};
}

Value choose(unsigned width, const Node* condition, Value yes, Value no) {
  if (yes == no) return yes;
  Terms::Impl& t = *condition->owner;
  Node* made = t.keep(Z3_mk_ite(t.z, condition->ast, t.ast(yes, width), t.ast(no, width)), width,
                      Made::chosen, yes, no);
  made->condition = condition;
  made->yes = yes;
  made->no = no;
  return {0, made};
}

Value negation(Value a) {
  if (!a.symbolic()) return {a.constant == 0 ? 1U : 0U, nullptr};
  if (a.term->negated == nullptr) {
    Terms::Impl& t = *a.term->owner;
    Node* made = t.keep(Z3_mk_not(t.z, a.term->ast), 0, Made::negated, a);
    made->negated = a.term;
    made->negative = true;
    t.by_id[Z3_get_ast_id(t.z, a.term->ast)]->negated = made;
  }
  return {0, a.term->negated};
}

Value all_of(Value a, Value b) {
  if (!a.symbolic()) return a.constant != 0 ? b : a;
  if (!b.symbolic()) return b.constant != 0 ? a : b;
  if (a == b) return a;
  if (a.term->negated == b.term) return no_value;
  Terms::Impl& t = *a.term->owner;
  const std::array<Z3_ast, 2> parts{a.term->ast, b.term->ast};
  return {0, t.keep(Z3_mk_and(t.z, 2, parts.data()), 0, Made::both, a, b)};
}

std::pair<const Node*, bool> without_negation(const Node* n) { return {n->negative ? n->negated : n, n->negative}; }

std::size_t number_of(const Node* n) { return n->number; }

void index_out_of_bounds(std::size_t bound) {
  throw model::InternalError("an index may be outside 0.." + std::to_string(bound - 1));
}

Terms::Terms() : impl_(std::make_unique<Impl>()) {}
Terms::~Terms() = default;

Value Terms::variable(const std::string& name, unsigned width) {
  const z3::expr made = width == 0 ? impl_->z.bool_const(name.c_str()) : impl_->z.bv_const(name.c_str(), width);
  return {0, impl_->keep(made, width, Made::variable, {})};
}

Truth Terms::conjunction(std::span<const Truth> all) {
  z3::expr_vector parts(impl_->z);
  for (const Truth& t : all) parts.push_back(impl_->expr(t.value(), 0));
  return Truth::from(impl_->value(z3::mk_and(parts), 0));
}

Truth Terms::disjunction(std::span<const Truth> any) {
  z3::expr_vector parts(impl_->z);
  for (const Truth& t : any) parts.push_back(impl_->expr(t.value(), 0));
  return Truth::from(impl_->value(z3::mk_or(parts), 0));
}

Truth Terms::substitute(Truth in, std::span<const Value> variables, std::span<const Value> values) {
  IOMC_PRE(variables.size() == values.size());
  if (!in.value().symbolic()) return in;
  z3::expr_vector from(impl_->z);
  z3::expr_vector to(impl_->z);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i] == values[i]) continue;
    from.push_back(impl_->expr(variables[i], variables[i].term->width));
    to.push_back(impl_->expr(values[i], variables[i].term->width));
  }
  if (from.empty()) return in;
  return Truth::from(impl_->value(impl_->expr(in.value(), 0).substitute(from, to), 0));
}

std::string Terms::text(Truth t) const { return impl_->expr(t.value(), 0).to_string(); }

std::vector<std::size_t> Terms::mentions(Truth in, std::span<const Value> variables) const {
  return mentions(in.value(), variables);
}

std::vector<std::size_t> Terms::mentions(Value in, std::span<const Value> variables) const {
  std::vector<std::size_t> out;
  if (!in.symbolic()) return out;
  std::map<Z3_ast, std::size_t> index;
  for (std::size_t i = 0; i < variables.size(); ++i) index.emplace(variables[i].term->ast, i);
  std::set<Z3_ast> seen;
  std::vector<Z3_ast> left{in.term->ast};
  while (!left.empty()) {
    const Z3_ast at = left.back();
    left.pop_back();
    if (!seen.insert(at).second) continue;
    if (const auto found = index.find(at); found != index.end()) out.push_back(found->second);
    if (Z3_get_ast_kind(impl_->z, at) != Z3_APP_AST) continue;
    const Z3_app app = Z3_to_app(impl_->z, at);
    for (unsigned i = 0; i < Z3_get_app_num_args(impl_->z, app); ++i)
      left.push_back(Z3_get_app_arg(impl_->z, app, i));
  }
  std::sort(out.begin(), out.end());
  return out;
}

const Effort& Terms::effort() const { return impl_->effort; }

std::uint64_t Terms::checks() const { return impl_->checks; }

std::size_t Terms::size() const { return impl_->nodes.size(); }

struct Solver::Impl {
  Terms::Impl& terms;
  z3::solver solver;
  std::optional<z3::model> model;
  std::uint64_t before = 0;  // the context's resource count when this solver was made
};

Solver::Solver(Terms& terms, const SolverOptions& options)
    : impl_(new Impl{terms.impl(), z3::solver(terms.impl().z, options.logic), {}, {}}) {
  z3::params p(terms.impl().z);
  if (options.rlimit != 0) p.set("rlimit", options.rlimit);
  p.set("random_seed", options.seed);
  impl_->solver.set(p);
  impl_->before = effort().rlimit;
}
Solver::~Solver() {
  impl_->terms.effort += effort();
  impl_->terms.checks += checks_;
}

void Solver::push() { impl_->solver.push(); }
void Solver::pop() { impl_->solver.pop(); }
void Solver::add(Truth t) { impl_->solver.add(impl_->terms.expr(t.value(), 0)); }

Answer Solver::check() { return answered(impl_->solver.check()); }

Answer Solver::check(std::span<const Truth> assumed) {
  z3::expr_vector literals(impl_->terms.z);
  for (const Truth& t : assumed) literals.push_back(impl_->terms.expr(t.value(), 0));
  return answered(impl_->solver.check(literals));
}

Answer Solver::answered(int z3_answer) {
  ++checks_;
  impl_->model.reset();
  switch (z3_answer) {
    case z3::unsat: return Answer::unsatisfiable;
    case z3::sat: return Answer::satisfiable;
    default: return Answer::unknown;
  }
}

Effort Solver::effort() const {
  Effort out;
  const z3::stats s = impl_->solver.statistics();
  for (unsigned i = 0; i < s.size(); ++i) {
    const std::string key = s.key(i);
    const std::uint64_t n = s.is_uint(i) ? s.uint_value(i) : 0;
    if (key == "rlimit count") out.rlimit = n - std::min(n, impl_->before);
    else if (key == "sat conflicts" || key == "conflicts") out.conflicts = n;
    else if (key == "sat decisions" || key == "decisions") out.decisions = n;
  }
  return out;
}

std::string z3_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build) + "." +
         std::to_string(revision);
}

namespace {
std::uint64_t evaluate(Terms::Impl& t, const z3::model& m, Value v) {
  if (!v.symbolic()) return v.constant;
  const Value at = t.value(m.eval(z3::expr(t.z, v.term->ast), true), v.term->width);
  IOMC_POST(!at.symbolic());
  return at.constant;
}
}  // namespace

std::uint64_t Solver::value(Value v) {
  if (!impl_->model) impl_->model = impl_->solver.get_model();
  return evaluate(impl_->terms, *impl_->model, v);
}

Answer largest(Terms& terms, std::span<const Truth> given, Value v, unsigned width, unsigned rlimit,
               std::uint64_t& found) {
  Terms::Impl& t = terms.impl();
  z3::optimize z3(t.z);
  z3::params p(t.z);
  if (rlimit != 0) p.set("rlimit", rlimit);
  z3.set(p);
  for (const Truth& g : given) z3.add(t.expr(g.value(), 0));
  z3.maximize(t.expr(v, width));
  switch (z3.check()) {
    case z3::unsat: return Answer::unsatisfiable;
    case z3::unknown: return Answer::unknown;
    case z3::sat: break;
  }
  const Value upper = t.value(z3.get_model().eval(t.expr(v, width), true), width);
  if (upper.symbolic()) return Answer::unknown;
  found = upper.constant;
  return Answer::satisfiable;
}

struct Evaluator::Impl {
  Terms::Impl& terms;
  std::optional<z3::model> model;
};

Evaluator::Evaluator(Terms& terms) : impl_(new Impl{terms.impl(), {}}) {}
Evaluator::~Evaluator() = default;

void Evaluator::set(std::span<const Value> variables, std::span<const std::uint64_t> values) {
  IOMC_PRE(variables.size() == values.size());
  Terms::Impl& t = impl_->terms;
  impl_->model.emplace(t.z);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].symbolic()) continue;
    z3::func_decl f = z3::expr(t.z, variables[i].term->ast).decl();
    z3::expr number = t.expr({values[i], nullptr}, variables[i].term->width);
    impl_->model->add_const_interp(f, number);
  }
}

std::uint64_t Evaluator::operator()(Value v) { return evaluate(impl_->terms, *impl_->model, v); }

}  // namespace iomc::check::symbolic
