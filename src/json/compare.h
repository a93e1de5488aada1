// The order of Values in the expression language:
// null < false < true < numbers < strings < arrays < objects.
//
// Numbers compare by value and exactly between int64 and double (9007199254740993 is greater than
// 9007199254740992.0); a number with kept digits counts as its double. Strings compare by bytes,
// which is the order of code points. Arrays compare item by item, then by length. Objects compare
// first as their sorted arrays of keys, then value by value in key order.
//
// Values of any depth are safe: nothing here recurses.
#pragma once

#include <cstdint>

#include "json/value.h"

namespace wmap::json {

// Negative, zero or positive, as the operators `<` and `>` see it: NaN is less than every number,
// itself included, so that Compare(nan, nan) is negative.
int Compare(const Value& a, const Value& b);

// The same as a total order in which NaN equals NaN: for sorting.
int SortOrder(const Value& a, const Value& b);

// As the operator `==`: NaN equals nothing; 1, 1.0 and 1e0 are equal, as are 0 and -0.
bool Equal(const Value& a, const Value& b);

// The same for values that may be far larger than the memory they take, because they share their
// parts: each pair of items that is looked at, and every 64 bytes of two texts, takes one from
// `*pairs`. When none is left the result means nothing; a caller who finds `*pairs` at 0 stops.
int CompareWithin(const Value& a, const Value& b, std::uint64_t* pairs);
int SortOrderWithin(const Value& a, const Value& b, std::uint64_t* pairs);

}  // namespace wmap::json
