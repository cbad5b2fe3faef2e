// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of `iomc check vmd --table`, cell by cell where a reviewer would look.
#include "properties/vmd_tables.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "checker/system.hpp"

namespace {

using Cells = std::vector<std::string>;
using iomc::properties::vmd::Table;

const iomc::spec::vmd::Facts& facts(const char* kernel) { return iomc::spec::vmd::find_kernel(kernel)->facts; }

/// The rows whose first cells are these, without them.
std::vector<Cells> rows(const Table& t, const Cells& first) {
  std::vector<Cells> out;
  for (const auto& r : t.rows)
    if (Cells(r.begin(), r.begin() + static_cast<std::ptrdiff_t>(first.size())) == first)
      out.emplace_back(r.begin() + static_cast<std::ptrdiff_t>(first.size()), r.end());
  return out;
}

TEST_CASE("the mode table of Debian's 6.12") {
  const Table t = iomc::properties::vmd::mode_table(facts("debian-6.12"));
  const Cells fine = {"arrive", "arrive", "arrive", "default", "arrive", "arrive", "arrive", "-"};
  const auto with = [&](const char* mode) {
    Cells out = {"any", mode};
    out.insert(out.end(), fine.begin(), fine.end());
    return std::vector<Cells>{out};
  };
  CHECK(rows(t, {"28c0", "host", "any"}) == with("bypass"));
  CHECK(rows(t, {"28c0", "xen", "any"}) == with("remap"));
  CHECK(rows(t, {"28c0", "guest", "shifted"}) == with("remap"));
  const std::vector<Cells> mute = {
      {"any", "bypass", "LOST", "LOST", "LOST", "default", "LOST", "arrive", "LOST", "S2a L5"}};
  CHECK(rows(t, {"28c0", "guest", "none"}) == mute);
  CHECK(rows(t, {"28c0", "guest", "identity"}) == mute);
  CHECK(rows(t, {"201d 467f 4c3d a77f 7d0b ad0b 9a0b b60b b06f", "any", "any"}) == with("remap"));
  CHECK(t.rows.size() == 6);
}

TEST_CASE("5.13 bypasses in a format that interrupt remapping blocks, unless the IOMMU lets it through") {
  const Table t = iomc::properties::vmd::mode_table(facts("5.13"));
  CHECK(rows(t, {"28c0", "host", "none", "on, on+eime, on+eime+cfis"}).at(0).at(1) == "LOST");
  CHECK(rows(t, {"28c0", "host", "none", "on+cfis"}).at(0).at(1) == "arrive");
  CHECK(rows(t, {"28c0", "host", "none", "off"}).at(0) ==
        Cells{"bypass", "arrive", "LOST", "arrive", "default", "arrive", "LOST", "arrive", "S1 S10 L5"});
}

TEST_CASE("5.16 bypasses only where nothing can remap interrupts") {
  const Table t = iomc::properties::vmd::mode_table(facts("5.16"));
  CHECK(rows(t, {"28c0", "host", "none", "off"}).at(0).at(0) == "bypass");
  CHECK(rows(t, {"28c0", "host", "none", "on, on+cfis, on+eime, on+eime+cfis"}).at(0).at(0) == "remap");
}

/// One device's VMCONFIG along one path: boot as "before probe, vmd_probe", the others step by step.
Cells along(const Table& t, const char* path, std::size_t column) {
  Cells out;
  for (const auto& r : rows(t, {path})) out.push_back(r.at(1 + column));
  return out;
}

constexpr const char* all_paths[] = {
    "boot", "S3", "s2idle", "remove", "restart, same kernel", "restart, other system", "crash kernel"};

/// The register of 201d, which remaps (column 0), or of 28c0 on a host (column 1) on every path: 0 stands for `clear`,
/// 1 for `set`. The steps: before probe, vmd_probe | three of suspend, firmware, resume_device_irqs, vmd_resume,
/// resume | the same without firmware | three of remove | children, vmd_shutdown, restart, vmd_probe | the same
/// without the last | crash, vmd_probe.
void follows(const Table& t, std::size_t column, const std::vector<std::string>& bits, const char* clear,
             const char* set) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    INFO(all_paths[i] << ", " << (column == 0 ? "201d" : "28c0"));
    Cells expected;
    for (const char b : bits[i]) expected.emplace_back(b == '1' ? set : clear);
    CHECK(along(t, all_paths[i], column) == expected);
  }
}

using iomc::properties::vmd::register_table;

TEST_CASE("VMCONFIG bit for bit: probe, suspend and resume, removal, shutdown, kexec, kdump") {
  const std::vector<std::string> never = {"00", "0000000", "000000", "000", "0000", "000", "00"};
  // Restored at resume and given back at shutdown.
  for (const char* kernel : {"debian-6.1", "6.5", "6.12", "debian-6.12", "6.15", "6.17", "6.18-rc1"}) {
    INFO(kernel);
    const Table t = register_table(facts(kernel));
    follows(t, 0, never, "0x0100", "0x0102");
    follows(t, 1, {"01", "1110011", "111111", "110", "1001", "100", "11"}, "0x0100", "0x0102");
  }
  // Neither: the firmware's default stays after S3, bypass stays for the next system.
  for (const char* kernel : {"5.13", "5.19", "6.1"}) {
    INFO(kernel);
    const Table t = register_table(facts(kernel));
    follows(t, 0, never, "0x0100", "0x0102");
    follows(t, 1, {"01", "1110000", "111111", "110", "1111", "111", "11"}, "0x0100", "0x0102");
  }
  // Interrupt remapping is on here, and 5.16 does not bypass then.
  follows(register_table(facts("5.16")), 1, never, "0x0100", "0x0102");
  CHECK(along(register_table(facts("4.9")), "boot", 1) == Cells{"0x0100", "not bound"});
}

TEST_CASE("VMCONFIG as a system before left it: who writes the mode, and that nobody touches another bit") {
  // Bypass left behind, all other bits of the low byte set, buses from 224 on.
  for (const char* kernel : {"debian-6.1", "6.12", "debian-6.12"}) {
    INFO(kernel);
    const Table t = register_table(facts(kernel), 0x02ff);
    follows(t, 0, {"10", "0000000", "000000", "000", "0000", "000", "00"}, "0x02fd", "0x02ff");
    follows(t, 1, {"11", "1110011", "111111", "110", "1001", "100", "11"}, "0x02fd", "0x02ff");
  }
  for (const char* kernel : {"5.13", "6.1"}) {
    INFO(kernel);
    const Table t = register_table(facts(kernel), 0x02ff);
    follows(t, 0, {"10", "0000000", "000000", "000", "0000", "000", "00"}, "0x02fd", "0x02ff");
    follows(t, 1, {"11", "1110000", "111111", "110", "1111", "111", "11"}, "0x02fd", "0x02ff");
  }
  // Before 5.13 nobody writes the register but the firmware.
  for (const char* kernel : {"4.9", "5.4", "5.11"}) {
    INFO(kernel);
    follows(register_table(facts(kernel), 0x02ff), 0, {"11", "1110000", "111111", "111", "1111", "111", "11"},
            "0x02fd", "0x02ff");
  }
}

TEST_CASE("every configuration is decided, and counted") {
  using iomc::properties::vmd::decide_all;
  using iomc::properties::vmd::decide_shipped;
  const auto all = decide_all(facts("6.12"));
  CHECK(all.machines == 11 * 64 * (2 + 3 + 2) * 5);
  CHECK(all.runs == all.machines * 7);
  CHECK(all.s1 == 0);
  CHECK(all.s10 == 0);
  const auto shipped = decide_shipped(facts("debian-6.12"));
  CHECK(shipped.machines == 10 * 7 * 5);
  CHECK(shipped.bypassed == 20);  // 28c0: a host with or without shadow registers, a guest without or identity-mapped
  CHECK(shipped.s2 == 0);
  CHECK(shipped.s2a == 70);  // those guests
  CHECK(decide_shipped(facts("5.16")).p7 == 56);
  CHECK(iomc::properties::vmd::decisions_table().rows.size() == 2 * iomc::spec::vmd::kernels().size());
}

TEST_CASE("which properties fail in which mode, kernel by kernel") {
  const auto& vmd = iomc::check::find_system("vmd");
  const auto t = vmd.table("matrix", {});
  // kernel, decision: below; remapping; 28c0 on a host, in a guest, under Xen; ports; counted runs.
  // Beyond the reference's matrix: S7 (counts of the slow vector), L2 (drivers that do not poll), S18 or S19 (who owns
  // hotplug and AER is disputed), S21 and S22, P3 (affinity behind remapping).
  const std::vector<Cells> expected = {
      {"4.5", "S4 S6 S8 S11 S21 L1 L2 P10 L6 L7 S13", "-", "-", "-", "S19 L5", "P3"},
      {"4.8", "S6 S7 S8 S11 S21 L1 L2 L7 S13 P8", "-", "-", "-", "S19 L5", "P3"},
      {"4.9", "S7 S8 S21 L1 L2 L3 L7 S13 P8", "-", "-", "-", "S19 L5", "P3"},
      {"5.4", "S7 S8 S21 L1 L2 L7 P8", "S16", "S16", "S16", "S19 L5", "P3"},
      {"5.11", "S7 S8 S21 L1 L2 L7", "-", "-", "-", "S19 L5", "P3"},
      {"5.13", "S7 S8 S21 L1 L2 L7", "S1 S2 S10 L5", "S1 S2 S2a S10 L5", "S1 S2 S2a S10 L5", "S19", "P3"},
      {"5.16", "S7 S8 S21 L1 L2 L7", "S1 S10 L5 P7", "S1 S2a S10 L5", "S1 S2a S10 L5", "S19", "P3"},
      {"5.19", "S7 S8 S21 L1 L2 L7", "S1 S10 L5", "S1 S2a S10 L5", "S1 S2a S10 L5", "S18", "P3"},
      {"6.1", "S7 S8 S21 L1 L2 L7", "S1 S10 L5", "S1 S2a S10 L5", "S1 S2a S10 L5", "S18", "P3"},
      {"debian-6.1", "S7 S21 L1 L2 L7", "-", "S2a L5", "-", "S1 S18", "P3"},
      {"6.5", "S7 S8 S21 L1 L2 L7", "-", "S2a L5", "S2a L5", "S1 S18", "P3"},
      {"6.12", "S7 S8 S22 L1 L2 L7", "-", "S2a L5", "S2a L5", "S1 S18", "P3"},
      {"debian-6.12", "S7 L1 L2 L7", "-", "S2a L5", "-", "S1 S18", "P3"},
      {"6.15", "S7 S22 L1 L2 L7", "-", "S2a L5", "-", "S1 S18", "P3"},
      {"6.17", "S7 S22 L1 L2 L7", "-", "S2a L5", "-", "S1 S18", "P1 P2 P3 P4"},
      {"6.18-rc1", "S4 S7 S22 L1 L2 L7", "-", "S2a L5", "-", "S1 S18", "P1 P2 P3 P4"},
  };
  REQUIRE(t.rows.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Cells row = t.rows[i];
    row.erase(row.begin() + 1);
    CHECK(row == expected[i]);
  }
  CHECK(t.rows.at(6).at(1) == "bypass: 28c0, not shifted, not with interrupt remapping");
  CHECK(t.rows.at(12).at(1) == "bypass: 28c0, not shifted, not Xen");
}

TEST_CASE("an unknown table is named with those there are") {
  const auto& vmd = iomc::check::find_system("vmd");
  CHECK_THROWS_WITH(vmd.table("x", {}), "vmd has no table 'x'; it has: mode, register, vectors, decisions, matrix");
}

}  // namespace
