// Writing Values as YAML, in the style of kubectl: two spaces a level, sequences not indented under
// their key, text of several lines as a block, long lines not folded.
//
// Text is quoted exactly when a reader of YAML 1.1 would take it for something else. What is
// written, read again by yaml::Reader, is the same value; numbers may lose spare digits (1.10),
// as they do in the API machinery. Values of any depth are safe: writing does not recurse.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace wmap::yaml {

struct WriteOptions {
  enum class Order : unsigned char { kSorted, kSource };

  Order order = Order::kSorted;
};

// Appends `value`, which ends with a line end. Several documents are joined with "---\n" by the
// caller.
void Write(const json::Value& value, std::string& to, const WriteOptions& options = {});
std::string ToYaml(const json::Value& value, const WriteOptions& options = {});

}  // namespace wmap::yaml
