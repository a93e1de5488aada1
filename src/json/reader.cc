// The reader is one loop over the text with explicit stacks. Finished items and members wait on the
// Reader's stacks until their array or object ends, and then move into the Arena in one copy. The
// file is long because the loop, what it inlines and the messages of its failures share one cursor.
#include "json/reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/scan.h"

namespace wmap::json {
namespace {

using Dialect = ReadOptions::Dialect;

constexpr std::string_view kDroppedKey = "managedFields";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsDelimiter(char c) {
  return scan::IsSpace(c) || std::string_view("[]{},:\"").find(c) != std::string_view::npos;
}

// The run of characters at the start of `text` that a person would call a word.
std::string_view WordAt(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && size < 40 && !IsDelimiter(text[size]) &&
         static_cast<unsigned char>(text[size]) > ' ' && text[size] != '\'') {
    ++size;
  }
  return text.substr(0, size);
}

std::string HexByte(unsigned char byte) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  return {kHex[byte >> 4], kHex[byte & 15]};
}

// What stands at the start of `text`, for a message.
std::string Found(std::string_view text) {
  if (text.empty()) return "the end of the text";
  auto byte = static_cast<unsigned char>(text[0]);
  if (byte == '\n' || byte == '\r') return "the end of the line";
  if (byte < 0x20 || byte == 0x7F) return Cat("the control character U+00", HexByte(byte));
  if (!IsUtf8(text.substr(0, DecodeUtf8(text).size))) {
    return Cat("the byte 0x", HexByte(byte), ", which is no UTF-8");
  }
  std::string_view word = WordAt(text);
  word = word.substr(0, ValidUtf8Prefix(word));
  return Quote(word.empty() ? text.substr(0, DecodeUtf8(text).size) : word);
}

// The value of four hexadecimal digits, or -1.
int HexValue(const char* digits) {
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    char c = digits[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool IsHighSurrogate(int code) { return code >= 0xD800 && code <= 0xDBFF; }
bool IsLowSurrogate(int code) { return code >= 0xDC00 && code <= 0xDFFF; }

}  // namespace

// One pass over one text. All reading functions take the place where they start and return the one
// where they stopped, or nullptr after setting the error.
class Pass {
 public:
  // What a pass makes: the tree, the tree and its source map, or nothing.
  enum class Mode : std::uint8_t { kBuild, kMap, kCheck };

  Pass(Reader& reader, std::string_view text, Arena* arena, bool final)
      : reader_(reader),
        options_(reader.options_),
        lenient_(options_.dialect == Dialect::kJq),
        final_(final),
        begin_(text.data()),
        end_(text.data() + text.size()),
        arena_(arena),
        cursor_(text) {
    reader_.frames_.Shrink(0);
    reader_.items_.Shrink(0);
    reader_.members_.Shrink(0);
  }

  // From `at` to the first character of a value, or to the end.
  const char* Start(std::size_t at) {
    std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
    if (at == 0 && text.starts_with(kByteOrderMark)) at = kByteOrderMark.size();
    return scan::SkipSpace(begin_ + at, end_);
  }

  const char* ReadRoot(const char* p, Value* value) {
    if (arena_ == nullptr) return ReadValue<Mode::kCheck>(p, value);
    if (options_.source_map == nullptr) return ReadValue<Mode::kBuild>(p, value);
    reader_.pointer_.clear();
    reader_.pointer_sizes_.clear();
    return ReadValue<Mode::kMap>(p, value);
  }

  // A number or a word ends with a delimiter; without one it may go on behind the text.
  const char* CheckEnd(const char* start, const char* p) {
    if (*start == '"' || *start == '[' || *start == '{') return p;
    if (p == end_) {
      return final_ ? p : FailTruncated("the text ends inside a value", start);
    }
    if (IsDelimiter(*p)) return p;
    return FailSyntax(Cat("expected the end of the value, found ", Found(Rest(p))), p);
  }

  const char* FailAfterRoot(const char* p) {
    return FailSyntax(Cat("expected the end of the text after the value, found ", Found(Rest(p))),
                      p);
  }
  const char* FailEmpty() {
    return Fail(Code::kTruncated, "the text is empty: expected a JSON value", begin_, end_);
  }
  const char* FailSize() {
    return Fail(Code::kLimit, "the text is larger than 4 GiB, the most that is read at once",
                begin_, begin_);
  }

  std::size_t OffsetOf(const char* p) const { return static_cast<std::size_t>(p - begin_); }
  Error TakeError() { return std::move(*error_); }

 private:
  using Frame = Reader::Frame;

  template <Mode kMode>
  const char* ReadValue(const char* p, Value* result);
  template <Mode kMode>
  const char* ReadScalar(const char* p, Value* value);
  template <Mode kMode>
  const char* ReadKey(const char* p);
  template <Mode kMode>
  const char* ReadString(const char* p, std::string_view* text);
  template <Mode kMode>
  const char* Close(const char* p, Value* value);
  bool Open(const char* p, bool is_object);

  const char* ReadUnplainString(const char* start, const char* p, std::string_view* text,
                                bool build);
  const char* ReadEscape(const char* p);
  const char* ReadUnicodeEscape(const char* p);
  const char* ReadLongNumber(const char* p, Value* value, bool build);
  const char* ReadWord(const char* p, Value* value, bool build);
  std::string_view Keep(std::string_view text) {
    return options_.borrow_text ? text : arena_->Copy(text);
  }
  std::string_view Rest(const char* p) const { return {p, static_cast<std::size_t>(end_ - p)}; }

  void MapValue(const char* p);
  void MapValueEnd();
  void MapKey(const char* p, std::string_view key);

  const char* FailInContainer(const char* p);
  const char* FailValue(const char* p);
  const char* FailKey(const char* p);
  const char* FailRepeated(std::string_view key, std::size_t object_start);
  const char* FailTruncated(std::string_view what, const char* from) {
    return Fail(Code::kTruncated, std::string(what), from, end_);
  }
  const char* FailSyntax(std::string message, const char* p) {
    std::size_t size = p == end_ ? 0 : std::max<std::size_t>(1, WordAt(Rest(p)).size());
    return Fail(Code::kSyntax, std::move(message), p, p + size);
  }
  const char* Fail(Code code, std::string message, const char* from, const char* to) {
    error_ = Error(code, std::move(message)).At({OffsetOf(from), OffsetOf(to)});
    return nullptr;
  }

  Reader& reader_;
  const ReadOptions& options_;
  const bool lenient_;
  const bool final_;
  const char* const begin_;
  const char* const end_;
  Arena* const arena_;
  std::optional<Error> error_;
  bool drops_next_ = false;  // the value of a member that is left out comes next
  std::string_view repeated_;
  // Mode::kMap only.
  PlaceCursor cursor_;
  const char* key_start_ = nullptr;
};

template <Pass::Mode kMode>
const char* Pass::ReadValue(const char* p, Value* result) {
  constexpr bool kBuild = kMode != Mode::kCheck;
  const std::size_t floor = reader_.frames_.size();
  bool in_object = false;  // the innermost container that this call is inside of
  for (;;) {
    // Here a value starts, with its key.
    p = scan::SkipSpace(p, end_);
    if (in_object) {
      p = ReadKey<kMode>(p);
      if (p == nullptr) [[unlikely]]
        return nullptr;
      p = scan::SkipSpace(p, end_);
    }
    if (p == end_) [[unlikely]]
      return FailInContainer(p);
    if constexpr (kMode == Mode::kMap) MapValue(p);
    Value value;
    const char first = *p;
    if (kBuild && drops_next_) [[unlikely]] {
      drops_next_ = false;
      p = ReadValue<Mode::kCheck>(p, &value);
    } else if (first == '"') {
      std::string_view text;
      p = ReadString<kMode>(p + 1, &text);
      if constexpr (kBuild) value = Value::String(text);
    } else if (first == '{' || first == '[') {
      const char* inside = scan::SkipSpace(p + 1, end_);
      if (!Open(p, first == '{')) return nullptr;
      if (inside == end_ || *inside != first + 2) {  // "{}" and "[]" are two apart
        in_object = first == '{';
        p = inside;
        continue;
      }
      reader_.frames_.Shrink(reader_.frames_.size() - 1);
      value = first == '{' ? Value::Object({}) : Value::Array({});
      p = inside + 1;
    } else {
      p = ReadScalar<kMode>(p, &value);
    }
    // Here a value is complete; it may complete those around it.
    for (;;) {
      if (p == nullptr) [[unlikely]]
        return nullptr;
      if constexpr (kMode == Mode::kMap) MapValueEnd();
      if (reader_.frames_.size() == floor) {
        *result = value;
        return p;
      }
      in_object = reader_.frames_.top().is_object;
      if constexpr (kBuild) {
        if (in_object) {
          reader_.members_.top().value = value;
        } else {
          reader_.items_.Push(value);
        }
      }
      p = scan::SkipSpace(p, end_);
      if (p == end_) [[unlikely]]
        return FailInContainer(p);
      if (*p == ',') {
        ++p;
        break;
      }
      if (*p != (in_object ? '}' : ']')) [[unlikely]]
        return FailInContainer(p);
      p = Close<kMode>(p, &value);
    }
  }
}

template <Pass::Mode kMode>
const char* Pass::ReadScalar(const char* p, Value* value) {
  constexpr bool kBuild = kMode != Mode::kCheck;
  const char* digits = p;
  bool negative = *digits == '-';
  if (negative) ++digits;
  if (digits != end_ && *digits >= '1' && *digits <= '9') {
    // 18 digits never overflow.
    const char* limit = end_ - digits > 18 ? digits + 18 : end_;
    std::int64_t integer = *digits - '0';
    const char* at = digits + 1;
    for (; at != limit && *at >= '0' && *at <= '9'; ++at) integer = integer * 10 + (*at - '0');
    if (at == end_ || (*at != '.' && (*at | 0x20) != 'e' && (*at < '0' || *at > '9'))) {
      if constexpr (kBuild) *value = Value::Int(negative ? -integer : integer);
      return at;
    }
  }
  if (negative || (*p >= '0' && *p <= '9')) return ReadLongNumber(p, value, kBuild);
  return ReadWord(p, value, kBuild);
}

template <Pass::Mode kMode>
inline const char* Pass::ReadString(const char* p, std::string_view* text) {
  const char* stop = scan::PlainEnd(p, end_);
  if (stop != end_ && *stop == '"') [[likely]] {
    if constexpr (kMode != Mode::kCheck) {
      *text = Keep({p, static_cast<std::size_t>(stop - p)});
    }
    return stop + 1;
  }
  return ReadUnplainString(p, stop, text, kMode != Mode::kCheck);
}

// The string that starts at `start` and is plain up to `p`, where it is not.
const char* Pass::ReadUnplainString(const char* start, const char* p, std::string_view* text,
                                    bool build) {
  std::string& unescaped = reader_.unescaped_;
  unescaped.clear();
  const char* open = start - 1;
  bool copied = false;  // what stands before `start` is in `unescaped`
  for (;; p = scan::PlainEnd(p, end_)) {
    if (p == end_) return FailTruncated("the text ends inside a string", open);
    auto byte = static_cast<unsigned char>(*p);
    if (byte == '"') break;
    if (byte == '\\') {
      unescaped.append(start, p);
      copied = true;
      p = start = ReadEscape(p);
      if (p == nullptr) return nullptr;
      continue;
    }
    if (byte < 0x20) {
      std::string message = byte == '\n' || byte == '\r'
                                ? "a string must end on its line; write a line break as \\n"
                                : Cat("a string must not contain ", Found(Rest(p)),
                                      "; write it as \\u00", ToLower(HexByte(byte)));
      return Fail(Code::kSyntax, std::move(message), p, p + 1);
    }
    Utf8Char c = DecodeUtf8(Rest(p).substr(0, 4));
    if (c.code == kReplacement && !Rest(p).starts_with("\xEF\xBF\xBD")) {
      if (p + c.size == end_) return FailTruncated("the text ends inside a string", open);
      if (!lenient_) {
        return Fail(Code::kSyntax, Cat("a string contains ", Found(Rest(p))), p, p + c.size);
      }
      unescaped.append(start, p);
      AppendUtf8(unescaped, kReplacement);
      copied = true;
      start = p + c.size;
    }
    p += c.size;
  }
  if (build) {
    if (copied) {
      unescaped.append(start, p);
      *text = arena_->Copy(unescaped);
    } else {
      *text = Keep({start, static_cast<std::size_t>(p - start)});
    }
  }
  return p + 1;
}

// Appends what the escape at `p` stands for to `unescaped_`.
const char* Pass::ReadEscape(const char* p) {
  if (end_ - p < 2) return FailTruncated("the text ends inside a string", p);
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (p[1] == 'u') return ReadUnicodeEscape(p);
  std::size_t which = kEscapes.find(p[1]);
  if (which == std::string_view::npos) {
    return Fail(Code::kSyntax,
                Cat("a string contains a backslash before ", Found(Rest(p + 1).substr(0, 1)),
                    ", which is no escape; write \\\\ for a backslash"),
                p, p + 2);
  }
  reader_.unescaped_ += kMeanings[which];
  return p + 2;
}

const char* Pass::ReadUnicodeEscape(const char* p) {
  if (end_ - p < 6) {
    // Only where no quote shows that the escape itself is too short.
    if (Rest(p).find('"') == std::string_view::npos) {
      return FailTruncated("the text ends inside a string", p);
    }
    return Fail(Code::kSyntax, "expected four hexadecimal digits after \\u", p, end_);
  }
  int code = HexValue(p + 2);
  if (code < 0) {
    return Fail(Code::kSyntax, "expected four hexadecimal digits after \\u", p, p + 6);
  }
  const char* next = p + 6;
  if (IsHighSurrogate(code)) {
    // A low one may follow behind the end of the text.
    std::string_view rest = Rest(next).substr(0, 6);
    if (rest.size() < 6 && std::string_view("\\u").starts_with(rest.substr(0, 2)) &&
        rest.find('"') == std::string_view::npos) {
      return FailTruncated("the text ends inside a string", p);
    }
    int low = rest.starts_with("\\u") && rest.size() == 6 ? HexValue(next + 2) : -1;
    if (IsLowSurrogate(low)) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      next += 6;
    } else if (lenient_) {
      return Fail(Code::kSyntax,
                  Cat("the high surrogate ", std::string_view(p, 6),
                      " is not followed by a low one (\\udc00 to \\udfff)"),
                  p, next);
    }
  }
  AppendUtf8(reader_.unescaped_, static_cast<char32_t>(code));
  return next;
}

// Numbers other than short integers.
const char* Pass::ReadLongNumber(const char* p, Value* value, bool build) {
  std::string_view text = Rest(p);
  NumberScan number = ScanNumber(text, lenient_);
  const char* stop = p + number.size;
  using enum NumberScan::Outcome;
  switch (number.outcome) {
    case kTruncated:
      return FailTruncated("the text ends inside a number", p);
    case kLeadingZero:
      return Fail(Code::kSyntax,
                  Cat("the number ", text.substr(0, number.size), " starts with a zero"), p, stop);
    case kNoDigit:
      if (lenient_ && stop == p + 1 && *p == '-') return ReadWord(p, value, build);  // -nan
      return Fail(Code::kSyntax,
                  Cat("expected a digit after ", Quote(text.substr(0, number.size)), ", found ",
                      Found(Rest(stop))),
                  p, stop);
    case kNumber:
      break;
  }
  if (build) {
    text = text.substr(0, number.size);
    if (lenient_ && ScanNumber(text, false).outcome != kNumber) {
      text = NormalizeNumber(*arena_, text);
    }
    *value = NumberFromText(*arena_, text);
  }
  return stop;
}

// true, false and null, and what only jq takes: nan, infinity, and numbers that start oddly.
const char* Pass::ReadWord(const char* p, Value* value, bool build) {
  std::string_view word = WordAt(Rest(p));
  if (word == "true" || word == "false") {
    *value = Value::Bool(word == "true");
    return p + word.size();
  }
  if (word == "null") {
    *value = Value::Null();
    return p + word.size();
  }
  if (lenient_ && !word.empty()) {
    bool negative = word[0] == '-';
    std::string name = ToLower(word.substr(negative || word[0] == '+' ? 1 : 0));
    if (!negative && !name.empty() && (name[0] == '.' || (name[0] >= '0' && name[0] <= '9'))) {
      return ReadLongNumber(p, value, build);
    }
    if (name == "nan" || name == "inf" || name == "infinity") {
      double number = name == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                    : std::numeric_limits<double>::infinity();
      *value = Value::Double(negative ? -number : number);
      return p + word.size();
    }
  }
  return FailValue(p);
}

// `p` is where a key must start. Stops behind the colon.
template <Pass::Mode kMode>
inline const char* Pass::ReadKey(const char* p) {
  if (p == end_ || *p != '"') [[unlikely]]
    return FailKey(p);
  const char* start = p;
  std::string_view key;
  p = ReadString<kMode>(p + 1, &key);
  if (p == nullptr) [[unlikely]]
    return nullptr;
  if (p == end_ || *p != ':') {
    p = scan::SkipSpace(p, end_);
    if (p == end_) [[unlikely]]
      return FailInContainer(p);
    if (*p != ':') {
      return FailSyntax(Cat("expected ':' after a key, found ", Found(Rest(p))), p);
    }
  }
  ++p;
  if constexpr (kMode == Mode::kCheck) return p;
  reader_.members_.Push({key, Value()});
  if (key.size() == kDroppedKey.size() && reader_.frames_.top().is_metadata && key == kDroppedKey) {
    reader_.frames_.top().has_dropped = drops_next_ = true;
  }
  if constexpr (kMode == Mode::kMap) MapKey(start, key);
  return p;
}

// Enters the array or object that starts at `p`.
inline bool Pass::Open(const char* p, bool is_object) {
  Scratch<Frame>& frames = reader_.frames_;
  if (frames.size() >= options_.max_depth) [[unlikely]] {
    Fail(Code::kLimit,
         Cat("more than ", options_.max_depth, " arrays and objects stand inside each other"), p,
         p + 1);
    return false;
  }
  bool is_metadata = options_.drop_managed_fields && is_object && !frames.empty() &&
                     frames.top().is_object && !reader_.members_.empty() &&
                     reader_.members_.top().key == "metadata";
  std::size_t base = is_object ? reader_.members_.size() : reader_.items_.size();
  frames.Push({OffsetOf(p), static_cast<std::uint32_t>(base), is_object, is_metadata, false});
  return true;
}

// Leaves the array or object that ends at `p`, and makes its value.
template <Pass::Mode kMode>
const char* Pass::Close(const char* p, Value* value) {
  const Frame& frame = reader_.frames_.top();
  if constexpr (kMode != Mode::kCheck) {
    if (frame.is_object) {
      Scratch<Member>& members = reader_.members_;
      Member* first = members.data() + frame.base;
      if (frame.has_dropped) [[unlikely]] {
        Member* last = std::remove_if(first, members.data() + members.size(),
                                      [](const Member& m) { return m.key == kDroppedKey; });
        members.Shrink(static_cast<std::size_t>(last - members.data()));
      }
      std::size_t size = members.size() - frame.base;
      *value = MakeObject(*arena_, {first, size}, &repeated_);
      if (value->size() != size && options_.refuse_duplicates) [[unlikely]] {
        return FailRepeated(repeated_, frame.start);
      }
      members.Shrink(frame.base);
    } else {
      Scratch<Value>& items = reader_.items_;
      *value = MakeArray(*arena_, {items.data() + frame.base, items.size() - frame.base});
      items.Shrink(frame.base);
    }
  }
  reader_.frames_.Shrink(reader_.frames_.size() - 1);
  return p + 1;
}

// The pointer of a value is in place from its key, or here for an item, to its end.
void Pass::MapValue(const char* p) {
  SourceMap::Entry entry;
  if (!reader_.frames_.empty()) {
    const Frame& frame = reader_.frames_.top();
    if (frame.is_object) {
      entry.key = cursor_.PlaceOf(OffsetOf(key_start_));
    } else {
      reader_.pointer_sizes_.push_back(reader_.pointer_.size());
      AppendPointerIndex(reader_.pointer_, reader_.items_.size() - frame.base);
    }
  }
  entry.value = cursor_.PlaceOf(OffsetOf(p));
  options_.source_map->Set(reader_.pointer_, entry);
}

void Pass::MapValueEnd() {
  if (reader_.frames_.empty()) return;
  reader_.pointer_.resize(reader_.pointer_sizes_.back());
  reader_.pointer_sizes_.pop_back();
}

void Pass::MapKey(const char* p, std::string_view key) {
  key_start_ = p;
  reader_.pointer_sizes_.push_back(reader_.pointer_.size());
  AppendPointerToken(reader_.pointer_, key);
}

// The text ends, or goes on wrongly, between the parts of an array or object.
const char* Pass::FailInContainer(const char* p) {
  if (reader_.frames_.empty()) return FailTruncated("the text ends where a value should be", p);
  const Frame& frame = reader_.frames_.top();
  std::string_view container = frame.is_object ? "object" : "array";
  if (p == end_) {
    std::string message = Cat("the text ends inside an ", container);
    if (final_) {
      LineColumn start = PlaceOf({begin_, OffsetOf(end_)}, frame.start);
      CatTo(message, " that starts at line ", start.line, ", column ", start.column);
    }
    return FailTruncated(message, p);
  }
  return FailSyntax(Cat("expected ',' or '", frame.is_object ? '}' : ']', "' after a value of the ",
                        container, ", found ", Found(Rest(p))),
                    p);
}

const char* Pass::FailValue(const char* p) {
  constexpr std::array<std::string_view, 3> kWords = {"true", "false", "null"};
  constexpr std::array<std::string_view, 3> kNumberWords = {"nan", "infinity", "-infinity"};
  std::string_view word = WordAt(Rest(p));
  if (!word.empty() && word.data() + word.size() == end_) {
    bool begins = std::ranges::any_of(kWords, [&](auto w) { return w.starts_with(word); });
    begins |= lenient_ && std::ranges::any_of(kNumberWords,
                                              [&](auto w) { return w.starts_with(ToLower(word)); });
    if (begins) return FailTruncated("the text ends inside a value", p);
  }
  std::string message = Cat("expected a value, found ", Found(Rest(p)));
  std::string_view nearest = Nearest(word, {kWords.begin(), kWords.end()});
  if (word == "None" || word == "nil" || word == "undefined") nearest = "null";
  if (*p == ']' && OffsetOf(p) > 0) {
    message += "; a list must not end with a comma";
  } else if (*p == '\'') {
    message += "; strings stand in double quotes";
  } else if (*p == '#' || *p == '/') {
    message += "; JSON has no comments";
  } else if (!nearest.empty()) {
    CatTo(message, "; did you mean ", nearest, "?");
  }
  return FailSyntax(std::move(message), p);
}

const char* Pass::FailKey(const char* p) {
  if (p == end_) return FailInContainer(p);
  std::string message = Cat("expected a key in double quotes, found ", Found(Rest(p)));
  if (*p == '}') message += "; an object must not end with a comma";
  if (*p == '#' || *p == '/') message += "; JSON has no comments";
  return FailSyntax(std::move(message), p);
}

// Finds the second place of `key` in the object, which is known to be well-formed.
const char* Pass::FailRepeated(std::string_view key, std::size_t object_start) {
  const char* p = scan::SkipSpace(begin_ + object_start + 1, end_);
  for (bool seen = false;;) {
    const char* start = p;
    std::string_view other;
    p = ReadString<Mode::kBuild>(p + 1, &other);
    if (other == key) {
      if (seen) return Fail(Code::kSyntax, Cat("the key ", Quote(key), " is repeated"), start, p);
      seen = true;
    }
    Value ignored;
    p = ReadValue<Mode::kCheck>(scan::SkipSpace(p, end_) + 1, &ignored);
    p = scan::SkipSpace(scan::SkipSpace(p, end_) + 1, end_);
  }
}

Result<Value> Reader::Read(std::string_view text, Arena& arena) {
  Pass pass(*this, text, &arena, true);
  const char* end = text.data() + text.size();
  Value value;
  const char* p = nullptr;
  if (text.size() > Value::kMaxSize) {
    pass.FailSize();
  } else if (const char* start = pass.Start(0); start == end) {
    pass.FailEmpty();
  } else if ((p = pass.ReadRoot(start, &value)) != nullptr) {
    p = scan::SkipSpace(p, end);
    if (p != end) p = pass.FailAfterRoot(p);
  }
  if (p == nullptr) return Fail(pass.TakeError());
  return value;
}

Result<bool> Reader::Advance(std::string_view text, std::size_t* position, Arena* arena, bool final,
                             Value* value) {
  WMAP_CHECK(*position <= text.size());
  Pass pass(*this, text, arena, final);
  const char* p = nullptr;
  if (text.size() > Value::kMaxSize) {
    pass.FailSize();
  } else {
    const char* start = pass.Start(*position);
    if (start == text.data() + text.size()) {
      *position = text.size();
      return false;
    }
    p = pass.ReadRoot(start, value);
    if (p != nullptr) p = pass.CheckEnd(start, p);
  }
  if (p == nullptr) return Fail(pass.TakeError());
  *position = pass.OffsetOf(p);
  return true;
}

Result<std::optional<Value>> Reader::ReadNext(std::string_view text, std::size_t* position,
                                              Arena& arena, bool final) {
  Value value;
  WMAP_TRY(bool found, Advance(text, position, &arena, final, &value));
  return found ? std::optional(value) : std::nullopt;
}

Result<bool> Reader::SkipNext(std::string_view text, std::size_t* position, bool final) {
  Value ignored;
  return Advance(text, position, nullptr, final, &ignored);
}

Result<Value> Read(std::string_view text, Arena& arena, const ReadOptions& options) {
  return Reader(options).Read(text, arena);
}

Result<std::optional<Value>> ReadNext(std::string_view text, std::size_t* position, Arena& arena,
                                      const ReadOptions& options, bool final) {
  return Reader(options).ReadNext(text, position, arena, final);
}

}  // namespace wmap::json
