// Scanning text many bytes at a time: the inner loops of the JSON reader and writer. SSE2 where the
// compiler has it, eight-byte words elsewhere; both forms are here, so that both are tested.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace wmap::json::scan {

// A byte that ends the plain part of a string: a quote, a backslash, a control character, or (when
// reading) a byte of a longer UTF-8 sequence.
inline bool IsPlain(char c) { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; }
inline bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// The high bit of every byte of `word` that is not plain is set.
inline std::uint64_t NotPlainBits(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighs = 0x8080808080808080U;
  std::uint64_t quote = word ^ (kOnes * '"');
  std::uint64_t backslash = word ^ (kOnes * '\\');
  // A borrow makes false hits only above a true one, and only the lowest is looked at.
  return (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) |
          ((word - kOnes * 0x20) & ~word) | word) &
         kHighs;
}

inline const char* PlainEndByWords(const char* p, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - p >= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      if (std::uint64_t bits = NotPlainBits(word); bits != 0) {
        return p + (std::countr_zero(bits) >> 3);
      }
      p += 8;
    }
  }
  while (p != end && IsPlain(*p)) ++p;
  return p;
}

#if defined(__SSE2__)
inline const char* PlainEndBySse2(const char* p, const char* end) {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(0x20);
  while (end - p >= 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    // Compared as signed bytes, those from 0x80 on are below the space too.
    __m128i hits =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmplt_epi8(bytes, space));
    if (int mask = _mm_movemask_epi8(hits); mask != 0) {
      return p + std::countr_zero(static_cast<unsigned>(mask));
    }
    p += 16;
  }
  return PlainEndByWords(p, end);
}
#endif

// The first byte of [p, end) that is not plain, or `end`.
inline const char* PlainEnd(const char* p, const char* end) {
#if defined(__SSE2__)
  return PlainEndBySse2(p, end);
#else
  return PlainEndByWords(p, end);
#endif
}

// The first byte of [p, end) that is no white space, or `end`.
inline const char* SpaceEnd(const char* p, const char* end) {
#if defined(__SSE2__)
  const __m128i space = _mm_set1_epi8(' ');
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i carriage_return = _mm_set1_epi8('\r');
  const __m128i tab = _mm_set1_epi8('\t');
  while (end - p >= 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    __m128i hits = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, newline)),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, carriage_return), _mm_cmpeq_epi8(bytes, tab)));
    if (unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(hits)); mask != 0xFFFF) {
      return p + std::countr_one(mask);
    }
    p += 16;
  }
#endif
  while (p != end && IsSpace(*p)) ++p;
  return p;
}

// The same where usually there is none or one.
inline const char* SkipSpace(const char* p, const char* end) {
  if (p != end && static_cast<unsigned char>(*p) > ' ') [[likely]]
    return p;
  return SpaceEnd(p, end);
}

}  // namespace wmap::json::scan
