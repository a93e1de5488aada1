#include "kube/escape.h"

#include "base/text.h"

namespace wmap::kube {

std::string PercentEncoded(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      encoded += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kHex[byte >> 4];
    encoded += kHex[byte & 15];
  }
  return encoded;
}

std::string_view SegmentFault(std::string_view text) {
  if (text == ".") return "may not be '.'";
  if (text == "..") return "may not be '..'";
  if (text.contains('/')) return "may not contain '/'";
  if (text.contains('%')) return "may not contain '%'";
  return {};
}

void AppendParameter(std::string& path, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  CatTo(path, path.contains('?') ? '&' : '?', name, '=', PercentEncoded(value));
}

}  // namespace wmap::kube
