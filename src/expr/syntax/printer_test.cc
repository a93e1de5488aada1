#include "expr/syntax/printer.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "expr/syntax/parser.h"

namespace wmap::expr {
namespace {

void ExpectRoundTrip(std::string_view source) {
  Result<Syntax> syntax = Parse(source);
  ASSERT_TRUE(syntax.has_value()) << source << ": " << syntax.error().message();
  std::string printed = Print(*syntax);
  Result<Syntax> again = Parse(printed);
  ASSERT_TRUE(again.has_value()) << source << " -> " << printed << ": " << again.error().message();
  EXPECT_TRUE(SameSyntax(*syntax, *again)) << source << " -> " << printed;
  EXPECT_EQ(Print(*again), printed) << source;
}

TEST(Printer, PutsParenthesesWhereTheTreeNeedsThem) {
  for (std::string_view source : {"(1, 2) | 3",
                                  "(1 | 2), 3",
                                  "1 | (2 | 3)",
                                  "(1 + 2) * 3",
                                  "1 - (2 - 3)",
                                  "(1 // 2) // 3",
                                  "1 // (2 // 3)",
                                  "(1 == 2) == 3",
                                  "(.a = 1) = 2",
                                  "-(1 + 2)",
                                  "(-1).a",
                                  "(try 1).a",
                                  "try (try 1) catch 2",
                                  "try (try 1 catch 2)",
                                  "(try 1)?",
                                  "-(try 1)",
                                  "try (-1) catch 2",
                                  "(def f: 1; f) | 2",
                                  "(def f: 1; f), 2",
                                  "(1 as $x | 2) | 3",
                                  "(label $x | 1) | 2",
                                  "[def f: 1; f]",
                                  "def f: 1; (def g: 2; g)",
                                  "{a: (1, 2)}",
                                  "{a: (1 as $x | 2)}",
                                  "{a: (1 | 2) | 3}",
                                  "{a: 1 | (2 | 3)}",
                                  "(1).a",
                                  "1[0]",
                                  "(1.5).a // 2",
                                  "(.a.b)?",
                                  ".a.b?",
                                  "(.a.b?)?",
                                  "(1, 2) as $x | 3",
                                  "reduce (1, 2) as $x (0; 1)"}) {
    ExpectRoundTrip(source);
  }
}

// Builds random sources from a grammar in which every form of the language occurs.
class Sources {
 public:
  explicit Sources(std::uint32_t seed) : random_(seed) {}

  std::string Query(int depth) {
    if (depth <= 0) return Pick({".", "1", "\"s\"", "$x", "f", "..", "null", ".a", "@json", "[]"});
    auto q = [&] { return Query(depth - 1 - Below(2)); };
    auto t = [&] { return "(" + q() + ")"; };
    switch (Below(30)) {
      case 0:
        return q() + " | " + q();
      case 1:
        return q() + ", " + q();
      case 2:
      case 3:
        return t() + Pick({" + ", " - ", " * ", " / ", " % ", " // ", " and ", " or "}) + t();
      case 4:
        return t() + Pick({" == ", " < ", " >= ", " = ", " |= ", " //= ", " += "}) + t();
      case 5:
        return "-" + t();
      case 6:
        return "try " + t();
      case 7:
        return "try " + t() + " catch " + t();
      case 8:
        return t() + Pick({".a", ".\"b c\"", "[]", "?", ".if", "[0]?"});
      case 9:
        return t() + "[" + q() + "]";
      case 10:
        return t() + "[" + q() + ":" + Pick({"", "1"}) + "]";
      case 11:
        return ".[:" + q() + "]";
      case 12:
        return "[" + q() + "]";
      case 13:
        return "{a: " + t() + ", \"b\\(" + q() + ")\": 1, (" + q() + "): 2, $x, c}";
      case 14:
        return "{@base64 \"x\", \"y z\", $__loc__, $x: " + t() + " | " + t() + "}";
      case 15:
        return "\"a\\(" + q() + ")b\\(" + q() + ")\"";
      case 16:
        return "@base64 \"\\(" + q() + ")\"";
      case 17:
        return "if " + q() + " then " + q() + " end";
      case 18:
        return "if " + q() + " then " + q() + " elif " + q() + " then . else " + q() + " end";
      case 19:
        return "reduce " + t() + " as " + Pattern(2) + " (" + q() + "; " + q() + ")";
      case 20:
        return "foreach " + t() + " as $x (" + q() + "; " + q() + "; " + q() + ")";
      case 21:
        return t() + " as " + Pattern(2) + " | " + q();
      case 22:
        return t() + " as " + Pattern(1) + " ?// " + Pattern(2) + " | " + q();
      case 23:
        return "label $l | " + q() + ", break $l";
      case 24:
        return "def g(a; $b): " + q() + "; def h: .; " + (Below(2) == 0 ? q() : t());
      case 25:
        return "f(" + q() + "; " + q() + ")";
      case 26:
        return ".a.b" + Pick({"?", ".c?", "[1]", "[1:2]?", "??"});
      case 27:
        return "1.5e3 + 007";
      case 28:
        return "1 # comment \\\n still\n + 2";
      default:
        return t();
    }
  }

  std::string Pattern(int depth) {
    if (depth <= 0) return Pick({"$x", "$y", "$and"});
    switch (Below(3)) {
      case 0:
        return "[" + Pattern(depth - 1) + ", " + Pattern(depth - 1) + "]";
      case 1:
        return "{a: " + Pattern(depth - 1) + ", $b, $c: " + Pattern(depth - 1) + ", (" + Query(1) +
               "): $d, \"e\\(.)\": $f}";
      default:
        return "$x";
    }
  }

 private:
  int Below(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }
  std::string Pick(std::initializer_list<const char*> choices) {
    return choices.begin()[Below(static_cast<int>(choices.size()))];
  }

  std::mt19937 random_;
};

TEST(Printer, RoundTripsRandomTrees) {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    ExpectRoundTrip(Sources(seed).Query(1 + static_cast<int>(seed % 6)));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace wmap::expr
