// Conformance suites: cases of other implementations and of ours in one shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wmap::conformance {

struct Case {
  std::string suite;  // "jq-1.8.2/jq.test"
  std::string name;   // what tells it from the others of the suite: its line, or its name with
                      // " (2)" behind the second of one name
  std::string program;
  std::vector<std::pair<std::string, std::string>> variables;  // name and JSON
  std::string input;                                           // JSON values in a row
  std::string results;                                         // JSON values in a row
  bool fails = false;                // after these results, or while compiling
  bool may_fail = false;             // whether it fails after these results is not said
  bool must_not_compile = false;     // no input can save it
  std::optional<std::string> error;  // a part of the message
};

// jq's format: a program, an input and any number of results, a line each; `%%FAIL`, a program and
// a message; separated by empty lines. An error behind the results is not in the format, and jq's
// own runner does not look.
std::vector<Case> ReadJqSuite(std::string_view suite, std::string_view text);

// gojq's cli/test.yaml. A case that needs more than a program and an input is returned in `other`
// by name: it tests the command line.
struct GojqSuite {
  std::vector<Case> cases;
  std::vector<std::string> other;
};
GojqSuite ReadGojqSuite(std::string_view suite, std::string_view text);

// Ours: a list of {name, expr, input, variables, output, error}, see expressions.yaml.
std::vector<Case> ReadHouseSuite(std::string_view suite, std::string_view text);

// An entry of the manual, docs/expressions.yaml; what the fields are is said at its top.
struct ManualEntry {
  std::string title;
  std::string builtin;  // name/arity, or "" when the entry is about something else
  std::string program;
  std::string input;   // a JSON value
  std::string output;  // JSON values with blanks between them
  std::optional<std::string> error;
};
std::vector<ManualEntry> ReadManual(std::string_view text);

// What keeps us from a case, for the cases of one suite that share a reason.
struct Exclusion {
  std::string suite;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> cases;  // name and program
};
std::vector<Exclusion> ReadExclusions(std::string_view text);

}  // namespace wmap::conformance
