#include "kube/proxy.h"

#include <gtest/gtest.h>
#include <map>

namespace wmap::kube {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string ProxyOf(const std::string& url, const Variables& variables) {
  auto proxy = EnvironmentProxy(url, [&](std::string_view name) {
    auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
  return proxy ? *proxy : proxy.error().message();
}

TEST(Proxy, IsThatOfTheScheme) {
  Variables both = {{"HTTPS_PROXY", "http://s:1"}, {"http_proxy", "p:2"}};
  EXPECT_EQ(ProxyOf("https://10.0.0.1:6443", both), "http://s:1");
  EXPECT_EQ(ProxyOf("http://api.example.com/x", both), "http://p:2");
  EXPECT_EQ(ProxyOf("https://a", {{"ALL_PROXY", "http://s:1"}}), "");
  EXPECT_EQ(ProxyOf("https://a", {{"HTTPS_PROXY", "u:p@s:1"}}), "http://u:p@s:1");
  EXPECT_EQ(ProxyOf("https://a", {{"https_proxy", "socks5://s:1"}}), "socks5://s:1");
  EXPECT_EQ(ProxyOf("https://a", {{"HTTPS_PROXY", "ftp://u:secret@s:1"}}),
            "the proxy \"ftp://s:1\" of $HTTPS_PROXY is of a kind that is not supported; supported "
            "are http, https and socks5");
}

TEST(Proxy, IsNeverBetweenThisMachineAndItself) {
  Variables set = {{"HTTPS_PROXY", "http://s:1"}, {"HTTP_PROXY", "http://s:1"}};
  for (const char* url :
       {"https://localhost:6443", "https://127.0.0.1:6443", "https://127.9.8.7",
        "https://[::1]:6443/base", "http://LOCALHOST", "https://[::ffff:127.0.0.1]"}) {
    EXPECT_EQ(ProxyOf(url, set), "") << url;
  }
  for (const char* url : {"https://128.0.0.1", "https://[::2]:1", "https://localhost.example.com",
                          "https://127.example.com"}) {
    EXPECT_EQ(ProxyOf(url, set), "http://s:1") << url;
  }
}

TEST(Proxy, IsNotTakenForWhatIsListed) {
  auto is_direct = [](const std::string& url, const std::string& list) {
    return ProxyOf(url, {{"HTTPS_PROXY", "http://s:1"}, {"NO_PROXY", list}}).empty();
  };
  EXPECT_TRUE(is_direct("https://a.example.com", "x, example.com"));
  EXPECT_TRUE(is_direct("https://example.com", "Example.com"));
  EXPECT_FALSE(is_direct("https://example.com", ".example.com"));
  EXPECT_TRUE(is_direct("https://a.example.com", ".example.com"));
  EXPECT_TRUE(is_direct("https://a.example.com", "*.example.com"));
  EXPECT_FALSE(is_direct("https://myexample.com", "example.com"));
  EXPECT_TRUE(is_direct("https://a:6443", "a:6443"));
  EXPECT_FALSE(is_direct("https://a:6443", "a:443"));
  EXPECT_TRUE(is_direct("https://a", "a:443"));
  EXPECT_TRUE(is_direct("https://10.1.2.3:6443", "10.0.0.0/8"));
  EXPECT_FALSE(is_direct("https://11.1.2.3:6443", "10.0.0.0/8"));
  EXPECT_TRUE(is_direct("https://10.1.2.3:6443", "10.1.2.3"));
  EXPECT_FALSE(is_direct("https://10.1.2.3:6443", "10.1.2.3:443"));
  EXPECT_TRUE(is_direct("https://[fd00::1]:6443", "fd00::/16"));
  EXPECT_TRUE(is_direct("https://[fd00::1]:6443", "fd00:0::1"));
  EXPECT_FALSE(is_direct("https://[fd00::1]:6443", "0.0.0.0/0"));
  EXPECT_TRUE(is_direct("https://anything", "*"));
  EXPECT_FALSE(is_direct("https://anything", "10.0.0.0/x,10.0.0.0/99,:443,,"));
}

TEST(Proxy, IsShownWithoutSecrets) {
  EXPECT_EQ(WithoutSecrets("http://u:p@ss@h:1/x@y"), "http://h:1/x@y");
  EXPECT_EQ(WithoutSecrets("http://h:1"), "http://h:1");
}

}  // namespace
}  // namespace wmap::kube
