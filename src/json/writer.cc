#include "json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "json/inline_stack.h"

#if defined(__SSE2__)
#include <bit>
#include <emmintrin.h>
#endif

namespace wmap::json {
namespace {

// Appends to a string through a plain pointer. The string is longer than its text until Finish().
class Sink {
 public:
  explicit Sink(std::string& to) : to_(to), size_(to.size()) {}

  // Room for `bytes` more at the returned place; Advance() tells how many were used.
  [[gnu::always_inline]] char* Reserve(std::size_t bytes) {
    if (to_.size() - size_ < bytes) [[unlikely]]
      Grow(bytes);
    return to_.data() + size_;
  }
  void Advance(const char* end) { size_ = static_cast<std::size_t>(end - to_.data()); }
  void Put(char c) {
    *Reserve(1) = c;
    ++size_;
  }
  void Put(std::string_view text) {
    std::memcpy(Reserve(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void Fill(std::size_t count, char c) {
    std::memset(Reserve(count), c, count);
    size_ += count;
  }
  void Finish() { to_.resize(size_); }
  std::size_t size() const { return size_; }

 private:
  void Grow(std::size_t bytes) {
    std::size_t wanted = to_.capacity();
    if (wanted < size_ + bytes) wanted = std::max({size_ + bytes, wanted * 2, std::size_t{256}});
    to_.resize_and_overwrite(wanted, [](char*, std::size_t size) { return size; });
  }

  std::string& to_;
  std::size_t size_;
};

// The short escape of each character that has one, 'u' for the other controls, 0 for what stands
// for itself.
constexpr auto kEscapes = [] {
  std::array<char, 256> escapes{};
  for (std::size_t c = 0; c < 0x20; ++c) escapes[c] = 'u';
  escapes[0x7F] = 'u';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  return escapes;
}();

char* PutEscape(char* to, unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  *to++ = '\\';
  *to++ = kEscapes[c];
  if (kEscapes[c] != 'u') return to;
  *to++ = '0';
  *to++ = '0';
  *to++ = kHex[c >> 4];
  *to++ = kHex[c & 15];
  return to;
}

constexpr std::size_t kStride = 16;

// Copies from `from` to `to` up to the first character to escape, or to the end; in whole strides,
// so that up to kStride bytes behind the copy are overwritten. Returns what was copied.
std::size_t CopyPlain(char* to, const char* from, std::size_t size) {
  std::size_t done = 0;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i del = _mm_set1_epi8(0x7F);
  const __m128i last_control = _mm_set1_epi8(0x1F);
  for (; size - done >= kStride; done += kStride) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + done), bytes);
    __m128i hits =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, del),
                                  _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes)));
    if (int mask = _mm_movemask_epi8(hits); mask != 0) {
      return done + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(mask)));
    }
  }
#endif
  for (; done < size; ++done) {
    char c = from[done];
    if (kEscapes[static_cast<unsigned char>(c)] != 0) break;
    to[done] = c;
  }
  return done;
}

void PutString(Sink& sink, std::string_view text) {
  char* to = sink.Reserve(text.size() + kStride + 2);
  *to++ = '"';
  for (;;) {
    std::size_t copied = CopyPlain(to, text.data(), text.size());
    to += copied;
    if (copied == text.size()) break;
    auto escaped = static_cast<unsigned char>(text[copied]);
    text.remove_prefix(copied + 1);
    sink.Advance(to);
    to = PutEscape(sink.Reserve(text.size() + kStride + 8), escaped);
  }
  *to++ = '"';
  sink.Advance(to);
}

// Digits and exponent of to_chars, laid out as JavaScript does, which is what jq and Go print:
// without exponent from 1e-6 up to below 1e21.
char* PutDouble(char* to, double value) {
  constexpr double kMax = std::numeric_limits<double>::max();
  if (std::isnan(value)) return std::copy_n("null", 4, to);
  value = std::clamp(value, -kMax, kMax);
  std::array<char, 32> buffer;
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                  std::chars_format::scientific)
                        .ptr;
  // -d.ddde[+-]xx
  const char* from = buffer.data();
  if (*from == '-') *to++ = *from++;
  const char* mark = std::find(from, end, 'e');
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  std::array<char, 20> digits;
  char* digits_end = std::copy(from, from + 1, digits.data());
  if (mark > from + 1) digits_end = std::copy(from + 2, mark, digits_end);
  const int count = static_cast<int>(digits_end - digits.data());

  if (exponent < -6 && value != 0) {
    // As to_chars has it, but for a leading zero of the exponent.
    to = std::copy(from, mark, to);
    *to++ = 'e';
    return std::to_chars(to, to + 8, exponent).ptr;
  }
  if (exponent >= 21) return std::copy(from, end, to);
  if (exponent < 0) {
    to = std::copy_n("0.", 2, to);
    to = std::fill_n(to, -exponent - 1, '0');
    return std::copy(digits.data(), digits_end, to);
  }
  const int whole = std::min(count, exponent + 1);
  to = std::copy_n(digits.data(), whole, to);
  if (count <= exponent + 1) return std::fill_n(to, exponent + 1 - count, '0');
  *to++ = '.';
  return std::copy(digits.data() + whole, digits_end, to);
}

constexpr std::size_t kLongestNumber = 48;

void PutNumber(Sink& sink, const Value& value, bool keep_digits) {
  if (keep_digits && !value.digits().empty()) return sink.Put(value.digits());
  char* to = sink.Reserve(kLongestNumber);
  sink.Advance(value.is_int() ? std::to_chars(to, to + kLongestNumber, value.as_int()).ptr
                              : PutDouble(to, value.as_double()));
}

void PutScalar(Sink& sink, const Value& value, bool keep_digits) {
  switch (value.type()) {
    case Type::kNull:
      return sink.Put("null");
    case Type::kFalse:
      return sink.Put("false");
    case Type::kTrue:
      return sink.Put("true");
    case Type::kNumber:
      return PutNumber(sink, value, keep_digits);
    case Type::kString:
      return PutString(sink, value.as_string());
    case Type::kArray:
      return sink.Put("[]");
    case Type::kObject:
      return sink.Put("{}");
  }
}

}  // namespace

class PieceWriter::Impl {
 public:
  explicit Impl(const WriteOptions& options) : options_(options) {}

  void Begin(Sink& sink, const Value& root) { Enter(sink, root); }

  // Goes on until `sink` holds `limit` bytes. False at the end.
  bool GoOn(Sink& sink, std::size_t limit) {
    while (!open_.empty()) {
      if (sink.size() >= limit) return true;
      Open& open = open_.top();
      const Value container = open.container;
      if (open.next == container.size()) {
        open_.Pop();
        NewLine(sink);
        sink.Put(container.is_array() ? ']' : '}');
        continue;
      }
      std::size_t i = open.next++;
      if (i > 0) sink.Put(',');
      NewLine(sink);
      if (container.is_array()) {
        Enter(sink, container[i]);
        continue;
      }
      const Member& member = options_.order == WriteOptions::Order::kSorted
                                 ? container.members()[i]
                                 : container.member_in_source_order(i);
      PutString(sink, member.key);
      sink.Put(':');
      if (options_.indent > 0) sink.Put(' ');
      Enter(sink, member.value);
    }
    return false;
  }

 private:
  struct Open {
    Value container;
    std::size_t next;
  };

  // Writes a scalar, or opens an array or object that is not empty.
  void Enter(Sink& sink, const Value& value) {
    bool nests = (value.is_array() || value.is_object()) && value.size() > 0;
    if (!nests) {
      return PutScalar(sink, value, options_.keep_digits);
    }
    sink.Put(value.is_array() ? '[' : '{');
    open_.Push({value, 0});
  }
  void NewLine(Sink& sink) {
    if (options_.indent == 0) return;
    sink.Put('\n');
    sink.Fill(open_.size() * options_.indent, ' ');
  }

  const WriteOptions options_;
  InlineStack<Open, 32> open_;
};

PieceWriter::PieceWriter(const Value& value, const WriteOptions& options)
    : impl_(std::make_unique<Impl>(options)), value_(value) {}
PieceWriter::~PieceWriter() = default;

bool PieceWriter::Write(std::string& to, std::size_t bytes) {
  Sink sink(to);
  std::size_t limit = sink.size() + bytes;
  if (!begun_) impl_->Begin(sink, value_);
  begun_ = true;
  bool more = impl_->GoOn(sink, limit);
  sink.Finish();
  return more;
}

bool WriteStart(const Value& value, std::string& to, std::size_t bytes,
                const WriteOptions& options) {
  return PieceWriter(value, options).Write(to, bytes);
}

void Write(const Value& value, std::string& to, const WriteOptions& options) {
  Sink sink(to);
  PieceWriter::Impl writer(options);
  writer.Begin(sink, value);
  writer.GoOn(sink, std::string::npos);
  sink.Finish();
}

std::string ToJson(const Value& value, const WriteOptions& options) {
  std::string text;
  Write(value, text, options);
  return text;
}

void WriteString(std::string_view text, std::string& to) {
  Sink sink(to);
  PutString(sink, text);
  sink.Finish();
}

void WriteDouble(double value, std::string& to) {
  Sink sink(to);
  sink.Advance(PutDouble(sink.Reserve(kLongestNumber), value));
  sink.Finish();
}

}  // namespace wmap::json
