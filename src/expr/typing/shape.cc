#include "expr/typing/shape.h"

#include <algorithm>

#include "base/text.h"

namespace wmap::expr {

std::string Kinds::Describe() const {
  std::vector<std::string> names;
  if ((*this & kBoolean) == kBoolean) {
    names.emplace_back("a boolean");
  } else {
    if (Has(kFalse)) names.emplace_back("false");
    if (Has(kTrue)) names.emplace_back("true");
  }
  if (Has(kNumber)) names.emplace_back("a number");
  if (Has(kString)) names.emplace_back("a string");
  if (Has(kArray)) names.emplace_back("an array");
  if (Has(kObject)) names.emplace_back("an object");
  if (Has(kNull)) names.emplace_back("null");
  if (names.empty()) return "nothing";
  if (*this == Any()) return "anything";
  std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : Cat(Join(names, ", "), " or ", last);
}

std::string Count::Describe() const {
  std::string text;
  if (least == 1 && most == 1) {
    text = "one result";
  } else if (least == most) {
    text = most == 0 ? "no result" : Cat(most, " results");
  } else if (most == kMany) {
    text = least == 0 ? "any number of results" : Cat("at least ", least, " results");
  } else {
    text = Cat(least, " to ", most, " results");
  }
  std::string_view before = " for each item of ";
  for (const Factor& factor : factors) {
    if (factor.kind == Factor::Kind::kItems) {
      CatTo(text, before, factor.text);
      before = " and each of ";
    } else {
      CatTo(text, ", where ", factor.text);
    }
  }
  return text;
}

namespace typing {
namespace {

// Expressions that multiply for ever are not worth telling.
constexpr std::size_t kMostFactors = 8;

std::uint32_t Product(std::uint32_t a, std::uint32_t b) {
  if (a == 0 || b == 0) return 0;
  return a > Count::kMany / b ? Count::kMany : a * b;
}

std::uint32_t Sum(std::uint32_t a, std::uint32_t b) {
  return a > Count::kMany - b ? Count::kMany : a + b;
}

}  // namespace

Count Times(const Count& a, const Count& b) {
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  if (a.most == 0 || b.most == 0) return Count::None();
  if (a.factors.size() + b.factors.size() > kMostFactors) return Count::Some();
  Count both = {Product(a.least, b.least), Product(a.most, b.most), a.factors};
  both.factors.insert(both.factors.end(), b.factors.begin(), b.factors.end());
  return both;
}

Count Plus(const Count& a, const Count& b) {
  if (a.most == 0) return b;
  if (b.most == 0) return a;
  if (a.factors == b.factors) return {Sum(a.least, b.least), Sum(a.most, b.most), a.factors};
  std::uint32_t least = 0;
  if (a.factors.empty()) least = Sum(least, a.least);
  if (b.factors.empty()) least = Sum(least, b.least);
  return {least, Count::kMany, {}};
}

Count Either(const Count& a, const Count& b) {
  if (a.factors == b.factors) {
    return {std::min(a.least, b.least), std::max(a.most, b.most), a.factors};
  }
  // None is also what items that are not there give.
  if (a.most == 0) return {0, b.most, b.factors};
  if (b.most == 0) return {0, a.most, a.factors};
  return Count::Some();
}

}  // namespace typing
}  // namespace wmap::expr
