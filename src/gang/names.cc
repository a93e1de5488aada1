#include "gang/names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/text.h"

namespace wmap::gang {
namespace {

bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool IsLabelOfAnyLength(std::string_view text) {
  return !text.empty() && IsLetterOrDigit(text.front()) && IsLetterOrDigit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsLetterOrDigit(c) || c == '-'; });
}

// SHA-256 (FIPS 180-4). Names are short; nothing here is tuned.
class Sha256 {
 public:
  explicit Sha256(std::string_view text) {
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xFF);
    for (std::size_t at = 0; at < padded.size(); at += 64) Block(padded.substr(at, 64));
  }

  std::string Hex() const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (std::uint32_t word : state_) {
      for (int shift = 28; shift >= 0; shift -= 4) hex += kDigits[word >> shift & 0xF];
    }
    return hex;
  }

 private:
  void Block(std::string_view bytes) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) {
      w[i] = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        w[i] = w[i] << 8 | static_cast<unsigned char>(bytes[i * 4 + j]);
      }
    }
    for (std::size_t i = 16; i < 64; ++i) {
      std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    std::array<std::uint32_t, 8> v = state_;
    for (std::size_t i = 0; i < 64; ++i) {
      std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
      std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
      std::uint32_t one = v[7] + s1 + choice + kRound[i] + w[i];
      std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
      std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      v = {one + s0 + majority, v[0], v[1], v[2], v[3] + one, v[4], v[5], v[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) state_[i] += v[i];
  }

  static constexpr std::array<std::uint32_t, 64> kRound = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace

bool IsDnsLabel(std::string_view text) {
  return text.size() <= kLongestLabel && IsLabelOfAnyLength(text);
}

bool IsDnsSubdomain(std::string_view text) {
  if (text.size() > kLongestName) return false;
  while (true) {
    std::size_t dot = text.find('.');
    if (!IsLabelOfAnyLength(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

std::string ToDnsLabel(std::string_view text) {
  std::string label = ToLower(text.substr(0, kLongestLabel));
  for (char& c : label) {
    if (!IsLetterOrDigit(c)) c = '-';
  }
  std::size_t begin = label.find_first_not_of('-');
  if (begin == std::string::npos) return "x";
  return label.substr(begin, label.find_last_not_of('-') - begin + 1);
}

std::string Shortened(std::string name) {
  if (name.size() <= kLongestName) return name;
  constexpr std::size_t kKept = 220;
  return Cat(name.substr(0, kKept), '-', HashDigits(name, 16));
}

std::string HashDigits(std::string_view text, std::size_t digits) {
  return Sha256(text).Hex().substr(0, digits);
}

}  // namespace wmap::gang
