#include "tests/referee/programs.h"

#include "base/text.h"

namespace wmap::referee {

std::string Programs::Pick(std::initializer_list<const char*> choices) {
  return choices.begin()[Below(static_cast<int>(choices.size()))];
}

std::string Programs::Json(int depth) {
  switch (Below(depth > 0 ? 10 : 6)) {
    case 0:
      return Pick({"null", "true", "false"});
    case 1:
    case 2:
      return Pick({"0", "1", "-1", "2", "3", "0.5", "-2.5", "10"});
    case 3:
    case 4:
      return Pick({"\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"1\"", "\"\u00e9a\""});
    case 5:
      return Pick({"[]", "{}"});
    case 6:
    case 7: {
      std::string text = "[";
      for (int i = Below(4); i >= 0; --i) text += Json(depth - 1) + (i > 0 ? "," : "");
      return text + "]";
    }
    default: {
      std::string text = "{";
      for (int i = Below(3); i >= 0; --i)
        text += Pick({"\"a\":", "\"b\":", "\"c\":"}) + Json(depth - 1) + (i > 0 ? "," : "");
      return text + "}";
    }
  }
}

std::string Programs::Input() { return Json(3); }

std::string Programs::Program() { return Query(2 + Below(3)); }

std::string Programs::Leaf() {
  if (!variables_.empty() && Below(3) == 0)
    return "$" + variables_[static_cast<std::size_t>(Below(static_cast<int>(variables_.size())))];
  if (!functions_.empty() && Below(4) == 0)
    return functions_[static_cast<std::size_t>(Below(static_cast<int>(functions_.size())))];
  if (!labels_.empty() && Below(8) == 0)
    return "(break $" + labels_[static_cast<std::size_t>(Below(static_cast<int>(labels_.size())))] +
           ")";
  return Pick({".",     ".",     ".",      ".a",    ".b",   ".[0]",    ".[]",   ".[]?", "1",
               "2",     "0",     "-1",     "\"a\"", "null", "true",    "false", "[]",   "{}",
               "empty", "error", "length", "keys",  "..",   "not",     "type",  "1.5",  "add",
               "[1,2]", "{a:1}", "\"b\"",  "first", "last", "tostring"});
}

// Programs that are often paths.
std::string Programs::Path(int depth) {
  if (depth <= 0)
    return Pick({".", ".a", ".b", ".[0]", ".[-1]", ".[1:]", ".[]", ".[]?", ".a?", ".c"});
  auto p = [&] { return Path(depth - 1); };
  auto q = [&] { return Query(depth - 1); };
  switch (Below(16)) {
    case 0:
      return "(" + p() + " | " + p() + ")";
    case 1:
      return "(" + p() + ", " + p() + ")";
    case 2:
      return "(" + p() + " // " + p() + ")";
    case 3:
      return "(if " + q() + " then " + p() + " else " + p() + " end)";
    case 4:
      return "select(" + q() + ")";
    case 5:
      return "first(" + p() + ")";
    case 6:
      return "limit(" + Pick({"0", "1", "2"}) + "; " + p() + ")";
    case 7:
      return "getpath([" + Pick({"\"a\"", "0", "\"b\", 1", "\"a\", \"b\"", ""}) + "])";
    case 8:
      return "(" + p() + ")?";
    case 9:
      return "(try " + p() + " catch .)";
    case 10:
      return "recurse";
    case 11:
      return "(" + p() + ")[" + q() + "]?";
    case 12:
      return "(reduce " + Pick({"(0, 1)", "(\"a\", \"b\")", ".[]?"}) + " as $k (.; .[$k]?))";
    case 13:
      return "(" + q() + " as $v | " + p() + ")";
    case 14:
      return "empty";
    default:
      return p();
  }
}

std::string Programs::Pattern(int depth, std::vector<std::string>* names) {
  if (depth <= 0 || Below(3) == 0) {
    names->push_back("v" + std::to_string(names_++));
    return "$" + names->back();
  }
  if (Below(2) == 0)
    return "[" + Pattern(depth - 1, names) + ", " + Pattern(depth - 1, names) + "]";
  return "{a: " + Pattern(depth - 1, names) + ", (\"b\", \"c\"): " + Pattern(depth - 1, names) +
         "}";
}

std::string Programs::Call(int depth) {
  auto q = [&] { return Query(depth - 1); };
  switch (Below(30)) {
    case 0:
      return "map(" + q() + ")";
    case 1:
      return "map_values(" + q() + ")";
    case 2:
      return "select(" + q() + ")";
    case 3:
      return "any(" + q() + ")";
    case 4:
      return "all(" + q() + ")";
    case 5:
      return "any(" + q() + "; " + q() + ")";
    case 6:
      return "all(" + q() + "; " + q() + ")";
    case 7:
      return "first(" + q() + ")";
    case 8:
      return "last(" + q() + ")";
    case 9:
      return "limit(" + Pick({"0", "1", "2", "(1, 2)"}) + "; " + q() + ")";
    case 10:
      return "sort_by(" + q() + ")";
    case 11:
      return "group_by(" + q() + ")";
    case 12:
      return "unique_by(" + q() + ")";
    case 13:
      return "min_by(" + q() + ")";
    case 14:
      return "max_by(" + q() + ")";
    case 15:
      return "to_entries";
    case 16:
      return "with_entries(" + Pick({".value |= ", ".key |= ", ""}) + q() + ")";
    case 17:
      return "has(" + q() + ")";
    case 18:
      return "contains(" + q() + ")";
    case 19:
      return "index(" + q() + ")";
    case 20:
      return "join(" + Pick({"\",\"", "\"\"", "."}) + ")";
    case 21:
      return "[paths]";
    case 22:
      return "[path(" + Path(depth - 1) + ")]";
    case 23:
      return "del(" + Path(depth - 1) + ")";
    case 24:
      return "getpath([" + Pick({"\"a\"", "0", "\"b\", 0", ""}) + "])";
    case 25:
      return "setpath([" + Pick({"\"a\"", "0", "\"b\", 0", "-1", ""}) + "]; " + q() + ")";
    case 26:
      return "flatten";
    case 27:
      return "[limit(5; range(" + q() + "))]";
    case 28:
      return "isempty(" + q() + ")";
    default:
      return Pick({"sort", "unique", "min", "max", "reverse", "tojson", "tonumber", "ascii_upcase",
                   "explode", "floor", "add", "from_entries", "values", "recurse"});
  }
}

std::string Programs::Query(int depth) {
  if (depth <= 0) return Leaf();
  auto q = [&] { return Query(depth - 1); };
  auto t = [&] { return "(" + Query(depth - 1) + ")"; };
  switch (Below(34)) {
    case 0:
    case 1:
    case 2:
      return q() + " | " + q();
    case 3:
    case 4:
      return t() + ", " + t();
    case 5:
    case 6:
      return t() + Pick({" + ", " - ", " * ", " / ", " % "}) + t();
    case 7:
      return t() + Pick({" == ", " != ", " < ", " <= ", " > ", " >= "}) + t();
    case 8:
      return t() + Pick({" and ", " or "}) + t();
    case 9:
    case 10:
      return t() + " // " + t();
    case 11:
      return "[" + q() + "]";
    case 12:
      return "{a: " + t() + "}";
    case 13:
      return "{(" + q() + " | .): " + t() + ", b: " + t() + "}";
    case 14:
      return "if " + q() + " then " + q() + " else " + q() + " end";
    case 15:
      return "if " + q() + " then " + q() + " elif " + q() + " then " + q() + " end";
    case 16:
      return "try " + t() + Pick({"", " catch type"});
    case 17:
      return "(" + q() + ")" + Pick({"?", ".a?", "[]?", "[0]?", ".b", "[1:]?", "[:1]?", "[]"});
    case 18:
      return "(" + q() + ")[" + q() + "]" + Pick({"", "?"});
    case 19: {
      std::string source = t();
      std::vector<std::string> names;
      std::string pattern = Pattern(2, &names);
      if (Below(4) == 0) pattern += " ?// " + Pattern(1, &names);
      std::size_t outer = variables_.size();
      variables_.insert(variables_.end(), names.begin(), names.end());
      std::string body = q();
      variables_.resize(outer);
      return "(" + source + " as " + pattern + " | " + body + ")";
    }
    case 20:
    case 21: {
      bool is_reduce = Below(2) == 0;
      std::string source = t();
      std::string init = q();
      std::string name = "v" + std::to_string(names_++);
      variables_.push_back(name);
      std::string update = q();
      std::string extract = !is_reduce && Below(2) == 0 ? "; " + q() : "";
      variables_.pop_back();
      return (is_reduce ? "reduce " : "foreach ") + source + " as $" + name + " (" + init + "; " +
             update + extract + ")";
    }
    case 22: {
      std::string name = "l" + std::to_string(names_++);
      labels_.push_back(name);
      std::string body = q();
      labels_.pop_back();
      return "(label $" + name + " | " + body + ")";
    }
    case 23: {
      std::string name = "f" + std::to_string(names_++);
      std::string body = q();
      functions_.push_back(name);
      std::string rest = q();
      functions_.pop_back();
      return "(def " + name + ": " + body + "; " + rest + ")";
    }
    case 24: {
      std::string name = "f" + std::to_string(names_++);
      std::string argument = q();
      functions_.push_back("g");
      variables_.push_back("x");
      std::string body = q();
      variables_.pop_back();
      functions_.pop_back();
      return "(def " + name + "(g; $x): " + body + "; " + name + "(" + argument + "; " + q() + "))";
    }
    case 25:
    case 26:
      return "(" + Path(depth - 1) + " |= " + q() + ")";
    case 27:
      return "(" + Path(depth - 1) + " = " + t() + ")";
    case 28:
      return "(" + Path(depth - 1) + Pick({" += ", " -= ", " *= ", " //= "}) + t() + ")";
    case 29:
      return "\"x\\(" + q() + ")y\\(" + q() + ")\"";
    case 30:
      return "-" + t();
    default:
      return Call(depth);
  }
}

}  // namespace wmap::referee
