// The natives, by the file they stand in. table.cc gives them their names.
#pragma once

#include "expr/vm/context.h"
#include "json/value.h"

namespace wmap::expr::builtins {

using NativeFunction = bool(vm::Context& context, const json::Value& input,
                            const json::Value* arguments, json::Value* out);

// general.cc: of any value.
NativeFunction TypeOf, Length, Utf8ByteLength, ToString, ToJson, FromJson, ToNumber, ToBoolean;
NativeFunction ToArray, Keys, Has, Contains, ToEntries, FromEntries, FormatAs, Now, SetPathOf;
NativeFunction DeletePathsOf, AddAll;

// strings.cc
NativeFunction Downcase, Upcase, StartsWith, EndsWith, TrimStart, TrimEnd, TrimBoth;
NativeFunction TrimSpaceLeft, TrimSpaceRight, TrimSpace, Split, JoinWith, Explode, Implode;
NativeFunction Indices, FirstIndex, LastIndex, Ascii;

// arrays.cc
NativeFunction Sort, Unique, Min, Max, SortByKeys, GroupByKeys, UniqueByKeys, MinByKeys, MaxByKeys;
NativeFunction Reverse, Flatten, FlattenDepth, Transpose, BinarySearch;

// numbers.cc
NativeFunction Absolute, Infinite, NotANumber, IsInfinite, IsFinite, IsNan, IsNormal, Frexp, Modf;
NativeFunction LogGammaWithSign, FusedMultiplyAdd;

// regexes.cc
NativeFunction MatchRegex, MatchRegexOf, TestRegex, TestRegexOf, SplitRegex, RegexEdits, Splice;

// dates.cc
NativeFunction BrokenDown, SecondsOf, FormatTime, FormatLocalTime, ParseTime;

}  // namespace wmap::expr::builtins
