// Natives for numbers that are more than a function of <cmath>.
#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/builtins/builtins.h"
#include "expr/builtins/math.h"
#include "expr/builtins/natives.h"
#include "expr/builtins/values.h"

namespace wmap::expr::builtins {

using json::Value;
using vm::Context;

namespace {

constexpr std::string_view kNumberRequired = "number required";

// False for what is no number, as in jq 1.8.
template <typename F>
bool Test(const Value& input, F&& holds, Value* out) {
  *out = Value::Bool(input.is_number() && holds(input.as_double()));
  return true;
}

bool Pair(Context& context, double first, double second, Value* out) {
  Value pair[] = {Number(first), Number(second)};
  return context.MakeArray(pair, out);
}

// An exponent as an int; what is out of reach overflows or underflows all the same.
int Exponent(double x) {
  constexpr double kFar = 1e6;
  return std::isnan(x) ? 0 : static_cast<int>(std::clamp(x, -kFar, kFar));
}

}  // namespace

// --- Constants and tests --------------------------------------------------------------------

bool Infinite(Context&, const Value&, const Value*, Value* out) {
  *out = Value::Double(std::numeric_limits<double>::infinity());
  return true;
}
bool NotANumber(Context&, const Value&, const Value*, Value* out) {
  *out = Value::Double(std::numeric_limits<double>::quiet_NaN());
  return true;
}
bool IsInfinite(Context&, const Value& input, const Value*, Value* out) {
  return Test(input, [](double x) { return std::isinf(x); }, out);
}
// NaN counts as finite, as in jq.
bool IsFinite(Context&, const Value& input, const Value*, Value* out) {
  return Test(input, [](double x) { return !std::isinf(x); }, out);
}
bool IsNan(Context&, const Value& input, const Value*, Value* out) {
  return Test(input, [](double x) { return std::isnan(x); }, out);
}
bool IsNormal(Context&, const Value& input, const Value*, Value* out) {
  return Test(input, [](double x) { return std::isnormal(x); }, out);
}

// --- Functions ------------------------------------------------------------------------------

bool Absolute(Context& context, const Value& input, const Value*, Value* out) {
  // Defined as `if . < 0 then -. else . end`, and strings are greater than numbers.
  if (input.type() > json::Type::kNumber) return *out = input, true;
  if (!input.is_number()) return Negate(context, input, out);
  if (!std::signbit(input.as_double()) || std::isnan(input.as_double())) {
    *out = input;
    return true;
  }
  return input.as_double() == 0 ? (*out = Value::Int(0), true) : Negate(context, input, out);
}

bool Frexp(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return Complain(context, input, kNumberRequired);
  int exponent = 0;
  double mantissa = std::frexp(input.as_double(), &exponent);
  if (!std::isfinite(mantissa)) exponent = 0;
  return Pair(context, mantissa, exponent, out);
}

bool Modf(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return Complain(context, input, kNumberRequired);
  double whole = 0;
  double fraction = std::modf(input.as_double(), &whole);
  return Pair(context, fraction, whole, out);
}

bool LogGammaWithSign(Context& context, const Value& input, const Value*, Value* out) {
  if (!input.is_number()) return Complain(context, input, kNumberRequired);
  int sign = 1;
  double log_gamma = lgamma_r(input.as_double(), &sign);
  return Pair(context, log_gamma, sign, out);
}

bool FusedMultiplyAdd(Context& context, const Value&, const Value* arguments, Value* out) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!arguments[i].is_number()) return Complain(context, arguments[i], kNumberRequired);
  }
  *out = Number(
      std::fma(arguments[0].as_double(), arguments[1].as_double(), arguments[2].as_double()));
  return true;
}

double Exp10(double x) {
  // Exact for the integers whose power a double holds exactly.
  constexpr double kExact = 22;
  return x == std::trunc(x) && std::abs(x) <= kExact ? std::pow(10, x) : exp10(x);
}

double Significand(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  return 2 * std::frexp(x, &exponent);
}

// lgamma() would write the sign to a global variable.
double Gamma(double x) {
  int sign = 1;
  return lgamma_r(x, &sign);
}

// std::cbrt() is a bit off for some cubes.
double CubeRoot(double x) { return static_cast<double>(std::cbrt(static_cast<long double>(x))); }

double ScaleB(double x, double exponent) {
  if (std::isnan(exponent)) return exponent;
  return std::ldexp(x, Exponent(exponent));
}

// The orders that take a while are of no use; the functions recur from one order to the next.
double BesselJ(double order, double x) {
  constexpr double kMostOrder = 10000;
  return std::abs(order) > kMostOrder ? std::numeric_limits<double>::quiet_NaN()
                                      : jn(Exponent(order), x);
}
double BesselY(double order, double x) {
  constexpr double kMostOrder = 10000;
  return std::abs(order) > kMostOrder ? std::numeric_limits<double>::quiet_NaN()
                                      : yn(Exponent(order), x);
}

}  // namespace wmap::expr::builtins
