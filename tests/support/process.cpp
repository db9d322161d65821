#include "support/process.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>

#include <curl/curl.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

extern char** environ;

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitised = true;
#else
constexpr bool kSanitised = false;
#endif

// How a sanitised program ends that has something to report; ThreadSanitizer's own choice, and one
// that holdfast never makes. A finding fails the test, whatever else the test looks at. `errors` is
// what it printed, unless that went to our own standard error.
constexpr int kFindings = 66;

int status_of(int raw, const std::string& errors = {}) {
  const int status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  EXPECT_NE(status, kFindings) << "a sanitiser has findings in holdfast: see standard error\n"
                               << errors;
  return status;
}

// Our environment for the program, without settings of holdfast. Each sanitiser has options of its
// own, also where two are in one program; ours come first, so that what is set outside wins.
std::vector<std::string> inherited_environment() {
  std::map<std::string, std::string> options = {
      {"ASAN_OPTIONS", ""}, {"UBSAN_OPTIONS", "print_stacktrace=1:"}, {"TSAN_OPTIONS", ""}};
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (const auto known = options.find(text.substr(0, equals)); known != options.end())
      known->second += text.substr(equals + 1);
    else if (!text.starts_with("HOLDFAST_"))
      variables.push_back(text);
  }
  for (const auto& [name, value] : options)
    variables.push_back(name + "=exitcode=" + std::to_string(kFindings) + ":" + value);
  return variables;
}

// Everything the child needs is prepared before fork: afterwards only async-signal-safe calls are
// made.
struct Launch {
  std::vector<std::string> words;
  std::vector<std::string> variables;
  std::vector<char*> argv;
  std::vector<char*> envp;

  Launch(const std::vector<std::string>& arguments, const Environment& environment)
      : variables(inherited_environment()) {
    words.push_back(HOLDFAST_BINARY);
    words.insert(words.end(), arguments.begin(), arguments.end());
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    for (auto& word : words) argv.push_back(word.data());
    for (auto& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }
};

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  return ends;
}

pid_t launch(const Launch& plan, int input, int output, int error) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  if (error >= 0) dup2(error, STDERR_FILENO);
  execve(plan.argv[0], plan.argv.data(), plan.envp.data());
  _exit(127);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> chunk{};
  for (ssize_t n = 0; (n = read(descriptor, chunk.data(), chunk.size())) > 0;)
    text.append(chunk.data(), static_cast<size_t>(n));
  return text;
}

size_t collect_body(char* data, size_t size, size_t count, void* target) {
  static_cast<std::string*>(target)->append(data, size * count);
  return size * count;
}

size_t collect_header(char* data, size_t size, size_t count, void* target) {
  const std::string line(data, size * count);
  const size_t colon = line.find(':');
  if (colon != std::string::npos) {
    std::string name = line.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string value = line.substr(colon + 1);
    value.erase(0, value.find_first_not_of(" \t"));
    value.erase(value.find_last_not_of("\r\n") + 1);
    (*static_cast<std::map<std::string, std::string>*>(target))[name] = value;
  }
  return size * count;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = fs::temp_directory_path() / "holdfast-test-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

RunResult run_holdfast(const std::vector<std::string>& arguments, const std::string& input,
                       const Environment& environment) {
  const auto in = make_pipe();
  const auto out = make_pipe();
  const auto err = make_pipe();
  const Launch plan(arguments, environment);
  const pid_t pid = launch(plan, in[0], out[1], err[1]);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  std::thread feeder([&] {
    std::signal(SIGPIPE, SIG_IGN);
    for (size_t at = 0; at < input.size();) {
      const ssize_t n = write(in[1], input.data() + at, input.size() - at);
      if (n <= 0) break;
      at += static_cast<size_t>(n);
    }
    close(in[1]);
  });
  RunResult result;
  std::thread errors([&] { result.err = read_all(err[0]); });
  result.out = read_all(out[0]);
  feeder.join();
  errors.join();
  close(out[0]);
  close(err[0]);
  int raw = 0;
  waitpid(pid, &raw, 0);
  result.status = status_of(raw, result.err);
  return result;
}

Process::Process(const std::vector<std::string>& arguments, const Environment& environment) {
  const auto in = make_pipe();
  const auto out = make_pipe();
  const Launch plan(arguments, environment);
  pid_ = launch(plan, in[0], out[1], -1);
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

Process::~Process() {
  if (!status_) {
    kill(pid_, kSanitised ? SIGTERM : SIGKILL);  // only at its own end a program counts its leaks
    wait();
  }
  close_input();
  close(output_);
}

std::optional<std::string> Process::read_line() {
  for (;;) {
    if (const size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> chunk{};
    const ssize_t n = read(output_, chunk.data(), chunk.size());
    if (n <= 0) return std::nullopt;
    buffer_.append(chunk.data(), static_cast<size_t>(n));
  }
}

void Process::write(const std::string& text) {
  std::signal(SIGPIPE, SIG_IGN);
  for (size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(input_, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<size_t>(n);
  }
}

void Process::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void Process::signal(int number) const { kill(pid_, number); }

int Process::wait() {
  if (!status_) {
    int raw = 0;
    waitpid(pid_, &raw, 0);
    status_ = status_of(raw);
  }
  return *status_;
}

HttpClient::HttpClient(int port) : handle_(curl_easy_init()), port_(port) {}

HttpClient::~HttpClient() { curl_easy_cleanup(handle_); }

HttpAnswer HttpClient::request(const std::string& method, const std::string& target,
                               const std::string& body,
                               const std::map<std::string, std::string>& headers) {
  HttpAnswer answer;
  curl_slist* list = curl_slist_append(nullptr, "Expect:");
  if (!body.empty() && !headers.contains("Content-Type"))
    list = curl_slist_append(list, "Content-Type: application/json");
  for (const auto& [name, value] : headers)
    list = curl_slist_append(list, (name + ": " + value).c_str());
  const std::string url = "http://127.0.0.1:" + std::to_string(port_) + target;
  curl_easy_reset(handle_);
  curl_easy_setopt(handle_, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle_, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(handle_, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle_, CURLOPT_TIMEOUT, 120L);
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, collect_body);
  curl_easy_setopt(handle_, CURLOPT_WRITEDATA, &answer.body);
  curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, collect_header);
  curl_easy_setopt(handle_, CURLOPT_HEADERDATA, &answer.headers);
  if (method == "HEAD") {
    curl_easy_setopt(handle_, CURLOPT_NOBODY, 1L);
  } else {
    if (!body.empty() || method == "POST") {
      curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, body.data());
      curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    }
    curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, method.c_str());
  }
  if (curl_easy_perform(handle_) == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
  }
  curl_slist_free_all(list);
  return answer;
}

ServerProcess::ServerProcess(std::string data, std::vector<std::string> arguments,
                             Environment environment)
    : data_(std::move(data)),
      arguments_(std::move(arguments)),
      environment_(std::move(environment)) {
  start();
}

void ServerProcess::start() {
  std::vector<std::string> arguments = {"serve", "--data", data_, "--listen",
                                        "127.0.0.1:" + std::to_string(port_)};
  arguments.insert(arguments.end(), arguments_.begin(), arguments_.end());
  process_ = std::make_unique<Process>(arguments, environment_);
  while (const auto line = process_->read_line()) {
    if (line->starts_with("bootstrap-token: ")) first_token_ = line->substr(17);
    if (line->starts_with("listening on ")) {
      port_ = std::stoi(line->substr(line->rfind(':') + 1));
      return;
    }
  }
  throw std::runtime_error("the server ended with status " + std::to_string(process_->wait()));
}

int ServerProcess::stop(int signal) {
  process_->signal(signal);
  return process_->wait();
}

bool folder_contains(const std::string& folder, const std::string& bytes) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(in), {});
    if (content.find(bytes) != std::string::npos) return true;
  }
  return false;
}

}  // namespace holdfast::testing
