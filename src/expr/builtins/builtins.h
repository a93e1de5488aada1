// The builtin functions that are not part of the machine: natives, in C++, and the prelude, in the
// language itself.
//
// A native sees one input and one value per argument and gives exactly one result or an error; what
// yields several results, tracks paths or evaluates its arguments lazily is in the prelude or in
// the compiler. Natives never recurse over values and charge what they allocate to the Context.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "expr/vm/context.h"
#include "json/value.h"

namespace wmap::expr::builtins {

// False after the Context was told of an error or a budget is used up; `*out` is then unspecified.
using Native = bool (*)(vm::Context& context, const json::Value& input, const json::Value* args,
                        json::Value* out);

struct NativeRow {
  std::string_view name;
  std::uint8_t arity;
  Native function;
};

// Ascending by name, then arity.
std::span<const NativeRow> Natives();
const NativeRow* FindNative(std::string_view name, std::size_t arity);

// One definition of the prelude: the source of exactly `def name(...): ...;`. It may call natives,
// other definitions of the prelude and what the compiler knows, in any order.
struct PreludeRow {
  std::string_view name;
  std::uint8_t arity;
  std::string_view source;
};
std::span<const PreludeRow> Prelude();
const PreludeRow* FindPrelude(std::string_view name, std::size_t arity);

// Binary operators, for the machine and for constant folding. Errors as jq words them.
bool Add(vm::Context& context, const json::Value& a, const json::Value& b, json::Value* out);
bool Subtract(vm::Context& context, const json::Value& a, const json::Value& b, json::Value* out);
bool Multiply(vm::Context& context, const json::Value& a, const json::Value& b, json::Value* out);
bool Divide(vm::Context& context, const json::Value& a, const json::Value& b, json::Value* out);
bool Modulo(vm::Context& context, const json::Value& a, const json::Value& b, json::Value* out);
bool Negate(vm::Context& context, const json::Value& a, json::Value* out);

// Parts of values, for the machine: `container[key]` for any key (object key, number, slice object
// {"start","end"}, array: indices), and the reverse.
bool Index(vm::Context& context, const json::Value& container, const json::Value& key,
           json::Value* out);
bool Slice(vm::Context& context, const json::Value& container, const json::Value& from,
           const json::Value& to, json::Value* out);
bool GetPath(vm::Context& context, const json::Value& value, const json::Value& path,
             json::Value* out);
// The largest index that writing pads an array to.
inline constexpr std::int64_t kLargestIndex = 536870911;
bool SetPath(vm::Context& context, const json::Value& value, const json::Value& path,
             const json::Value& part, json::Value* out);
bool DeletePaths(vm::Context& context, const json::Value& value, const json::Value& paths,
                 json::Value* out);

// `value | @name`; and the text of a value in string interpolation (`tostring`).
bool Format(vm::Context& context, std::string_view name, const json::Value& value,
            json::Value* out);
bool ToStringValue(vm::Context& context, const json::Value& value, json::Value* out);
bool IsFormat(std::string_view name);

// For messages: a value as JSON, cut as jq cuts it; and with its type, "object ({"a":1})". The cost
// does not grow with the value.
void AppendBrief(const json::Value& value, std::string& to);
void AppendDescription(const json::Value& value, std::string& to);

}  // namespace wmap::expr::builtins
