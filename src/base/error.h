// Errors and results. Every fallible function of the library returns Result<T>; nothing throws.
//
// An Error is one pointer wide, so that the good path costs a compare. It carries a code for
// programs, a message for people (what, where, what was expected, a hint when the mistake is
// known), optionally a byte range in the text it speaks of, and a chain of contexts that callers
// add at module borders ("component \"worker\"", "spec.childComponents[1].instanceIdPath").
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wmap {

enum class Code : std::uint8_t {
  kInvalid,          // a value breaks a rule that its text alone shows
  kSyntax,           // text that cannot be parsed
  kTruncated,        // text that ends too early; more of it might be right
  kCompile,          // an expression that parses but names something that does not exist
  kEvaluation,       // an expression that fails on this input
  kConversion,       // a result of the wrong shape
  kMismatch,         // the number of results and of instances (or of paths and values) differ
  kNotDefined,       // the definition has no such part
  kUnknownInstance,  // a pod's instance id that the object does not have
  kNotFound,         // no such component, name or definition
  kLimit,            // a budget of steps, results, depth, memory, size or time was used up
  kCancelled,        // the caller asked to stop
  kUnreadable,       // a file or stream that cannot be read
  kUnreachable,      // a server that does not answer, or stops in the middle
  kUnauthenticated,  // a server does not know who asks
  kForbidden,        // a server knows, and says no
  kExpired,          // what a server was asked to go on from is gone
  kConflict,         // somebody else changed it in the meantime
  kUnavailable,      // a server cannot answer now
};

// The name of `code` as machine output spells it, e.g. "syntax", "not-defined".
std::string_view CodeName(Code code);

// Bytes [begin, end) of the text that an error speaks of.
struct SourceRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class [[nodiscard]] Error {
 public:
  Error(Code code, std::string message)
      : detail_(std::make_unique<Detail>(Detail{code, std::move(message), std::nullopt, {}})) {}
  Error(const Error& other) : detail_(std::make_unique<Detail>(*other.detail_)) {}
  Error& operator=(const Error& other) {
    if (this != &other) detail_ = std::make_unique<Detail>(*other.detail_);
    return *this;
  }
  Error(Error&&) noexcept = default;
  Error& operator=(Error&&) noexcept = default;
  ~Error() = default;

  Code code() const { return detail_->code; }
  // The message alone, without contexts.
  const std::string& message() const { return detail_->message; }
  const std::optional<SourceRange>& range() const { return detail_->range; }
  // Contexts, innermost first.
  const std::vector<std::string>& contexts() const { return detail_->contexts; }

  // Sets the place in the source text.
  Error& At(SourceRange range) & { return detail_->range = range, *this; }
  Error&& At(SourceRange range) && { return std::move(this->At(range)); }
  // Adds an outer context.
  Error& In(std::string context) & {
    detail_->contexts.push_back(std::move(context));
    return *this;
  }
  Error&& In(std::string context) && { return std::move(this->In(std::move(context))); }

  // "outer: inner: message".
  std::string Describe() const;

 private:
  struct Detail {
    Code code;
    std::string message;
    std::optional<SourceRange> range;
    std::vector<std::string> contexts;
  };
  std::unique_ptr<Detail> detail_;
};

template <typename T>
using Result = std::expected<T, Error>;

// Shorthand for returning an error: `return Fail(Code::kSyntax, "...")`.
[[nodiscard]] inline std::unexpected<Error> Fail(Code code, std::string message) {
  return std::unexpected(Error(code, std::move(message)));
}
[[nodiscard]] inline std::unexpected<Error> Fail(Error error) {
  return std::unexpected(std::move(error));
}

}  // namespace wmap

#define WMAP_CONCAT_INNER(a, b) a##b
#define WMAP_CONCAT(a, b) WMAP_CONCAT_INNER(a, b)
#define WMAP_TRY_INNER(result, declaration, ...)                      \
  auto result = (__VA_ARGS__);                                        \
  if (!result) return ::std::unexpected(::std::move(result).error()); \
  declaration = *::std::move(result)

// WMAP_TRY(auto x, F()): declares or assigns `x` with the value of F(), or returns F()'s error.
#define WMAP_TRY(declaration, ...) \
  WMAP_TRY_INNER(WMAP_CONCAT(wmap_try_, __COUNTER__), declaration, __VA_ARGS__)

// WMAP_TRY_VOID(F()): the same for a Result<void>.
#define WMAP_TRY_VOID(...)                                          \
  do {                                                              \
    if (auto wmap_try_void = (__VA_ARGS__); !wmap_try_void)         \
      return ::std::unexpected(::std::move(wmap_try_void).error()); \
  } while (false)
