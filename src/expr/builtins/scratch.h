// Charged memory that a native needs only while it runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/vm/context.h"
#include "json/value.h"

namespace wmap::expr::builtins {

// Charges bytes until it goes out of scope.
class Scratch {
 public:
  explicit Scratch(vm::Context& context) : context_(&context) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { context_->Refund(bytes_); }

  // False when the budget is used up.
  bool Grow(std::size_t bytes) {
    if (!context_->Charge(bytes)) return false;
    bytes_ += bytes;
    return true;
  }
  vm::Context& context() { return *context_; }

 private:
  vm::Context* context_;
  std::size_t bytes_ = 0;
};

// A vector that is charged as it grows.
template <typename T>
class Stack {
 public:
  explicit Stack(vm::Context& context) : scratch_(context) {}

  bool Push(const T& item) {
    if (items_.size() == items_.capacity() && !Reserve(items_.empty() ? 8 : 2 * items_.size())) {
      return false;
    }
    items_.push_back(item);
    return true;
  }
  bool Reserve(std::size_t capacity) {
    if (capacity <= items_.capacity()) return true;
    if (!scratch_.Grow((capacity - items_.capacity()) * sizeof(T))) return false;
    items_.reserve(capacity);
    return true;
  }
  T& back() { return items_.back(); }
  void Pop() { items_.pop_back(); }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  std::vector<T>& items() { return items_; }
  vm::Context& context() { return scratch_.context(); }

 private:
  Scratch scratch_;
  std::vector<T> items_;
};

// An array in the making, of a size that is not known before.
class Items : public Stack<json::Value> {
 public:
  using Stack::Stack;
  bool Finish(json::Value* out) { return context().MakeArray(items(), out); }
};

// A string in the making, likewise.
class Text {
 public:
  explicit Text(vm::Context& context) : scratch_(context) {}

  // For callers who append to `text()` themselves: room for `bytes` more.
  bool Need(std::size_t bytes) {
    std::size_t size = text_.size() + bytes;
    if (size <= text_.capacity()) return true;
    std::size_t capacity = size < 2 * text_.capacity() ? 2 * text_.capacity() : size;
    if (!scratch_.Grow(capacity - text_.capacity())) return false;
    text_.reserve(capacity);
    return true;
  }
  bool Append(std::string_view more) {
    if (!Need(more.size())) return false;
    text_ += more;
    return true;
  }
  std::string& text() { return text_; }
  vm::Context& context() { return scratch_.context(); }
  bool Finish(json::Value* out) { return scratch_.context().MakeString(text_, out); }

 private:
  Scratch scratch_;
  std::string text_;
};

}  // namespace wmap::expr::builtins
