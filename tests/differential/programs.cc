#include "tests/differential/programs.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace wmap::differential {
namespace {

// In place of a form that is a path, when none fits.
constexpr std::string_view kPathTypes = "pqt";
constexpr std::string_view kValueTypes = "nsbASaOmo";

bool HasHoles(std::string_view text) { return text.find('`') != text.npos; }

}  // namespace

Forms ReadForms(std::string_view text) {
  Forms forms;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty() || line[0] == '#') continue;
    if (line.size() < 5 || line[1] != ' ' || line[3] != ' ') return {};
    forms[line[0]].push_back({line[0], line[2], std::string(line.substr(4))});
  }
  return forms;
}

char Programs::InputType() { return Below(3) > 0 ? 'o' : PickType("nsbAAASSOOmmxxoo"); }

std::string Programs::Number() {
  static constexpr const char* kOdd[] = {
      "-0",   "1.0", "1.50", "1e3",     "9007199254740993",   "1e100",
      "0.30", "1E2", "42e1", "1.25e-7", "-123456789012345678"};
  static constexpr const char* kEdges[] = {"2147483648", "9007199254740991", "0.1",
                                           "0.000125",   "1425599621",       "123456789012",
                                           "-4294967297"};
  static constexpr const char* kCommon[] = {"0", "1", "-1", "2", "3", "0.5", "-2.5", "10", "97"};
  if (is_odd_ && Below(4) == 0) return kOdd[Below(std::size(kOdd))];
  if (Below(12) == 0) return kEdges[Below(std::size(kEdges))];
  return kCommon[Below(std::size(kCommon))];
}

std::string Programs::Text() {
  static constexpr const char* kTexts[] = {"a",       "b",
                                           "ab",      "abcabc",
                                           "",        "1",
                                           "a,b",     " x ",
                                           "\u00e9a", "A b",
                                           "a-b",     "x\\n",
                                           "10",      "<&'>",
                                           "\\\"",    "\U0001f600",
                                           "zz",      "aaa",
                                           "YWI=",    "n",
                                           "[1]",     "2015-03-05T23:51:47Z"};
  return Cat("\"", kTexts[Below(std::size(kTexts))], "\"");
}

std::string Programs::Json(char type, int depth) {
  auto array = [&](char of) {
    std::string text = "[";
    for (int i = Below(5); i > 0; --i) CatTo(text, Json(of, depth - 1), i > 1 ? "," : "");
    return text + "]";
  };
  switch (type) {
    case 'n':
      return Number();
    case 's':
      return Text();
    case 'b':
      return Below(2) == 0 ? "true" : "false";
    case 'A':
      return array('n');
    case 'S':
      return array('s');
    case 'O':
      return array('o');
    case 'a':
      return array('x');
    case 'm': {
      std::string text;
      for (const char* key : {"a", "b", "c"})
        if (Below(3) > 0) CatTo(text, text.empty() ? "" : ",", "\"", key, "\":", Number());
      return Cat("{", text, "}");
    }
    case 'o': {
      std::string text;
      for (char key : std::string_view(depth > 0 ? "AOSabmnosx" : "Abns")) {
        if (Below(16) > 0)
          CatTo(text, text.empty() ? "" : ",", "\"", key, "\":", Json(key, depth - 1));
      }
      return Cat("{", text, "}");
    }
    default:
      return Below(5) == 0 ? "null" : Json(PickType(depth > 0 ? "nsbASmao" : "nnsb"), depth - 1);
  }
}

std::string Programs::Program(char type) {
  variables_.clear();
  names_ = 0;
  int depth = 1 + Below(3);
  return Expression(Below(4) == 0 ? 'x' : PickType(kValueTypes), type, depth);
}

std::string Programs::Expression(char type, char dot, int depth) {
  bool is_path = kPathTypes.find(type) != kPathTypes.npos;
  if (type == 'E' && !is_odd_) type = 'e';
  if (type == 'i' && is_odd_ && Below(4) == 0) type = 'I';
  if (type == 'g' && is_odd_ && Below(4) == 0) type = 'G';
  // Now and then something of another type, so that what is wrong is met too.
  if (!is_path && kValueTypes.find(type) != kValueTypes.npos && Below(40) == 0) type = 'x';
  if (is_path && dot != 'o') return type == 'p' ? (Below(2) == 0 ? ".[]?" : ".") : ".n?";
  std::vector<std::string_view> fitting;
  for (const Variable& variable : variables_)
    if (variable.type == type) fitting.push_back(variable.name);
  bool takes_variable = !fitting.empty() && Below(depth > 0 ? 5 : 2) == 0;
  if (!takes_variable) {
    fitting.clear();
    for (const Form& form : forms_.at(type))
      if ((form.dot == '*' || form.dot == dot) && HasHoles(form.text) == (depth > 0))
        fitting.push_back(form.text);
    if (fitting.empty() || Below(6) == 0)
      for (const Form& form : forms_.at(type))
        if ((form.dot == '*' || form.dot == dot) && !HasHoles(form.text))
          fitting.push_back(form.text);
  }
  if (fitting.empty()) return ".";
  std::string_view text =
      fitting[static_cast<std::size_t>(Below(static_cast<int>(fitting.size())))];
  return takes_variable ? std::string(text) : Fill(text, dot, depth);
}

std::string Programs::Fill(std::string_view text, char dot, int depth) {
  std::string filled;
  std::size_t outer = variables_.size();
  std::vector<Variable> own;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') {
      bool names_dot = text[i + 2] == '@';
      filled += Expression(text[i + 1], names_dot ? text[i + 3] : dot, depth - 1);
      i += names_dot ? 4 : 2;
    } else if (text.substr(i).starts_with("$~")) {
      filled += own.back().name;
      ++i;
    } else if (text[i] == '~') {
      char what = text[++i];
      if (what == '.') {
        variables_.resize(outer);
      } else if (what == '!') {
        variables_.insert(variables_.end(), own.begin(), own.end());
      } else {
        own.push_back({what, Cat("$v", names_++)});
        variables_.push_back(own.back());
        filled += own.back().name;
      }
    } else {
      filled += text[i];
    }
  }
  variables_.resize(outer);
  return filled;
}

}  // namespace wmap::differential
