// Natives that are functions of <cmath>. Templates, so that table.cc makes one from each name.
#pragma once

#include "expr/builtins/values.h"

namespace wmap::expr::builtins {

template <double (*kFunction)(double)>
bool Math(vm::Context& context, const json::Value& input, const json::Value*, json::Value* out) {
  if (!input.is_number()) return Complain(context, input, "number required");
  *out = Number(kFunction(input.as_double()));
  return true;
}

template <double (*kFunction)(double, double)>
bool Math2(vm::Context& context, const json::Value&, const json::Value* arguments,
           json::Value* out) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!arguments[i].is_number()) return Complain(context, arguments[i], "number required");
  }
  *out = Number(kFunction(arguments[0].as_double(), arguments[1].as_double()));
  return true;
}

// Rounding leaves an integer as it is, however large.
template <double (*kFunction)(double)>
bool Rounding(vm::Context& context, const json::Value& input, const json::Value* arguments,
              json::Value* out) {
  if (input.is_int()) return *out = input, true;
  return Math<kFunction>(context, input, arguments, out);
}

// What <cmath> lacks or names otherwise.
double Exp10(double x);
double Significand(double x);
double Gamma(double x);
double CubeRoot(double x);
double ScaleB(double x, double exponent);
double BesselJ(double order, double x);
double BesselY(double order, double x);

}  // namespace wmap::expr::builtins
