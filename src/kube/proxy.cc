#include "kube/proxy.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace wmap::kube {
namespace {

// Of version 4 as version 6 has it: ::ffff:a.b.c.d.
using IpAddress = std::array<std::uint8_t, 16>;

std::optional<IpAddress> ParseIp(std::string_view text) {
  std::string copy(text);
  IpAddress address{};
  if (inet_pton(AF_INET6, copy.c_str(), address.data()) == 1) return address;
  address[10] = address[11] = 0xff;
  if (inet_pton(AF_INET, copy.c_str(), &address[12]) == 1) return address;
  return std::nullopt;
}

bool IsWithin(const IpAddress& address, const IpAddress& network, std::size_t bits) {
  for (std::size_t i = 0; i < bits; ++i) {
    std::uint8_t mask = static_cast<std::uint8_t>(0x80 >> (i % 8));
    if (((address[i / 8] ^ network[i / 8]) & mask) != 0) return false;
  }
  return true;
}

bool IsLoopback(const IpAddress& address) {
  static const IpAddress kV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  static const IpAddress kV4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 0};
  return address == kV6 || IsWithin(address, kV4, 96 + 8);
}

struct HostAndPort {
  std::string_view host;
  std::string_view port;
};
// "host", "host:port", "[::1]:port", "::1".
HostAndPort SplitPort(std::string_view text) {
  if (text.starts_with('[')) {
    std::size_t end = std::min(text.find(']'), text.size());
    std::string_view rest = text.substr(std::min(end + 1, text.size()));
    return {text.substr(1, end - 1), rest.starts_with(':') ? rest.substr(1) : std::string_view()};
  }
  std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) {
    return {text, {}};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// An address of NO_PROXY with the length of its network: "10.0.0.0/8".
bool IsInNetwork(std::string_view network, const IpAddress& address) {
  std::size_t slash = network.find('/');
  if (slash == std::string_view::npos) return false;
  std::optional<IpAddress> base = ParseIp(network.substr(0, slash));
  std::string_view digits = network.substr(slash + 1);
  std::size_t bits = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (!base || error != std::errc() || end != digits.data() + digits.size()) return false;
  if (network.find(':') == std::string_view::npos) bits += 96;
  return bits <= 128 && IsWithin(address, *base, bits);
}

bool IsListed(std::string_view entry, const HostAndPort& target) {
  std::optional<IpAddress> address = ParseIp(target.host);
  if (entry.contains('/')) return address && IsInNetwork(entry, *address);
  HostAndPort wanted = SplitPort(entry);
  if (wanted.host.empty() || (!wanted.port.empty() && wanted.port != target.port)) return false;
  if (std::optional<IpAddress> listed = ParseIp(wanted.host)) return address && *address == *listed;
  std::string_view name = wanted.host;
  if (name.starts_with("*.")) name.remove_prefix(1);
  // ".example.com" is what is below, "example.com" is itself as well.
  if (name.starts_with('.')) return target.host.ends_with(name);
  return target.host == name || target.host.ends_with(Cat('.', name));
}

bool IsDirect(const HostAndPort& target, std::string_view no_proxy) {
  std::optional<IpAddress> address = ParseIp(target.host);
  if (target.host == "localhost" || (address && IsLoopback(*address))) return true;
  std::string list = ToLower(no_proxy);
  std::string_view rest = list;
  while (!rest.empty()) {
    std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view entry = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (entry == "*" || IsListed(entry, target)) return true;
  }
  return false;
}

}  // namespace

bool IsSupportedProxy(std::string_view url) {
  static constexpr std::array<std::string_view, 4> kKinds = {"http://", "https://", "socks5://",
                                                             "socks5h://"};
  return std::ranges::any_of(kKinds, [&](std::string_view kind) { return url.starts_with(kind); });
}

std::string WithoutSecrets(std::string_view url) {
  std::size_t begin = url.find("://");
  begin = begin == std::string_view::npos ? 0 : begin + 3;
  std::size_t at = url.substr(0, url.find('/', begin)).rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(url);
  return Cat(url.substr(0, begin), url.substr(at + 1));
}

Result<std::string> EnvironmentProxy(
    std::string_view url, const std::function<std::string(std::string_view name)>& environment) {
  auto value = [&](std::string_view name) {
    std::string text = environment(name);
    return text.empty() ? environment(ToLower(name)) : text;
  };
  bool is_secure = url.starts_with("https://");
  std::string_view name = is_secure ? "HTTPS_PROXY" : "HTTP_PROXY";
  std::string proxy = value(name);
  if (proxy.empty()) return proxy;
  std::size_t begin = url.find("://") + 3;
  std::string host = ToLower(url.substr(begin, url.find('/', begin) - begin));
  HostAndPort target = SplitPort(host);
  if (target.port.empty()) target.port = is_secure ? "443" : "80";
  if (IsDirect(target, value("NO_PROXY"))) return std::string();
  if (!proxy.contains("://")) proxy.insert(0, "http://");
  if (IsSupportedProxy(proxy)) return proxy;
  return Fail(Code::kInvalid, Cat("the proxy ", Quote(WithoutSecrets(proxy)), " of $", name,
                                  " is of a kind that is not supported; supported are http, https "
                                  "and socks5"));
}

}  // namespace wmap::kube
