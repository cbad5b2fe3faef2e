// SPDX-License-Identifier: GPL-2.0-or-later
// The vmd specification behind the System interface.
#include "properties/vmd.hpp"

#include "checker/cost/verdicts.hpp"
#include "checker/systems/adapter.hpp"
#include "checker/systems/registry.hpp"
#include "properties/vmd_runs.hpp"
#include "properties/vmd_tables.hpp"
#include "spec/vmd/configurations.hpp"

namespace iomc::check {

namespace {

namespace vmd = spec::vmd;
namespace prop = properties::vmd;

struct VmdTraits {
  using Facts = vmd::Facts;
  using Config = vmd::Config;
  using NamedConfiguration = vmd::NamedConfiguration;
  using AnySpec = vmd::Vmd<model::Concrete, vmd::Small>;
  using Size = SizeName<vmd::Sizes>;

  static constexpr const char* name = "vmd";
  static constexpr const char* title = "MSI-X remapping, bypass and the demultiplexer of Intel VMD";
  static constexpr std::array size_names = {
      Size{"cpus", "CPUs", &vmd::Sizes::cpus, 1, vmd::Small::cpus},
      Size{"children", "child interrupts", &vmd::Sizes::children, 1, vmd::Small::children},
      Size{"vectors", "the VMD's own vectors", &vmd::Sizes::vectors, 1, vmd::Small::vectors},
      Size{"posts", "completions of each child, 0 for no bound", &vmd::Sizes::posts, 0, 8},
      Size{"device", "device id", &vmd::Sizes::device, 1, vmd::device_words.size(), 0, vmd::device_words},
      Size{"platform", "where the kernel runs", &vmd::Sizes::platform, 1, vmd::platform_words.size(), 0,
           vmd::platform_words},
  };

  static std::vector<std::string> files() { return {"drivers/pci/controller/vmd.c"}; }
  static auto kernels() { return vmd::kernels(); }
  static auto configurations() { return vmd::configurations(); }
  static auto steps() { return vmd::step_table(); }
  static Config make(const NamedConfiguration& which, const Facts& f) { return vmd::make_config(which, f); }
  static std::string scope(const Config& c) { return vmd::scope_text(c); }
  template <class Spec>
  static auto properties() {
    return prop::properties<Spec>();
  }
  template <class Spec>
  static auto leads_to(const Config* config) {
    auto all = prop::leads_to<Spec>();
    // Nothing of these happens in the life of the driver, and a second exploration is not free.
    if (config != nullptr && config->env.scene == vmd::Scene::life) all.clear();
    return all;
  }

  static void resized(Config& c, const vmd::Sizes&) {
    for (const auto& lane : c.env.lanes)
      if (lane.child >= c.sizes.children && lane.role != vmd::Role::absent)
        throw InputError("configuration '" + c.name + "' needs " + std::to_string(lane.child + 1) + " children");
  }

  template <class F>
  static auto with_spec(const Config& c, F&& f) {
    return f(AnySpec(c));
  }
};

class VmdSystem : public SystemOf<VmdTraits> {
 public:
  std::vector<NamedText> tables() const override {
    return {{"mode", "what becomes of each device id on each machine"},
            {"register", "VMCONFIG bit for bit along each path of a driver's life"},
            {"vectors", "children per vector after drives were probed one after another"},
            {"decisions", "all device ids, sets of features, machines and kernels, counted"},
            {"matrix", "which properties fail in which mode, kernel by kernel"}};
  }
  Table table(const std::string& wanted, const CheckRequest& request) const override {
    prop::Table t;
    if (wanted == "mode")
      t = prop::mode_table(to_facts(request.facts));
    else if (wanted == "register")
      t = prop::register_table(to_facts(request.facts));
    else if (wanted == "vectors")
      t = prop::vectors_table(to_facts(request.facts));
    else if (wanted == "decisions")
      t = prop::decisions_table();
    else if (wanted == "matrix")
      t = matrix();
    else
      throw no_table(wanted);
    const bool all_kernels = wanted == "decisions" || wanted == "matrix";
    std::string title;
    for (const auto& known : tables())
      if (known.name == wanted) title = known.text;
    return {name(),
            wanted,
            title + (all_kernels ? "" : "; kernel " + request.kernel),
            std::move(t.columns),
            std::move(t.rows),
            std::move(t.notes)};
  }

 protected:
  std::vector<model::PropertyInfo> further_properties() const override {
    std::vector<model::PropertyInfo> out;
    for (const auto& p : prop::run_properties()) out.push_back(p.info);
    for (const auto& p : properties::vmd_cost_properties()) out.push_back(p.info);
    return out;
  }

  /// The properties of counted runs: all in a plain check, else those that were named.
  void check_further(const CheckRequest& request, const Facts& f, std::vector<PropertyResult>& results) const override {
    const bool plain = request.properties.empty() && request.configurations.empty();
    for (const auto& p : prop::run_properties()) {
      const auto& wanted = request.properties;
      if (!plain && std::find(wanted.begin(), wanted.end(), p.info.id) == wanted.end()) continue;
      const prop::RunVerdict v = p.check(f);
      PropertyResult r;
      r.property = p.info.id;
      r.claim = p.info.claim;
      r.configuration = "counted runs";
      r.verdict = v.holds ? Verdict::holds : Verdict::violated;
      r.scope = v.scope;
      r.counted = v.found;
      results.push_back(std::move(r));
    }
    for (const auto& p : properties::vmd_cost_properties())
      if (plain || std::count(request.properties.begin(), request.properties.end(), p.info.id) != 0)
        results.push_back(cost::check_cost(p, request.facts));
  }

 private:
  static std::string counted(const vmd::Facts& f) {
    std::string out;
    for (const auto& p : prop::run_properties())
      if (!p.check(f).holds) out += (out.empty() ? "" : " ") + std::string(p.info.id).substr(4);
    return out;
  }
  std::string failing(const vmd::Kernel& kernel, const std::vector<std::string>& configurations,
                      const std::vector<NamedValue>& sizes, const std::string& before = {}) const {
    CheckRequest r;
    r.facts = model::list_facts(kernel.facts);
    r.sizes = sizes;
    r.configurations = configurations;
    std::string out;
    for (const PropertyResult& p : check(r).results) {
      if (p.verdict != Verdict::violated || p.property == "vmd.deadlock") continue;
      const std::string id = p.property.substr(4);
      if ((" " + before + " ").find(" " + id + " ") != std::string::npos) continue;
      out += (out.empty() ? "" : " ") + id;
    }
    return out;
  }
  static std::string decision(const vmd::Facts& f) {
    if (!f.mode_written) return "remap, VMCONFIG not written";
    std::string out = "bypass: 28c0";
    if (f.offsets_force_remap) out += ", not shifted";
    if (f.xen_forces_remap) out += ", not Xen";
    if (f.intremap_forces_remap) out += ", not with interrupt remapping";
    return out;
  }

  /// The known state of each release: explorations of the list and the handler, of the life of a device that remaps,
  /// and of one that may bypass on each platform.
  prop::Table matrix() const {
    const std::vector<std::string> interrupts = {"siblings", "toggle", "teardown",  "teardown-disabled",
                                                 "nosync",   "grace",  "neighbour", "kinds",
                                                 "rt",       "bus",    "offline"};
    const std::vector<std::string> life = {"mode", "handover", "faults"};
    prop::Table out;
    out.columns = {"kernel",      "decision",  "remapping", "28c0, host",
                   "28c0, guest", "28c0, Xen", "ports",     "counted, remapping"};
    for (const vmd::Kernel& k : vmd::kernels()) {
      std::vector<std::string> known = interrupts;
      if (k.facts.posted_ack != vmd::PostedAck::absent) known.emplace_back("posted");
      const std::string remap = failing(k, known, {});
      const std::string quiet = failing(k, life, {{"device", "201d"}});
      std::vector<std::string> row = {std::string(k.name), decision(k.facts),
                                      remap + (quiet.empty() ? "" : " " + quiet)};
      for (const char* platform : {"host", "guest", "xen"})
        row.push_back(!vmd::listed(k.facts.id_28c0)
                          ? std::string()
                          : failing(k, life, {{"device", "28c0"}, {"platform", platform}}, quiet));
      row.push_back(failing(k, {"ports"}, {}, row[2] + " " + row[3] + " " + row[4] + " " + row[5]));
      row.push_back(counted(k.facts));
      for (auto& cell : row)
        if (cell.empty()) cell = "-";
      out.rows.push_back(std::move(row));
    }
    out.notes.emplace_back("ids of properties that some exploration violates (iomc explain vmd.ID)");
    return out;
  }
};

}  // namespace

std::unique_ptr<System> make_vmd_system() { return std::make_unique<VmdSystem>(); }

}  // namespace iomc::check
