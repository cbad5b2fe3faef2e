// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/checker/cli/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    read_end = ends[0];
    write_end = ends[1];
  }
};

[[noreturn]] void become(const Start& start, int in, int out, int err) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  unsetenv("COLUMNS");
  for (const auto& e : start.environment) putenv(const_cast<char*>(e.c_str()));
  std::vector<char*> words = {const_cast<char*>("iomc")};
  for (const auto& a : start.arguments) words.push_back(const_cast<char*>(a.c_str()));
  words.push_back(nullptr);
  execv(IOMC_FAKE, words.data());
  _exit(99);
}

void drain(int out, int err, Finished& result) {
  std::array<pollfd, 2> fds = {pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    poll(fds.data(), fds.size(), -1);
    for (std::size_t i = 0; i < fds.size(); ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
      if (n <= 0)
        fds[i].fd = -1;
      else
        (i == 0 ? result.out : result.err).append(buffer, static_cast<std::size_t>(n));
    }
  }
}

}  // namespace

Finished run(const Start& start) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in;
  Pipe out;
  Pipe err;
  int child_out = out.write_end;
  if (!start.stdout_path.empty()) child_out = open(start.stdout_path.c_str(), O_WRONLY | O_CLOEXEC);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    become(start, in.read_end, child_out, err.write_end);
  }
  close(in.read_end);
  close(out.write_end);
  close(err.write_end);
  if (child_out != out.write_end) close(child_out);
  if (start.close_reader) close(out.read_end);
  if (write(in.write_end, start.input.data(), start.input.size()) < 0) throw std::runtime_error("write");
  close(in.write_end);
  std::thread killer([&] {
    for (const int s : start.signals) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      kill(child, s);
    }
  });
  Finished result;
  drain(start.close_reader ? -1 : out.read_end, err.read_end, result);
  int status = 0;
  killer.join();
  waitpid(child, &status, 0);
  if (!start.close_reader) close(out.read_end);
  close(err.read_end);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Finished run(const std::vector<std::string>& arguments) {
  Start start;
  start.arguments = arguments;
  return run(start);
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "iomc-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryDirectory::files() const {
  std::vector<std::string> out;
  for (const auto& e : std::filesystem::directory_iterator(path_)) out.push_back(e.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
