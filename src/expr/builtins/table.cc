// The names of the natives.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "expr/builtins/builtins.h"
#include "expr/builtins/math.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/scratch.h"

namespace wmap::expr::builtins {
namespace {

template <bool kValue>
bool Constant(vm::Context&, const json::Value&, const json::Value*, json::Value* out) {
  *out = json::Value::Bool(kValue);
  return true;
}

// What the compiler knows without this table and the prelude; for `builtins`.
constexpr std::string_view kCompiled[] = {
    "all/0",   "all/1",   "all/2",   "any/0",     "any/1",     "any/2",    "empty/0", "env/0",
    "error/0", "error/1", "first/1", "getpath/1", "last/1",    "limit/2",  "map/1",   "not/0",
    "path/1",  "range/1", "range/2", "recurse/0", "recurse/1", "select/1", "skip/2"};

// [name/arity, ...] of everything that is there, but for what begins with `_`.
bool Builtins(vm::Context& context, const json::Value&, const json::Value*, json::Value* out) {
  Items names(context);
  auto add = [&](std::string_view name, std::size_t arity) {
    json::Value text;
    return name.starts_with('_') ||
           (context.MakeString(Cat(name, '/', arity), &text) && names.Push(text));
  };
  for (const NativeRow& row : Natives()) {
    if (!add(row.name, row.arity)) return false;
  }
  for (const PreludeRow& row : Prelude()) {
    if (!add(row.name, row.arity)) return false;
  }
  for (std::string_view name : kCompiled) {
    if (!names.Push(json::Value::String(name))) return false;
  }
  return context.Spend(names.size()) && names.Finish(out);
}

constexpr NativeRow kNatives[] = {
    {"_edits", 2, RegexEdits},
    {"_group_by", 1, GroupByKeys},
    {"_match", 1, MatchRegexOf},
    {"_match", 2, MatchRegex},
    {"_max_by", 1, MaxByKeys},
    {"_min_by", 1, MinByKeys},
    {"_sort_by", 1, SortByKeys},
    {"_splice", 1, Splice},
    {"_unique_by", 1, UniqueByKeys},
    {"abs", 0, Absolute},
    {"acos", 0, Math<std::acos>},
    {"acosh", 0, Math<std::acosh>},
    {"add", 0, AddAll},
    {"ascii", 0, Ascii},
    {"ascii_downcase", 0, Downcase},
    {"ascii_upcase", 0, Upcase},
    {"asin", 0, Math<std::asin>},
    {"asinh", 0, Math<std::asinh>},
    {"atan", 0, Math<std::atan>},
    {"atan2", 2, Math2<std::atan2>},
    {"atanh", 0, Math<std::atanh>},
    {"bsearch", 1, BinarySearch},
    {"builtins", 0, Builtins},
    {"cbrt", 0, Math<CubeRoot>},
    {"ceil", 0, Rounding<std::ceil>},
    {"contains", 1, Contains},
    {"copysign", 2, Math2<std::copysign>},
    {"cos", 0, Math<std::cos>},
    {"cosh", 0, Math<std::cosh>},
    {"delpaths", 1, DeletePathsOf},
    {"drem", 2, Math2<std::remainder>},
    {"endswith", 1, EndsWith},
    {"erf", 0, Math<std::erf>},
    {"erfc", 0, Math<std::erfc>},
    {"exp", 0, Math<std::exp>},
    {"exp10", 0, Math<Exp10>},
    {"exp2", 0, Math<std::exp2>},
    {"explode", 0, Explode},
    {"expm1", 0, Math<std::expm1>},
    {"fabs", 0, Math<std::fabs>},
    {"fdim", 2, Math2<std::fdim>},
    {"flatten", 0, Flatten},
    {"flatten", 1, FlattenDepth},
    {"floor", 0, Rounding<std::floor>},
    {"fma", 3, FusedMultiplyAdd},
    {"fmax", 2, Math2<std::fmax>},
    {"fmin", 2, Math2<std::fmin>},
    {"fmod", 2, Math2<std::fmod>},
    {"format", 1, FormatAs},
    {"frexp", 0, Frexp},
    {"from_entries", 0, FromEntries},
    {"fromjson", 0, FromJson},
    {"gamma", 0, Math<Gamma>},
    {"gmtime", 0, BrokenDown},
    {"has", 1, Has},
    {"have_decnum", 0, Constant<true>},
    {"have_literal_numbers", 0, Constant<true>},
    {"hypot", 2, Math2<std::hypot>},
    {"implode", 0, Implode},
    {"index", 1, FirstIndex},
    {"indices", 1, Indices},
    {"infinite", 0, Infinite},
    {"isfinite", 0, IsFinite},
    {"isinfinite", 0, IsInfinite},
    {"isnan", 0, IsNan},
    {"isnormal", 0, IsNormal},
    {"j0", 0, Math<j0>},
    {"j1", 0, Math<j1>},
    {"jn", 2, Math2<BesselJ>},
    {"join", 1, JoinWith},
    {"keys", 0, Keys},
    {"keys_unsorted", 0, Keys},
    {"ldexp", 2, Math2<ScaleB>},
    {"length", 0, Length},
    {"lgamma", 0, Math<Gamma>},
    {"lgamma_r", 0, LogGammaWithSign},
    {"localtime", 0, BrokenDown},
    {"log", 0, Math<std::log>},
    {"log10", 0, Math<std::log10>},
    {"log1p", 0, Math<std::log1p>},
    {"log2", 0, Math<std::log2>},
    {"logb", 0, Math<std::logb>},
    {"ltrim", 0, TrimSpaceLeft},
    {"ltrimstr", 1, TrimStart},
    {"max", 0, Max},
    {"min", 0, Min},
    {"mktime", 0, SecondsOf},
    {"modf", 0, Modf},
    {"nan", 0, NotANumber},
    {"nearbyint", 0, Rounding<std::nearbyint>},
    {"nextafter", 2, Math2<std::nextafter>},
    {"nexttoward", 2, Math2<std::nextafter>},
    {"now", 0, Now},
    {"pow", 2, Math2<std::pow>},
    {"remainder", 2, Math2<std::remainder>},
    {"reverse", 0, Reverse},
    {"rindex", 1, LastIndex},
    {"rint", 0, Rounding<std::rint>},
    {"round", 0, Rounding<std::round>},
    {"rtrim", 0, TrimSpaceRight},
    {"rtrimstr", 1, TrimEnd},
    {"scalb", 2, Math2<ScaleB>},
    {"scalbln", 2, Math2<ScaleB>},
    {"setpath", 2, SetPathOf},
    {"significand", 0, Math<Significand>},
    {"sin", 0, Math<std::sin>},
    {"sinh", 0, Math<std::sinh>},
    {"sort", 0, Sort},
    {"split", 1, Split},
    {"split", 2, SplitRegex},
    {"sqrt", 0, Math<std::sqrt>},
    {"startswith", 1, StartsWith},
    {"strflocaltime", 1, FormatLocalTime},
    {"strftime", 1, FormatTime},
    {"strptime", 1, ParseTime},
    {"tan", 0, Math<std::tan>},
    {"tanh", 0, Math<std::tanh>},
    {"test", 1, TestRegexOf},
    {"test", 2, TestRegex},
    {"tgamma", 0, Math<std::tgamma>},
    {"to_entries", 0, ToEntries},
    {"toarray", 0, ToArray},
    {"toboolean", 0, ToBoolean},
    {"tojson", 0, ToJson},
    {"tonumber", 0, ToNumber},
    {"tostring", 0, ToString},
    {"transpose", 0, Transpose},
    {"trim", 0, TrimSpace},
    {"trimstr", 1, TrimBoth},
    {"trunc", 0, Rounding<std::trunc>},
    {"type", 0, TypeOf},
    {"unique", 0, Unique},
    {"utf8bytelength", 0, Utf8ByteLength},
    {"y0", 0, Math<y0>},
    {"y1", 0, Math<y1>},
    {"yn", 2, Math2<BesselY>},
};

constexpr bool IsBefore(const NativeRow& row, std::string_view name, std::size_t arity) {
  return row.name != name ? row.name < name : row.arity < arity;
}

static_assert(std::ranges::is_sorted(kNatives, [](const NativeRow& a, const NativeRow& b) {
  return IsBefore(a, b.name, b.arity);
}));

}  // namespace

std::span<const NativeRow> Natives() { return kNatives; }

const NativeRow* FindNative(std::string_view name, std::size_t arity) {
  const NativeRow* row = std::lower_bound(
      std::begin(kNatives), std::end(kNatives), name,
      [&](const NativeRow& r, std::string_view n) { return IsBefore(r, n, arity); });
  bool found = row != std::end(kNatives) && row->name == name && row->arity == arity;
  return found ? row : nullptr;
}

}  // namespace wmap::expr::builtins
