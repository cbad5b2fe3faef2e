// SPDX-License-Identifier: GPL-2.0-or-later
// The vmd specification behind the System interface.
#include "checker/systems/adapter.hpp"
#include "checker/systems/registry.hpp"
#include "properties/vmd.hpp"
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
      Size{"device", "device id", &vmd::Sizes::device, 1, vmd::device_words.size(), vmd::device_words},
      Size{"platform", "where the kernel runs", &vmd::Sizes::platform, 1, vmd::platform_words.size(),
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

}  // namespace

std::unique_ptr<System> make_vmd_system() { return std::make_unique<SystemOf<VmdTraits>>(); }

}  // namespace iomc::check
