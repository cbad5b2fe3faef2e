// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "checker/result.hpp"

extern char** environ;

namespace iomc::check {

namespace {

using Clock = std::chrono::steady_clock;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe() {
  int fd[2];
  if (::pipe2(fd, O_CLOEXEC) != 0) throw InputError(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {Descriptor(fd[0]), Descriptor(fd[1])};
}

/// Looked up before the fork: after it, a program with threads may call next to nothing.
std::string find_program(const Command& command) {
  const std::string& name = command.argv.at(0);
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const std::string candidate = rest.substr(0, colon) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? std::string() : rest.substr(colon + 1);
  }
  const std::string remedy = command.package.empty() ? "install it" : "apt-get install " + command.package;
  throw InputError(name + " is not installed: " + remedy);
}

/// The environment with messages in English, so that they can be read by this program too.
std::vector<std::string> child_environment() {
  std::vector<std::string> out;
  for (char** e = environ; *e != nullptr; ++e)
    if (std::strncmp(*e, "LC_ALL=", 7) != 0 && std::strncmp(*e, "LANGUAGE=", 9) != 0) out.emplace_back(*e);
  out.emplace_back("LC_ALL=C");
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& t : texts) out.push_back(t.data());
  out.push_back(nullptr);
  return out;
}

struct Child {
  pid_t pid = -1;
  Descriptor input;
  Descriptor out;
  Descriptor err;
};

Child start(const Command& command) {
  const std::string program = find_program(command);
  std::vector<std::string> arguments = command.argv;
  std::vector<std::string> environment = child_environment();
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  const std::string directory = command.directory.string();
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), failure = make_pipe();

  const pid_t pid = ::fork();
  if (pid < 0) throw InputError(std::string("cannot start ") + program + ": " + std::strerror(errno));
  if (pid == 0) {
    ::setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const bool ready = ::dup2(in.read.get(), 0) >= 0 && ::dup2(out.write.get(), 1) >= 0 &&
                       ::dup2(err.write.get(), 2) >= 0 && (directory.empty() || ::chdir(directory.c_str()) == 0);
    if (ready) ::execve(program.c_str(), argv.data(), envp.data());
    const int number = errno;
    const ssize_t ignored = ::write(failure.write.get(), &number, sizeof number);
    ::_exit(ignored < 0 ? 126 : 127);
  }
  failure.write.close();
  int number = 0;
  if (::read(failure.read.get(), &number, sizeof number) == static_cast<ssize_t>(sizeof number)) {
    ::waitpid(pid, nullptr, 0);
    throw InputError("cannot start " + program + ": " + std::strerror(number));
  }
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  return {pid, std::move(in.write), std::move(out.read), std::move(err.read)};
}

/// Appends what can be read; closes the descriptor at the end of file.
void drain(Descriptor& from, std::string& to) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
  if (n > 0)
    to.append(buffer.data(), static_cast<std::size_t>(n));
  else if (n == 0 || errno != EINTR)
    from.close();
}

void feed(Descriptor& to, const std::string& input, std::size_t& written) {
  const ssize_t n = ::write(to.get(), input.data() + written, input.size() - written);
  if (n >= 0)
    written += static_cast<std::size_t>(n);
  else if (errno != EAGAIN && errno != EINTR)
    to.close();  // the program does not want the rest
  if (written == input.size()) to.close();
}

/// Writing to a program that has gone away must not end this one.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_only, &before_);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;
  ~NoPipeSignal() {
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0)
      while (::sigtimedwait(&pipe_only, nullptr, &at_once) == SIGPIPE) {
      }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

void exchange(Child& child, const Command& command, ProcessResult& result) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(command.limit_seconds);
  std::size_t written = 0;
  if (command.input.empty()) child.input.close();
  while (child.out.get() >= 0 || child.err.get() >= 0) {
    std::array<pollfd, 3> waiting{
        {{child.out.get(), POLLIN, 0}, {child.err.get(), POLLIN, 0}, {child.input.get(), POLLOUT, 0}}};
    int timeout = -1;
    if (command.limit_seconds > 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      timeout = left > 0 ? static_cast<int>(left) + 1 : 0;
    }
    const int ready = ::poll(waiting.data(), waiting.size(), timeout);
    if (ready == 0) {
      result.timed_out = true;
      ::kill(-child.pid, SIGKILL);
      return;
    }
    if (waiting[0].revents != 0) drain(child.out, result.out);
    if (waiting[1].revents != 0) drain(child.err, result.err);
    if (waiting[2].revents != 0) feed(child.input, command.input, written);
  }
}

}  // namespace

ProcessResult run_process(const Command& command) {
  const NoPipeSignal no_signal;
  Child child = start(command);
  ProcessResult result;
  exchange(child, command, result);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

ProcessResult run_checked(const Command& command) {
  ProcessResult result = run_process(command);
  if (result.timed_out) throw InputError(command.argv[0] + " did not end in time");
  if (result.status != 0) {
    const std::string said = first_line(result.err.empty() ? result.out : result.err);
    throw InputError(command.argv[0] + " failed with status " + std::to_string(result.status) + ": " + said);
  }
  return result;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace iomc::check
