// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "spec/vmd/platform.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::vmd;

TEST_CASE("bypass exists for one device id, from 5.13 on, and never with reserved first vectors") {
  for (const Kernel& k : kernels())
    for (const DeviceId& id : device_ids) {
      INFO(k.name << " " << id.name);
      const Features f = features_of(k.facts.*id.line);
      CHECK(((f & can_bypass) != 0) == (id.name == "28c0" && k.facts.mode_written));
      CHECK_FALSE(((f & can_bypass) != 0 && (f & offset_first_vector) != 0));
    }
}

TEST_CASE("every value of an id fact has its own word, and parses back") {
  Facts f;
  const model::FactInfo info{"id_201d", "", "", "", "", id_words.words};
  for (unsigned bits = 0; bits < 64; ++bits) {
    const Id id = id_with(static_cast<Features>(bits));
    Id parsed = Id::absent;
    CHECK(model::parse_fact(info, model::fact_text(info, id), parsed).empty());
    CHECK(parsed == id);
  }
  CHECK(model::fact_text(info, Facts::client) == "RVOP");
  CHECK(model::fact_text(info, f.id_28c0) == "SRB");
}

TEST_CASE("the Debian kernels are their releases with backports, and nothing else") {
  const auto differing = [](const char* a, const char* b) {
    std::string out;
    const auto x = model::list_facts(find_kernel(a)->facts);
    const auto y = model::list_facts(find_kernel(b)->facts);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) out += x[i].first + " ";
    return out;
  };
  CHECK(differing("6.1", "debian-6.1") == "xen_forces_remap resume_mode shutdown_restores cfg_lock window_reset ");
  CHECK(differing("6.12", "debian-6.12") == "id_b60b id_b06f xen_forces_remap posted_ack cfg_lock ");
}

TEST_CASE("the defaults are those of mainline 6.12") { CHECK(Facts{} == find_kernel("6.12")->facts); }

}  // namespace
