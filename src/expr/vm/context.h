// Context: what builtins and the machine share during a run: memory, budgets, the pending error.
//
// Builtins return false after calling one of the Raise functions, or after a budget function
// returned false; they never recurse over values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "expr/evaluate.h"
#include "expr/vm/regex_cache.h"
#include "json/value.h"

namespace wmap::expr::vm {

class Context {
 public:
  explicit Context(Arena& arena) : arena_(&arena) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void Begin(const Limits& limits, Arena& arena);

  // Budgets. False when used up; the run then ends, and no `try` catches it.
  bool Spend(std::uint64_t steps) {
    fuel_ -= static_cast<std::int64_t>(steps);
    return fuel_ >= 0 || Refuel();
  }
  bool Charge(std::size_t bytes) {
    if (bytes > bytes_left_) [[unlikely]]
      return RaiseLimit("memory");
    bytes_left_ -= bytes;
    return true;
  }
  std::uint64_t steps_left() const {
    return limits_.steps - granted_ + static_cast<std::uint64_t>(fuel_ > 0 ? fuel_ : 0);
  }
  // What was charged for memory that is free again.
  void Refund(std::size_t bytes) { bytes_left_ += bytes; }

  // Memory, charged. nullptr (or false) when the budget is used up.
  void* Allocate(std::size_t bytes, std::size_t align = 8) {
    // Never null for nothing: null means failure.
    return Charge(bytes) ? arena_->Allocate(bytes == 0 ? 1 : bytes, align) : nullptr;
  }
  json::Value* AllocateItems(std::size_t count) {
    return static_cast<json::Value*>(Allocate(count * sizeof(json::Value), alignof(json::Value)));
  }
  json::Member* AllocateMembers(std::size_t count) {
    return static_cast<json::Member*>(
        Allocate(count * sizeof(json::Member), alignof(json::Member)));
  }
  bool MakeString(std::string_view text, json::Value* out);
  bool MakeArray(std::span<const json::Value> items, json::Value* out);
  // `left` followed by `right`. When `left` is the latest result of appending, the room behind it
  // is used, so that appending in a loop is linear.
  bool AppendString(std::string_view left, std::string_view right, json::Value* out);
  bool AppendItems(std::span<const json::Value> left, std::span<const json::Value> right,
                   json::Value* out);

  // Errors that `try` catches. All return false.
  bool Raise(const json::Value& value);
  bool RaiseText(std::string_view message);
  // Errors that nothing catches.
  bool RaiseLimit(std::string_view budget);
  bool RaiseCancelled();

  enum class Failure : std::uint8_t { kNone, kError, kLimit, kCancelled };
  Failure failure() const { return failure_; }
  const json::Value& error() const { return error_; }
  const std::string& limit_message() const { return limit_message_; }
  void ClearFailure() { failure_ = Failure::kNone; }

  const Limits& limits() const { return limits_; }
  Arena& arena() { return *arena_; }
  // Kept from run to run.
  RegexCache& regexes() { return regexes_; }

  std::uint64_t steps_used() const {
    return granted_ - static_cast<std::uint64_t>(fuel_ > 0 ? fuel_ : 0);
  }
  std::size_t bytes_used() const { return limits_.bytes - bytes_left_; }

 private:
  // The latest result of appending, and the room behind it.
  struct Tail {
    const void* begin = nullptr;
    std::size_t used = 0;  // bytes
    std::size_t capacity = 0;
  };

  bool Refuel();
  void* Append(Tail& tail, const void* left, std::size_t left_bytes, std::size_t right_bytes,
               std::size_t align);

  Arena* arena_;
  Limits limits_;
  std::int64_t fuel_ = 0;
  std::uint64_t granted_ = 0;
  std::int64_t deadline_ = 0;
  std::size_t bytes_left_ = 0;
  Failure failure_ = Failure::kNone;
  json::Value error_;
  std::string limit_message_;
  Tail text_tail_;
  Tail item_tail_;
  RegexCache regexes_;
};

}  // namespace wmap::expr::vm
