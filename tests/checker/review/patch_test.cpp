// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/patch.hpp"

#include <catch2/catch.hpp>

#include "checker/result.hpp"
#include "tests/checker/review/edits.hpp"

using namespace iomc::check;
using namespace iomc::check::testing;
using Catch::Matchers::Contains;

namespace {

const std::string ten = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const std::string head = "--- a/dir/f.c\n+++ b/dir/f.c\n";
const std::string change_five = "@@ -4,3 +4,3 @@ some_function\n four\n-five\n+FIVE\n six\n";

void refused(const std::string& text, const std::string& expected) {
  INFO(text);
  CHECK_THROWS_WITH(read_patches(text, "x.patch"), Contains(expected));
  CHECK_THROWS_AS(read_patches(text, "x.patch"), InputError);
}

struct Tree {
  TemporaryDirectory directory;
  explicit Tree(const FileTexts& files) {
    for (const auto& [name, text] : files) write_file(directory.path() / name, text);
  }
  Application apply(const std::string& patch) const {
    const auto patches = read_patches(patch, "x.patch");
    return apply_patches(SourceTree::open(directory.path(), paths_named(patches)), patches, {});
  }
};

std::string mail(const std::string& subject, const std::string& body) {
  return "From 0123456789 Mon Sep 17 00:00:00 2001\nFrom: A B <a@b.c>\nDate: Mon, 1 Jan 2024 00:00:00 "
         "+0000\nSubject: " +
         subject + "\n\nWords about it.\n---\n dir/f.c | 2 +-\n\n" + body + "-- \n2.39.2\n\n";
}

}  // namespace

TEST_CASE("a plain diff is read and applied, and the tree keeps its text") {
  const Tree tree({{"dir/f.c", ten}});
  const Application a = tree.apply(head + change_five);
  CHECK(a.after.at("dir/f.c") == edited(ten, "five", "FIVE"));
  CHECK(a.before.at("dir/f.c") == ten);
  CHECK(read_file(tree.directory.path() / "dir/f.c") == ten);
  REQUIRE(a.applied.size() == 1);
  REQUIRE(a.applied[0].changes.size() == 1);
  CHECK(a.applied[0].changes[0].old_first == 5);
  CHECK(a.applied[0].changes[0].new_first == 5);
  CHECK(a.notes.empty());
}

TEST_CASE("a hunk may lie elsewhere, but its lines must be the tree's") {
  const Tree moved({{"dir/f.c", "zero\nzero\n" + ten}});
  const Application a = moved.apply(head + change_five);
  CHECK(a.after.at("dir/f.c") == "zero\nzero\n" + edited(ten, "five", "FIVE"));
  REQUIRE(a.notes.size() == 1);
  CHECK_THAT(a.notes[0], Contains("2 lines further down"));
  const Tree other({{"dir/f.c", edited(ten, "six", "SIX")}});
  CHECK_THROWS_WITH(
      other.apply(head + change_five),
      Contains("x.patch:3: hunk @@ -4,3 +4,3 @@ of dir/f.c does not apply: line 6 should be \"six\", the tree has "
               "\"SIX\""));
}

TEST_CASE("files are created, deleted and renamed in the copy") {
  const Tree tree({{"dir/f.c", ten}, {"dir/g.c", "a\nb\n"}});
  const Application made = tree.apply("--- /dev/null\n+++ b/dir/new.c\n@@ -0,0 +1,2 @@\n+x\n+y\n");
  CHECK(made.after.at("dir/new.c") == "x\ny\n");
  CHECK(made.applied[0].created);
  const Application gone = tree.apply("--- a/dir/g.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n");
  CHECK(gone.after.count("dir/g.c") == 0);
  CHECK(gone.applied[0].deleted);
  const Application moved =
      tree.apply("diff --git a/dir/g.c b/dir/h.c\nsimilarity index 100%\nrename from dir/g.c\nrename to dir/h.c\n");
  CHECK(moved.after.count("dir/g.c") == 0);
  CHECK(moved.after.at("dir/h.c") == "a\nb\n");
  CHECK_THROWS_WITH(tree.apply("--- /dev/null\n+++ b/dir/g.c\n@@ -0,0 +1 @@\n+x\n"), Contains("the tree has already"));
  CHECK_THROWS_WITH(tree.apply("--- a/dir/g.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"), Contains("not all of its lines"));
  CHECK_THROWS_WITH(tree.apply("--- a/none.c\n+++ b/none.c\n@@ -1 +1 @@\n-a\n+b\n"),
                    Contains("x.patch:1: the tree has no none.c"));
}

TEST_CASE("a missing line end at the end of a file is kept, added and removed") {
  const Tree tree({{"dir/f.c", std::string("a\nb")}});
  CHECK(tree.apply(head + "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n").after.at("dir/f.c") == "A\nb");
  CHECK(tree.apply(head + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n").after.at("dir/f.c") ==
        "a\nb\n");
  const Tree whole({{"dir/f.c", std::string("a\nb\n")}});
  CHECK(whole.apply(head + "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n").after.at("dir/f.c") ==
        "a\nb");
}

TEST_CASE("names without a/ and b/, with times, and with one folder too many are understood") {
  const Tree tree({{"dir/f.c", ten}});
  for (const std::string names :
       {"--- dir/f.c\t2024-01-01 00:00:00\n+++ dir/f.c\t2024-01-02 00:00:00\n",
        "--- linux.orig/dir/f.c\n+++ linux/dir/f.c\n",
        "diff --git a/dir/f.c b/dir/f.c\nindex 123..456 100644\n--- a/dir/f.c\n+++ b/dir/f.c\n"}) {
    INFO(names);
    CHECK(tree.apply(names + change_five).after.at("dir/f.c") == edited(ten, "five", "FIVE"));
  }
}

TEST_CASE("applying what diff printed gives the file diff was given, for edits of many shapes") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::string before, after;
    for (unsigned i = 0; i < 60; ++i) {
      const std::string line = "line " + std::to_string(i % 7) + "\n";
      before += line;
      const unsigned dice = (seed * 2654435761u + i * 40503u) / 7919u % 11u;
      if (dice == 0) continue;
      after += dice == 1 ? "changed " + std::to_string(seed) + "\n" : line;
      if (dice == 2) after += "added\n";
    }
    if (before == after) continue;
    const Tree tree({{"dir/f.c", before}});
    CHECK(tree.apply(diff({{"dir/f.c", before}}, {{"dir/f.c", after}})).after.at("dir/f.c") == after);
  }
}

TEST_CASE("mails and mailboxes are split and put in series order") {
  const std::string first = head + "@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n";
  const std::string second = head + "@@ -1,2 +1,2 @@\n ONE\n-two\n+TWO\n";
  const std::string box = mail("[PATCH v2 2/2] second", second) + mail("[PATCH v2 0/2] cover", "") +
                          mail("Re: [PATCH v2 1/2] first", "") +
                          mail("[PATCH v2 1/2] first\n of a folded subject", first);
  const auto patches = read_patches(box, "box");
  REQUIRE(patches.size() == 2);
  CHECK(patches[0].subject == "[PATCH v2 1/2] first of a folded subject");
  CHECK(patches[1].subject == "[PATCH v2 2/2] second");
  const Tree tree({{"dir/f.c", ten}});
  CHECK(tree.apply(box).after.at("dir/f.c").starts_with("ONE\nTWO\nthree\n"));
  refused(mail("[PATCH 1/2] a", first) + mail("[PATCH v2 1/2] a", first), "holds versions 1 and 2 of a series");
  refused("From 01 Mon Sep 17 00:00:00 2001\nSubject: x\nContent-Transfer-Encoding: quoted-printable\n\n" + first,
          "x.patch:3: the mail is encoded");
}

TEST_CASE("a patch that leaves the tree is refused") {
  refused("--- a/../x.c\n+++ b/../x.c\n@@ -1 +1 @@\n-a\n+b\n", "x.patch:1: the path \"../x.c\" has a part \"..\"");
  refused("--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", "is absolute");
  refused("diff --git a/x b/y\nrename from x\nrename to ../../y\n", "has a part \"..\"");
  refused("diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n", "makes a link");
  const TemporaryDirectory outside;
  write_file(outside.path() / "f.c", ten);
  const Tree tree({{"dir/other.c", std::string()}});
  std::filesystem::create_symlink(outside.path() / "f.c", tree.directory.path() / "dir/f.c");
  CHECK_THROWS_WITH(tree.apply(head + change_five), Contains("dir/f.c is a link out of the tree"));
  CHECK(read_file(outside.path() / "f.c") == ten);
}

TEST_CASE("damaged input is refused with the file and the line") {
  refused("", "x.patch: is empty");
  refused(" \n\n", "x.patch: is empty");
  refused("just words\nand more\n", "x.patch: no unified diff in it");
  refused(std::string("--- a/f\n+++ b/f\n\0\1\2", 19), "x.patch:3: binary data");
  refused(head + "@@ -4,3 +4,3 @@\r\n four\r\n", "x.patch:3: CRLF line ends");
  refused(head + "@@ -x,3 +4,3 @@\n four\n", "x.patch:3: broken hunk header");
  refused(head + "@@ -4,3 +4,3\n four\n", "x.patch:3: broken hunk header");
  refused(head + "@@ -4,3 +99999999999999,3 @@\n four\n", "x.patch:3: broken hunk header");
  refused(head, "x.patch:1: no hunk follows");
  refused(head + "@@ -4,3 +4,3 @@\n four\n", "x.patch:3: the hunk ends early");
  refused(head + "@@ -4,3 +4,3 @@\n four\n-five\nwrapped text\n",
          "x.patch:6: neither context nor change, in the hunk of line 3");
  refused(head + change_five + "+more\n", "x.patch:8: more lines than the hunk header in line 3 says");
  refused(head + "@@ -4,2 +4,2 @@\n four\n-five\n+FIVE\n six\n+hidden\n", "x.patch:7: more lines than the hunk header");
  refused(head + "@@ -4,1 +4,1 @@\n-four\n-five\n+x\n", "other lines than the hunk header in line 3 says");
  refused("@@ -4,3 +4,3 @@\n four\n", "x.patch:1: a hunk before any");
  refused("diff --git a/x b/x\nGIT binary patch\nliteral 3\n", "x.patch:2: a binary patch");
}
