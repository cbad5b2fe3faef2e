// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "checker/result.hpp"

namespace iomc::cli {

namespace {

using check::InputError;
namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path) { throw InputError(path + ": " + std::strerror(errno)); }

/// False with errno set if not everything could be written.
bool write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

/// The file a symbolic link leads to, whether it exists or not, so that the link survives the rename.
fs::path target_of(const std::string& path) {
  constexpr int links_followed_max = 40;  // as many as the kernel does
  fs::path at = path;
  for (int i = 0; i < links_followed_max; ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(at, error);
    if (error) return at;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  throw InputError(path + ": too many levels of symbolic links");
}

bool written_directly(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

void write_directly(const fs::path& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  const bool written = write_all(fd, text);
  const int error = errno;
  close(fd);
  errno = error;
  if (!written && errno != EPIPE) fail(path);
}

/// The permissions the file has, or those any new file gets.
mode_t mode_for(const fs::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) return status.st_mode & 07777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void check_output(const std::string& path) {
  if (path.empty()) return;
  const fs::path target = target_of(path);
  std::error_code error;
  if (fs::is_directory(target, error)) throw InputError(path + ": is a directory; name a file in it");
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error)) {
    const fs::path said = fs::path(path).parent_path();
    throw InputError(path + ": there is no directory " + said.string() + "; create it first");
  }
  if (access((written_directly(target) ? target : parent).c_str(), W_OK) != 0) fail(path);
}

void write_output(const std::string& path, const std::string& text) {
  const fs::path target = target_of(path);
  if (written_directly(target)) return write_directly(target, text);
  std::string beside = target.string() + ".XXXXXX";
  const int fd = mkstemp(beside.data());
  if (fd < 0) fail(path);
  const bool written = write_all(fd, text) && fchmod(fd, mode_for(target)) == 0 && fsync(fd) == 0;
  int error = errno;
  const bool closed = close(fd) == 0;
  if (written && !closed) error = errno;
  if (written && closed && std::rename(beside.c_str(), target.c_str()) == 0) return;
  if (written && closed) error = errno;
  unlink(beside.c_str());
  errno = error;
  fail(path);
}

void write_stdout(const std::string& text) {
  if (!write_all(STDOUT_FILENO, text) && errno != EPIPE) fail("standard output");
}

std::string read_input(const std::string& path) {
  const bool standard = path == "-";
  const int fd = standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  std::string out;
  char buffer[65536];
  ssize_t n = 0;
  while ((n = read(fd, buffer, sizeof buffer)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  const int error = errno;
  if (!standard) close(fd);
  errno = error;
  if (n < 0) fail(standard ? "standard input" : path);
  return out;
}

}  // namespace iomc::cli
