// Case files: test cases of definitions, which stand beside them in files named *.cases.yaml.
//
//   cases:
//   - name: running
//     object: {…}             one object; or
//     objects: [{…}, …]       several; or
//     files: [running.json]   dumps, relative to the case file
//     expect: {…}             what is read of them (reading.h)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "input/input.h"
#include "json/value.h"

namespace wmap::inspect {

struct Case {
  std::string name;
  std::uint32_t line = 0;
  std::vector<json::Value> objects;
  std::vector<std::string> files;
  json::Value expect;  // null when the case expects nothing yet
};

using input::kCaseFileEnding;

// The cases of a file's text; their values stand in `arena`. kSyntax, or kInvalid for what is no
// case; the message begins with the line.
Result<std::vector<Case>> ReadCases(std::string_view text, Arena& arena);

// The text of a case file. Objects are written out.
std::string WriteCases(const std::vector<Case>& cases);

}  // namespace wmap::inspect
