#include "tests/conformance/suite.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/arena.h"
#include "base/text.h"
#include "json/value.h"
#include "json/writer.h"
#include "yaml/reader.h"

namespace wmap::conformance {
namespace {

// The files are ours or fixed; a fault in them stops the test program.
json::Value ReadYamlOrDie(std::string_view what, std::string_view text, Arena& arena) {
  Result<json::Value> value = yaml::Read(text, arena);
  if (!value) {
    std::fprintf(stderr, "%s: %s\n", std::string(what).c_str(), value.error().Describe().c_str());
    std::abort();
  }
  return *value;
}

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  // The next line, or nothing at the end.
  std::optional<std::string_view> Next() {
    if (position_ >= text_.size()) return std::nullopt;
    std::size_t end = std::min(text_.find('\n', position_), text_.size());
    std::string_view line = text_.substr(position_, end - position_);
    position_ = end + 1;
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  // Of the line that Next() gave.
  int number() const { return number_; }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  int number_ = 0;
};

bool IsBlank(std::string_view line) {
  std::size_t text = line.find_first_not_of(" \t");
  return text == std::string_view::npos || line[text] == '#';
}

bool IsOption(const json::Value& argument) {
  return argument.text_or_empty().starts_with('-') && argument.text_or_empty().size() > 1 &&
         argument.text_or_empty() != "-1" && argument.text_or_empty() != "-.";
}

// Understands what has to do with expressions; nothing for everything else.
std::optional<Case> GojqCase(const json::Value& entry) {
  Case made;
  bool null_input = false;
  bool has_program = false;
  if (entry.Find("env") != nullptr || entry.Find("args") == nullptr) return std::nullopt;
  auto arguments = entry.Get("args").items();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i].text_or_empty();
    if (argument == "-c" || argument == "--compact-output") continue;
    if (argument == "-n" || argument == "--null-input") {
      null_input = true;
    } else if ((argument == "--arg" || argument == "--argjson") && i + 2 < arguments.size()) {
      std::string_view value = arguments[i + 2].text_or_empty();
      made.variables.emplace_back(
          arguments[i + 1].text_or_empty(),
          argument == "--arg" ? json::ToJson(json::Value::String(value)) : std::string(value));
      i += 2;
    } else if (IsOption(arguments[i]) || has_program) {
      return std::nullopt;
    } else {
      has_program = true;
      made.program = argument;
    }
  }
  std::string_view error = entry.Get("error").text_or_empty();
  bool about_options =
      error.starts_with("invalid variable name") || error.starts_with("invalid json");
  if (!has_program || about_options) return std::nullopt;
  made.name = entry.Get("name").text_or_empty();
  made.input = null_input ? "null" : std::string(entry.Get("input").text_or_empty());
  made.results = entry.Get("expected").text_or_empty();
  made.fails = entry.Find("error") != nullptr;
  made.must_not_compile = error.starts_with("invalid query") || error.starts_with("compile error");
  return made;
}

// "limit($n; f)" is limit/2.
std::string NameAndArity(std::string_view signature) {
  std::size_t end = std::min(signature.find('('), signature.size());
  std::string_view arguments = signature.substr(end);
  auto arity = arguments.empty() ? 0 : std::ranges::count(arguments, ';') + 1;
  return Cat(signature.substr(0, end), '/', arity);
}

ManualEntry ReadManualEntry(const json::Value& entry) {
  ManualEntry made;
  made.title = entry.members()[0].value.text_or_empty();
  if (const json::Value* builtin = entry.Find("builtin"))
    made.builtin = NameAndArity(builtin->text_or_empty());
  made.program = entry.Get("expr").text_or_empty();
  const json::Value* input = entry.Find("input");
  made.input = input == nullptr ? "null" : input->text_or_empty();
  made.output = entry.Get("output").text_or_empty();
  if (const json::Value* error = entry.Find("error")) made.error = error->text_or_empty();
  return made;
}

}  // namespace

std::vector<Case> ReadJqSuite(std::string_view suite, std::string_view text) {
  std::vector<Case> cases;
  Lines lines(text);
  bool fails = false;
  while (auto line = lines.Next()) {
    if (IsBlank(*line)) continue;
    if (line->starts_with("%%FAIL")) {
      fails = true;
      continue;
    }
    Case made;
    made.suite = suite;
    made.name = Cat(lines.number());
    made.program = *line;
    made.fails = made.must_not_compile = fails;
    made.may_fail = !fails;
    made.input = "null";
    if (!fails) made.input = lines.Next().value_or("null");
    while (auto rest = lines.Next()) {
      if (IsBlank(*rest)) break;
      if (!fails) CatTo(made.results, *rest, '\n');
    }
    fails = false;
    cases.push_back(std::move(made));
  }
  return cases;
}

GojqSuite ReadGojqSuite(std::string_view suite, std::string_view text) {
  Arena arena;
  GojqSuite read;
  std::map<std::string, int> seen;
  for (const json::Value& entry : ReadYamlOrDie(suite, text, arena).items()) {
    std::optional<Case> made = GojqCase(entry);
    if (made) {
      made->suite = suite;
      int times = ++seen[made->name];
      if (times > 1) CatTo(made->name, " (", times, ")");
      read.cases.push_back(std::move(*made));
    } else {
      read.other.emplace_back(entry.Get("name").text_or_empty());
    }
  }
  return read;
}

std::vector<Case> ReadHouseSuite(std::string_view suite, std::string_view text) {
  Arena arena;
  std::vector<Case> cases;
  for (const json::Value& entry : ReadYamlOrDie(suite, text, arena).items()) {
    Case made;
    made.suite = suite;
    made.name = entry.Get("name").text_or_empty();
    made.program = entry.Get("expr").text_or_empty();
    const json::Value* input = entry.Find("input");
    made.input = input == nullptr ? "null" : json::ToJson(*input);
    const json::Value* variables = entry.Find("variables");
    if (variables != nullptr)
      for (const json::Member& member : variables->members())
        made.variables.emplace_back(member.key, json::ToJson(member.value));
    if (const json::Value* output = entry.Find("output"))
      for (const json::Value& value : output->items())
        CatTo(made.results, json::ToJson(value), '\n');
    if (const json::Value* error = entry.Find("error")) {
      made.fails = true;
      made.error = error->text_or_empty();
    }
    cases.push_back(std::move(made));
  }
  return cases;
}

std::vector<ManualEntry> ReadManual(std::string_view text) {
  Arena arena;
  std::vector<ManualEntry> entries;
  json::Value manual = ReadYamlOrDie("manual", text, arena);
  for (const json::Value& chapter : manual.Get("chapters").items())
    for (const json::Value& section : chapter.Get("sections").items())
      for (const json::Value& entry : section.Get("entries").items())
        entries.push_back(ReadManualEntry(entry));
  return entries;
}

std::vector<Exclusion> ReadExclusions(std::string_view text) {
  Arena arena;
  std::vector<Exclusion> exclusions;
  for (const json::Value& entry : ReadYamlOrDie("exclusions", text, arena).items()) {
    Exclusion made;
    made.suite = entry.Get("suite").text_or_empty();
    made.reason = entry.Get("reason").text_or_empty();
    for (const json::Value& one : entry.Get("cases").items()) {
      const json::Member& member = one.members()[0];
      made.cases.emplace_back(member.key, member.value.text_or_empty());
    }
    exclusions.push_back(std::move(made));
  }
  return exclusions;
}

}  // namespace wmap::conformance
