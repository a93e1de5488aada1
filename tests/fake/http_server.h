// A server on the loopback that answers with bytes from a script: for faults that a real server
// does not show on request.
#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace wmap::testing {

class HttpServer {
 public:
  // Gets the head of each request and its body; returns the bytes to send, after which the
  // connection is closed. Runs on the server's thread.
  using Answer = std::function<std::string(const std::string& request)>;
  // kKept: after each answer but an empty one the connection waits for another request; several
  // connections are served at once.
  enum class Connections { kClosed, kKept };

  explicit HttpServer(Answer answer, Connections connections = Connections::kClosed)
      : answer_(std::move(answer)), connections_(connections) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    listen(listener_, 16);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~HttpServer() {
    stopping_ = true;
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    for (std::thread& thread : kept_) thread.join();
    close(listener_);
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // The requests so far: head and body.
  std::vector<std::string> requests() {
    std::lock_guard lock(mutex_);
    return requests_;
  }

  // An answer with these headers and this body, after which the connection is closed.
  static std::string Reply(int status, const std::string& body, const std::string& headers = "") {
    return "HTTP/1.1 " + std::to_string(status) +
           " X\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\nConnection: close\r\n" + headers + "\r\n" + body;
  }

 private:
  void Serve() {
    while (!stopping_) {
      int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      if (connections_ == Connections::kClosed) {
        Talk(connection);
      } else {
        kept_.emplace_back([this, connection] { Talk(connection); });
      }
    }
  }

  void Talk(int connection) {
    // So that it is seen when the server stops.
    timeval moment{.tv_sec = 0, .tv_usec = 50'000};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
    bool goes_on = true;
    while (goes_on) {
      std::string request = Receive(connection);
      if (request.empty() && connections_ == Connections::kKept) break;
      {
        std::lock_guard lock(mutex_);
        requests_.push_back(request);
      }
      std::string bytes = answer_(request);
      Send(connection, bytes);
      goes_on = connections_ == Connections::kKept && !bytes.empty();
    }
    // Bytes that were never read would make closing a reset, which destroys what was sent.
    shutdown(connection, SHUT_WR);
    char buffer[4096];
    while (Read(connection, buffer) > 0) {
    }
    close(connection);
  }

  template <std::size_t kSize>
  ssize_t Read(int connection, char (&buffer)[kSize]) {
    while (!stopping_) {
      ssize_t size = read(connection, buffer, kSize);
      if (size >= 0 || (errno != EAGAIN && errno != EINTR)) return size;
    }
    return 0;
  }

  // One request, or what comes of it.
  std::string Receive(int connection) {
    std::string request;
    std::size_t wanted = std::string::npos;
    char buffer[4096];
    while (request.size() < wanted) {
      ssize_t size = Read(connection, buffer);
      if (size <= 0) break;
      request.append(buffer, static_cast<std::size_t>(size));
      std::size_t end = request.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      constexpr std::string_view kLength = "\r\nContent-Length: ";
      std::size_t length = request.find(kLength);
      wanted = end + 4;
      if (length < end) wanted += std::stoul(request.substr(length + kLength.size()));
    }
    return request;
  }

  static void Send(int connection, const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      ssize_t size = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (size <= 0) break;
      sent += static_cast<std::size_t>(size);
    }
  }

  Answer answer_;
  Connections connections_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
  std::vector<std::thread> kept_;  // of connections; added to by thread_ alone
};

}  // namespace wmap::testing
