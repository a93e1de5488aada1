// Comparing values at the expense of a run. Values share their parts, so that two small ones may
// take for ever to compare.
#pragma once

#include <cstdint>

#include "expr/vm/context.h"
#include "json/compare.h"
#include "json/value.h"

namespace wmap::expr::builtins {

// What it says is true only if Charge() is true afterwards.
class Comparing {
 public:
  explicit Comparing(vm::Context& context)
      : context_(&context), begin_(context.steps_left()), left_(begin_) {}

  int Compare(const json::Value& a, const json::Value& b) {
    return json::CompareWithin(a, b, &left_);
  }
  int SortOrder(const json::Value& a, const json::Value& b) {
    if (a.is_int() && b.is_int()) {
      return a.as_int() < b.as_int() ? -1 : a.as_int() > b.as_int() ? 1 : 0;
    }
    // Without steps everything is equal, so that a sort comes to its end.
    return left_ == 0 ? 0 : json::SortOrderWithin(a, b, &left_);
  }
  bool Equal(const json::Value& a, const json::Value& b) {
    bool same_size =
        a.type() != b.type() || !(a.is_array() || a.is_string()) || a.size() == b.size();
    return same_size && json::CompareWithin(a, b, &left_) == 0;
  }

  // Takes the steps from the run. False when they were not enough.
  bool Charge() {
    bool was_enough = left_ > 0;
    std::uint64_t used = begin_ - left_;
    begin_ = left_;
    return context_->Spend(was_enough ? used : used + 1);
  }

 private:
  vm::Context* context_;
  std::uint64_t begin_;
  std::uint64_t left_;
};

}  // namespace wmap::expr::builtins
