// A server on the loopback that answers with bytes from a script: for faults that a real server
// does not show on request.
#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace wmap::testing {

class HttpServer {
 public:
  // Gets the head of each request; returns the bytes to send, after which the connection is closed.
  // Runs on the server's thread.
  using Answer = std::function<std::string(const std::string& request)>;

  explicit HttpServer(Answer answer) : answer_(std::move(answer)) {
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
    close(listener_);
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // The heads of the requests so far.
  std::vector<std::string> requests() {
    std::lock_guard lock(mutex_);
    return requests_;
  }

  // An answer with these headers and this body.
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
      std::string head;
      char buffer[4096];
      while (head.find("\r\n\r\n") == std::string::npos) {
        ssize_t size = read(connection, buffer, sizeof buffer);
        if (size <= 0) break;
        head.append(buffer, static_cast<std::size_t>(size));
      }
      {
        std::lock_guard lock(mutex_);
        requests_.push_back(head);
      }
      std::string bytes = answer_(head);
      std::size_t sent = 0;
      while (sent < bytes.size()) {
        ssize_t size = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (size <= 0) break;
        sent += static_cast<std::size_t>(size);
      }
      // Bytes that were never read would make closing a reset, which destroys what was sent.
      shutdown(connection, SHUT_WR);
      while (!stopping_ && read(connection, buffer, sizeof buffer) > 0) {
      }
      close(connection);
    }
  }

  Answer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace wmap::testing
