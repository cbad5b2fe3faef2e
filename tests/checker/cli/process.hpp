// SPDX-License-Identifier: GPL-2.0-or-later
// Runs iomc_fake as a user does.
#pragma once

#include <string>
#include <vector>

struct Finished {
  int status = -1;  ///< exit status; 128 + N if signal N ended it, as a shell says it
  std::string out;
  std::string err;
};

struct Start {
  std::vector<std::string> arguments;
  std::string input;                     ///< for standard input
  std::vector<std::string> environment;  ///< NAME=VALUE on top of the test's own
  std::vector<int> signals;              ///< sent a while after the start, in order
  std::string stdout_path;               ///< instead of a pipe
  bool close_reader = false;             ///< nobody reads standard output
};

Finished run(const Start& start);
Finished run(const std::vector<std::string>& arguments);

/// A directory of its own, removed at the end of its life.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> files() const;

 private:
  std::string path_;
};

std::string contents(const std::string& path);
