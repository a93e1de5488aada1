#include "expr/vm/context.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace wmap::expr::vm {
namespace {

// Steps between two looks at the clock.
constexpr std::uint64_t kGrant = 4096;

}  // namespace

void Context::Begin(const Limits& limits, Arena& arena) {
  limits_ = limits;
  arena_ = &arena;
  bytes_left_ = limits.bytes;
  failure_ = Failure::kNone;
  text_tail_ = {};
  item_tail_ = {};
  granted_ = std::min(kGrant, limits.steps);
  fuel_ = static_cast<std::int64_t>(granted_);
  deadline_ = limits.clock == nullptr ? 0 : limits.clock->MonotonicNanos() + limits.wall_ns;
}

bool Context::Refuel() {
  if (failure_ != Failure::kNone) return false;
  if (limits_.cancelled != nullptr && limits_.cancelled->load(std::memory_order_relaxed)) {
    return RaiseCancelled();
  }
  if (limits_.clock != nullptr && limits_.clock->MonotonicNanos() > deadline_) {
    return RaiseLimit("time");
  }
  auto owed = static_cast<std::uint64_t>(-fuel_);
  std::uint64_t left = limits_.steps - granted_;
  if (owed > left) return RaiseLimit("steps");
  std::uint64_t grant = std::min(std::max(kGrant, owed), left);
  if (grant == 0) return RaiseLimit("steps");
  granted_ += grant;
  fuel_ += static_cast<std::int64_t>(grant);
  return true;
}

bool Context::MakeString(std::string_view text, json::Value* out) {
  auto* copy = static_cast<char*>(Allocate(text.size(), 1));
  if (copy == nullptr) return false;
  std::copy(text.begin(), text.end(), copy);
  *out = json::Value::String({copy, text.size()});
  return true;
}

bool Context::MakeArray(std::span<const json::Value> items, json::Value* out) {
  json::Value* copy = AllocateItems(items.size());
  if (copy == nullptr) return false;
  std::copy(items.begin(), items.end(), copy);
  *out = json::Value::Array({copy, items.size()});
  return true;
}

void* Context::Append(Tail& tail, const void* left, std::size_t left_bytes, std::size_t right_bytes,
                      std::size_t align) {
  std::size_t size = left_bytes + right_bytes;
  // Nobody sees the room behind the latest result but that result itself.
  if (left_bytes > 0 && tail.begin == left && tail.used == left_bytes && tail.capacity >= size) {
    tail.used = size;
    return static_cast<char*>(const_cast<void*>(left)) + left_bytes;
  }
  // Short ones get no room: most are never appended to again.
  std::size_t capacity = size <= 64 ? size : size + size / 2;
  auto* memory = static_cast<char*>(Allocate(capacity, align));
  if (memory == nullptr) return nullptr;
  if (left_bytes > 0) std::memcpy(memory, left, left_bytes);
  tail = {memory, size, capacity};
  return memory + left_bytes;
}

bool Context::AppendString(std::string_view left, std::string_view right, json::Value* out) {
  std::size_t size = left.size() + right.size();
  if (size > json::Value::kMaxSize) return RaiseLimit("memory");
  void* to = Append(text_tail_, left.data(), left.size(), right.size(), 1);
  if (to == nullptr) return false;
  if (!right.empty()) std::memcpy(to, right.data(), right.size());
  *out = json::Value::String({static_cast<char*>(to) - left.size(), size});
  return true;
}

bool Context::AppendItems(std::span<const json::Value> left, std::span<const json::Value> right,
                          json::Value* out) {
  std::size_t size = left.size() + right.size();
  if (size > json::Value::kMaxSize) return RaiseLimit("memory");
  void* to =
      Append(item_tail_, left.data(), left.size_bytes(), right.size_bytes(), alignof(json::Value));
  if (to == nullptr) return false;
  auto* items = static_cast<json::Value*>(to);
  std::copy(right.begin(), right.end(), items);
  *out = json::Value::Array({items - left.size(), size});
  return true;
}

bool Context::Raise(const json::Value& value) {
  if (failure_ == Failure::kNone) {
    failure_ = Failure::kError;
    error_ = value;
  }
  return false;
}

bool Context::RaiseText(std::string_view message) {
  json::Value text;
  return MakeString(message, &text) && Raise(text);
}

bool Context::RaiseLimit(std::string_view budget) {
  failure_ = Failure::kLimit;
  limit_message_ = Cat("the evaluation used up its budget of ", budget);
  return false;
}

bool Context::RaiseCancelled() {
  failure_ = Failure::kCancelled;
  limit_message_ = "the evaluation was cancelled";
  return false;
}

}  // namespace wmap::expr::vm
